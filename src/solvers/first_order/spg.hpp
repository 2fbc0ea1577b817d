// Spectral projected gradient: steps of Barzilai and Borwein, non-monotone line search.
//
//     d = P(x - a m (u + s n)) - x,   x+ = x + l d,   a = d.d/d.W d or d.W d/|W d|^2 in turn
//
// The objective is a quadratic, so that the line search knows its value along d without another product: one product
// with W per iteration. Birgin, Martinez and Raydan, SIAM J. Optim. 10 (2000); for contacts Tasora et al., Int. J.
// Non-Linear Mech. 53 (2013). For Coulomb's law the shift s = mu |u_t| is brought up to date at the milestones of
// Stopping.
#pragma once

#include <array>

#include "solvers/first_order/gradient_problem.hpp"
#include "solvers/stopping.hpp"

namespace talus {

struct SpgWorkspace {
    GradientProblem problem;
    GradientProblem::Vectors x, target;                 // reactions, now and at the end of the direction d
    GradientProblem::Vectors velocity, velocityTarget;  // that belong to them
};

void solveSpg(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& workspace,
              Solution& solution);

}  // namespace talus
