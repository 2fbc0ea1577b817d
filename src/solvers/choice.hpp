// Which solver suits a problem: what `solver: auto` stands for (docs/solvers.md).
#pragma once

#include "talus/solver.hpp"

namespace talus {

struct SolverChoice {
    SolverKind solver;
    std::string_view reason;
    std::uint64_t sweepsFirst = 0;  // of Gauss-Seidel, that are tried before as long as they promise to be enough
};

SolverChoice chooseSolver(const ContactProblem& problem, const SolverSettings& settings);

// The chosen solver from the reactions of the solution. Where that is a second-order one a few sweeps are tried before,
// and if it gives up, others go on from the best answer so far. The limits of the settings hold for all together.
void solveByChoice(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& workspace,
                   Solution& solution);

}  // namespace talus
