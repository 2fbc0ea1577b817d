// The functions behind the names: one row per solver.
//
// A solver is a function of a problem, settings, a workspace and a Solution, whose reactions are the guess on entry and
// the answer in the end; it fills velocities, status, iterations, residuals and history. What it can do stands in its
// traits (include/talus/solver_kind.hpp). A row needs not be in the table to be run: tests run solvers of their own.
#pragma once

#include "talus/solver.hpp"

namespace talus {

using SolveFunction = void (*)(const ContactProblem&, const SolverSettings&, SolverWorkspace&, Solution&);

struct SolverRow {
    const SolverTraits& traits;
    SolveFunction solve;
};

// Of any kind but automatic.
SolverRow rowOf(SolverKind kind);

// Throws InputError if the solver does not know such problems.
void checkAbilities(const SolverRow& row, const ContactProblem& problem, const SolverSettings& settings);

// Runs one solver from the reactions of the solution. Throws InputError if it does not know such problems.
void runSolver(const SolverRow& row, const ContactProblem& problem, const SolverSettings& settings,
               SolverWorkspace& workspace, Solution& solution);

}  // namespace talus
