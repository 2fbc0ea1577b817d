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
#pragma once

#include <vector>

#include "problem/contact_problem.hpp"

namespace talus {

struct Residuals {
    double naturalMap = 0;               // -, the larger of the next two
    double meanMap = 0, contactMap = 0;  // -
    double penetration = 0;
    double complementarity = 0;
    double dissipation = 0;
    double dilation = 0;
};

// w: the mean of all diagonal entries of W, 1/kg.
double meanDiagonal(const ContactProblem& problem);

// What residuals need of the diagonal of W. It is costly to find for bodies of any shape, and the same for all
// residuals of a solve.
struct Diagonals {
    double mean = 1;            // 1/kg, w
    std::vector<double> trace;  // 1/kg, of each W_ii: 3 w_i

    void measure(const ContactProblem& problem);
};

// The residuals of reactions with the velocities that belong to them (relativeVelocities()).
Residuals measureResiduals(const ContactProblem& problem, FrictionLaw law, const Diagonals& diagonals,
                           const std::vector<Vec3>& reactions, const std::vector<Vec3>& velocities);

// The same from the reactions alone.
Residuals measureResiduals(const ContactProblem& problem, FrictionLaw law, const std::vector<Vec3>& reactions);

}  // namespace talus
