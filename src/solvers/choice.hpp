// Which solver suits a problem: what `solver: auto` stands for (docs/solvers.md).
#pragma once

#include "talus/solver.hpp"

namespace talus {

struct SolverChoice {
    SolverKind solver;
    std::string_view reason;
};

SolverChoice chooseSolver(const ContactProblem& problem, const SolverSettings& settings);

// The chosen solver from the reactions of the solution; if that is a second-order one and gives up, others go on from
// the best answer so far. The limits of the settings hold for all together.
void solveByChoice(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& workspace,
                   Solution& solution);

}  // namespace talus
