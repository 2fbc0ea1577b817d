// Accelerated projected gradient descent (Nesterov) with adaptive restart and adaptive step.
//
//     x+ = P(y - t (W y + q)),   y = x+ + beta_k (x+ - x)
//
// The momentum is dropped when it points uphill (O'Donoghue and Candes, 2015); the step t shrinks when the quadratic
// model under-estimates and grows slowly otherwise (Mazhar, Heyn, Negrut and Tasora, ACM Trans. Graph. 34, 2015). W y
// follows from W x+ and W x, so that an iteration costs one product with W. For Coulomb's law the shift mu |u_t| is
// brought up to date each time the residual is measured.
#pragma once

#include "solvers/scaled_problem.hpp"
#include "solvers/stopping.hpp"

namespace talus {

struct ApgdWorkspace {
    ScaledProblem problem;
    ScaledProblem::Vectors x, y, productX, productY, fresh, productFresh, gradient;
};

void solveApgd(const ContactProblem& problem, const SolverSettings& settings, ApgdWorkspace& workspace,
               std::vector<Vec3>& reactions, std::vector<Vec3>& velocities, SolveReport& report);

}  // namespace talus
