// Which solver suits a problem: what `solver: auto` stands for (docs/solvers.md).
#pragma once

#include "solvers/solver.hpp"

namespace talus {

struct SolverChoice {
    SolverKind solver;
    std::string_view reason;
};

SolverChoice chooseSolver(const ContactProblem& problem, const SolverSettings& settings);

}  // namespace talus
