// Block Jacobi: every contact is solved with all others held at their last values, all at once.
//
// Plain (relaxation 1) it is the parallel update of Unger, Brendel, Wolf and Kertesz, Phys. Rev. E 65 (2002), which
// converges for chains but not for every packing. By default each contact sees W_ii times the number of contacts of
// the busier of its bodies, as if mass were divided among them; W is then bounded by the blocks and the associated law
// converges from any start.
#pragma once

#include "problem/residual.hpp"
#include "solvers/stopping.hpp"

namespace talus {

struct JacobiWorkspace {
    Diagonals diagonals;
    std::vector<Mat3> metric;
    std::vector<Vec3> fresh;
    OperatorStates states;
};

void solveJacobi(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& workspace,
                 Solution& solution);

}  // namespace talus
