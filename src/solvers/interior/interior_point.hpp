// Primal-dual interior point: tens of linear systems, whatever the size of the problem and however many of its contacts
// are redundant.
//
// In variables in which each cone is the standard one and each contact has about unit mass, x for reactions and z for
// velocities (shifted, for Coulomb's law), a solution has
//
//     u(x) = f(z),   x o z = 0,   x and z in the cone        f(z) = z                      associated law
//                                                            f(z) = z - n |z_t|^2 / z_n    Coulomb's law proper
//                                                            f(z) = H^-1 z                 skewed law
//
// The second f removes the shift: u_n = 0 where the contact slides (|z_t| = z_n), any u_n >= 0 where it is open; and it
// is smooth inside the cone, where mu |u_t| is not. Iterates stay inside and follow x o z = m e to m = 0, each step a
// predictor and a corrector (Mehrotra) in the scaling of Nesterov and Todd:
//
//     (W + E + R) dg = r,     R = f' N^-2 per contact                   one factorisation (contact_system.hpp)
//
// The associated law is convex and always solved, up to round-off. With Coulomb's law the path may end early, above all
// with friction of 0.5 and more and many redundant contacts. Then cones have another path, longer and more
// patient, on which the shift mu |u_t| is a variable (slip_path.hpp). If that does not get there either, or does not
// fit, Coulomb's law is approached by a few convex problems whose shift is that of the last one: good where little
// slides, as in packings at rest. If nothing is good enough the solver says stalled.
//
// Caps and balls: g = g1 + g2 with g1 in the cone and below the cap, g2 in the ball, each with variables of its own
// that drop out of the linear system (limit_part.hpp). Where a ball goes with friction, Coulomb's law has no path of
// this kind; it is then solved by convex problems alone, as above, but as many as it takes.
#pragma once

#include "solvers/interior/slip_path.hpp"
#include "solvers/linear/contact_system.hpp"
#include "solvers/stopping.hpp"

namespace talus {

struct InteriorPointWorkspace {
    ContactSystem system;
    std::vector<Vec3> x, z, right, dg, reactions, velocities;
    std::vector<Vec3> dx, dz, drive;
    std::vector<ContactStiffness> stiffness;
    std::vector<Mat3> compliance, softened;
    SlipPathWorkspace slip;
};

void solveInteriorPoint(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& workspace,
                        Solution& solution);

}  // namespace talus
