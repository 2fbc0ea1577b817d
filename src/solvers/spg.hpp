// Spectral projected gradient: steps of Barzilai and Borwein, non-monotone line search.
//
//     d = P(x - a (W x + q)) - x,   x+ = x + l d,   a = s.s/s.W s or s.W s/|W s|^2 in turn, s = x+ - x
//
// The objective is a quadratic, so that the line search knows its value along d without another product: one product
// with W per iteration. Birgin, Martinez and Raydan, SIAM J. Optim. 10 (2000); for contacts Tasora et al., Int. J.
// Non-Linear Mech. 53 (2013). For Coulomb's law the shift mu |u_t| is brought up to date when the residual is measured.
#pragma once

#include <array>

#include "solvers/scaled_problem.hpp"
#include "solvers/stopping.hpp"

namespace talus {

struct SpgWorkspace {
    ScaledProblem problem;
    ScaledProblem::Vectors x, product, direction, productDirection, reactions;
};

void solveSpg(const ContactProblem& problem, const SolverSettings& settings, SpgWorkspace& workspace,
              std::vector<Vec3>& reactions, std::vector<Vec3>& velocities, SolveReport& report);

}  // namespace talus
