// Accelerated projected gradient descent (Nesterov) with adaptive restart and adaptive step.
//
//     x+ = P(y - t m (u(y) + s n)),   y = x+ + beta_k (x+ - x),   u(y) = W y + q
//
// The momentum is dropped when it points uphill (O'Donoghue and Candes, Found. Comput. Math. 15, 2015); the step t
// shrinks when the quadratic model under-estimates and grows slowly otherwise (Mazhar, Heyn, Negrut and Tasora, ACM
// Trans. Graph. 34, 2015). u(y) follows from u(x+) and u(x), so that an iteration costs one product with W.
//
// For Coulomb's law the shift follows the slip, s += part (mu |u_t| - s), with all of the difference at first and a
// tenth of it later; the momentum is kept. On the saved problems this was measured against: following all the way at
// each iteration (one problem of seven never settled), at every 50th (up to five times as many iterations), and
// dropping the momentum at each change (two to nineteen times as many). It is a heuristic without a proof: in
// packings at rest of a thousand contacts and more it was seen to stall at 1e-4, where Gauss-Seidel and SPG go on.
#pragma once

#include "solvers/first_order/gradient_problem.hpp"
#include "solvers/stopping.hpp"

namespace talus {

struct ApgdWorkspace {
    GradientProblem problem;
    GradientProblem::Vectors x, y, fresh;                          // reactions
    GradientProblem::Vectors velocityX, velocityY, velocityFresh;  // that belong to them
};

void solveApgd(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& workspace,
               Solution& solution);

}  // namespace talus
