// Newton's method on the velocities of compliant contacts, semismooth and damped; rigid ones through a sequence of
// compliant problems that lean on each other.
//
// With a compliance C per contact and v = vhat + A^-1 D p the problem is to find p = g(w), w = W p + q, where each
// contact answers by itself (contact_response.hpp). For the associated law this is the minimum over v of
//
//     1/2 |v - vhat|_A^2 + sum psi_i(w_i),          psi' = -g,
//
// convex and once differentiable. A step solves
//
//     x = S (W (p - g) - W x),     dp = x - (p - g)          (contact_system.hpp)
//
// and goes as far as the slope along it is negative (associated), or as the error |p - g| falls (Coulomb).
//
// C = E + m^-1/c with w -> w - m^-1/c g_k: the proximal point method (method of multipliers), exact for any c, also
// where contacts are rigid (E = 0); each g_k is the last answer, and c grows while that goes well. Contacts that are
// redundant then share the load as the first guess and the path say.
//
// Newton's steps are short where many contacts change their minds, so a start from nothing takes some iterations of the
// interior-point method first, or of gradient steps where there are caps and balls. So does the first round that fails
// from a guess, and later ones take gradient steps. With a good guess there is neither: meant for steps that follow
// each other, and for the last digits.
#pragma once

#include "problem/contact_response.hpp"
#include "solvers/linear/contact_system.hpp"
#include "talus/solver.hpp"

namespace talus {

struct NewtonWorkspace {
    ContactSystem system;
    std::vector<Vec3> p, g, error, right, x, dp;
    std::vector<Vec3> pull;                   // m^-1/c g_k, towards what a round holds on to
    std::vector<Vec3> change, w, velocities;  // W dp; W p + q; u of g
    std::vector<Vec3> trial, held;            // what a round holds on to
    Solution rough;                           // of another solver, to begin from
    std::vector<Mat3> compliance, flexible;
    std::vector<ContactStiffness> stiffness;
};

void solveNewton(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& workspace,
                 Solution& solution);

}  // namespace talus
