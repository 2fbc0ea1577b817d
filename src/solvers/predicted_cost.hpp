// What solvers will cost on a problem, told from its size and kind before they run: for choosing among them.
//
// In microseconds of one core of the machine they were fitted on (docs/solvers.md); only their ratios count, and these
// hardly depend on the machine. They depend on nothing but the problem, so that a choice is always the same.
#pragma once

#include "talus/problem.hpp"

namespace talus {

// One sweep of Gauss-Seidel.
double predictedSweep(const ContactProblem& problem);

// One iteration of a second-order solver: factors, and what is done with them.
double predictedFactorisation(const ContactProblem& problem);

}  // namespace talus
