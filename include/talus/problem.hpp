// The contact program: find reactions g and relative velocities u with
//
//     u = W g + q,    W = D^T A^-1 D + E,    q = D^T vhat + b,
//     -u in N_Y(g)                                      associated law, a convex program:
//                                                       min over g in Y of 1/2 g.W g + q.g
//     -(u + mu |u_t| n) in N_Y(g)                       Coulomb's law proper (not convex)
//     -H u in N_Y(g)                                    skewed law: plastic flow that is not normal to Y
//
// as plain data that knows no bodies of a simulation. Per contact, vectors are (normal, first, second tangent), the
// reaction is what pushes the contact open, Y is its reaction set.
//
//     symbol   here          unit          meaning
//     g        reaction      N s           impulse during the step
//     u        velocity      m/s           relative velocity at its end, open positive
//     q        offset        m/s           what u would be without reactions
//     E        compliance    s/kg          3 x 3 per contact, symmetric, >= 0; none: rigid
//     H        skew          -             3 x 3 per contact, positive definite; none: identity
//
// With H = diag(1, a, a) a contact that slides opens by a mu times its slip: a = tan(dilation angle)/mu; a near 0 is
// Coulomb's law. The skewed law keeps its solutions, bounded, as long as no set of reactions in Y does without outer
// load (Tasora et al. 2013, section 9); the interior-point solver knows it, others refuse it.
//
//   BodyContacts bodies;                                       // a ball falls on a floor at 1 m/s
//   const auto floor = bodies.addFixed(), ball = bodies.addSphere(2.0, 0.1);
//   bodies.add({.normal = {0, 0, 1}, .armA = {0, 0, -0.1}, .armB = {}, .a = ball, .b = floor});
//   bodies.finish();
//   ContactProblem problem{.contacts = bodies, .sets = {ReactionSet::coulomb(0.5)}, .offset = {{-1, 0, 0}}};
//   const Solution found = solve(problem);                     // talus/solver.hpp: a push of 2 N s
//
// examples/cpp/solve_problem.cpp is a whole program. Whoever builds a problem by hand calls validate() once.
#pragma once

#include <variant>
#include <vector>

#include "talus/contact_rows.hpp"
#include "talus/reaction_set.hpp"
#include "talus/solver_kind.hpp"

namespace talus {

struct ContactProblem {
    std::variant<BodyContacts, BlockMatrix> contacts;
    std::vector<ReactionSet> sets;
    std::vector<Vec3> offset;
    std::vector<Mat3> compliance;  // empty: E = 0
    std::vector<Mat3> skew;        // empty: H = 1

    std::size_t contactCount() const { return sets.size(); }
    Vec3 complianceTimes(std::size_t contact, const Vec3& g) const {
        return compliance.empty() ? Vec3{} : compliance[contact] * g;
    }
    // W_ii, with E.
    Mat3 diagonal(std::size_t contact) const;
};

// Throws InputError that names what is wrong: sizes that differ, numbers that are not finite, negative parameters.
void validate(const ContactProblem& problem);

// Relative velocities u = W g + q of given reactions, from scratch.
void relativeVelocities(const ContactProblem& problem, const std::vector<Vec3>& reactions,
                        std::vector<Vec3>& velocities);

// How far an answer is from a solution: one definition for all solvers, computed from the answer itself.
//
// Natural map. With the mean diagonal w of W (1/kg) as the unit that turns velocities into impulses, and
// s = mu |u_t| for Coulomb's law (0 for the associated one), H u in place of u for a skewed law,
//
//     r_i = g_i - P_Y(g_i - (u_i + s_i n)/w)                            N s, 0 at a solution
//     mean map = |r| / max(|g|, |q|/w, |u|/w)                           -, norms over all contacts
//
// Where masses differ widely, or some contacts are open or slide fast, this sees only the largest. So the same is asked
// with each contact's own w_i, the mean diagonal of W_ii, in energies, relative to the contacts that act alone:
//
//     contact map^2 = sum w_i |r_i|^2 / min(sum w_i |g_i|^2, 10^4 sum |u_i - q_i|^2 / w_i)
//
// with sums below over the contacts with g_i != 0. The second is the velocity that the reactions make: reactions that
// only grow against each other do not count for more than a hundred times that. The natural map is the larger of the
// two maps. It does not change with units, nor when all masses or all velocities are scaled. Besides it, in units to
// judge by:
//
//     penetration      largest -u_n where positive                      m/s, at which contacts close in
//     complementarity  sum of |g.(u + s n)|                             J, work that a perfect answer would not do;
//                                                                       plain cones only
//     dissipation      sum of (mu g_n |u_t| + g_t.u_t)                  J, friction that does not oppose the slip
//     dilation         mean of max(u_n, 0) over contacts with g_n > 0   m/s, by which loaded contacts open: what the
//                                                                       associated law adds where they slide
struct Residuals {
    double naturalMap = 0;               // -, the larger of the next two
    double meanMap = 0, contactMap = 0;  // -
    double penetration = 0;
    double complementarity = 0;
    double dissipation = 0;
    double dilation = 0;
};

// The residuals of reactions.
Residuals measureResiduals(const ContactProblem& problem, FrictionLaw law, const std::vector<Vec3>& reactions);

}  // namespace talus
