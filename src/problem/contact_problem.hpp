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
#pragma once

#include <concepts>
#include <variant>
#include <vector>

#include "base/matrix3.hpp"
#include "problem/block_matrix.hpp"
#include "problem/body_contacts.hpp"
#include "problem/reaction_set.hpp"
#include "problem/sphere_contacts.hpp"
#include "talus/contact_dynamics.hpp"

namespace talus {

// What a solver needs of D^T A^-1 D: a state that follows the reactions, relative velocities from it, diagonal blocks.
template <class O>
concept ContactOperator = requires(const O& op, typename O::State& state, const std::vector<Vec3>& reactions, Vec3 g) {
    { op.contactCount() } -> std::convertible_to<std::size_t>;
    op.start(reactions, state);                                          // the state of these reactions
    { op.velocity(state, std::size_t{}) } -> std::convertible_to<Vec3>;  // (D^T A^-1 D g)_i
    op.change(state, std::size_t{}, g);                                  // g_i += change
    { op.diagonal(std::size_t{}) } -> std::convertible_to<Mat3>;
};
static_assert(ContactOperator<SphereContacts> && ContactOperator<BodyContacts> && ContactOperator<BlockMatrix>);

// States of the operators, kept from problem to problem.
struct OperatorStates {
    SphereContacts::State spheres;
    BodyContacts::State bodies;
    BlockMatrix::State matrix;

    SphereContacts::State& of(const SphereContacts&) { return spheres; }
    BodyContacts::State& of(const BodyContacts&) { return bodies; }
    BlockMatrix::State& of(const BlockMatrix&) { return matrix; }
    const SphereContacts::State& of(const SphereContacts&) const { return spheres; }
    const BodyContacts::State& of(const BodyContacts&) const { return bodies; }
    const BlockMatrix::State& of(const BlockMatrix&) const { return matrix; }
};

struct ContactProblem {
    std::variant<SphereContacts, BodyContacts, BlockMatrix> contacts;
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

// W_ii as a solver divides by it: directions in which nothing can move (planar problems), where the velocity is 0
// whatever the reaction, get the mean of the others.
Mat3 regularDiagonal(const ContactProblem& problem, std::size_t contact);

// Throws InputError that names what is wrong: sizes that differ, numbers that are not finite, negative parameters.
void validate(const ContactProblem& problem);

// Relative velocities u = W g + q of given reactions, from scratch.
void relativeVelocities(const ContactProblem& problem, const std::vector<Vec3>& reactions,
                        std::vector<Vec3>& velocities);

// mu |u_t|, what Coulomb's law adds to the normal velocity; 0 for bilateral contacts.
double slipShift(const ReactionSet& set, const Vec3& velocity);

// What the law sees of a velocity, minus which must be normal to Y: H u, plus the shift of Coulomb's law.
Vec3 lawVelocity(const ContactProblem& problem, FrictionLaw law, std::size_t contact, const Vec3& velocity);

// The reaction of one contact whose neighbours are held: u = W g + q with -u (shifted, for Coulomb's law) in N_Y(g).
Vec3 solveContact(const ReactionSet& set, FrictionLaw law, const Mat3& metric, const Vec3& linear);

}  // namespace talus
