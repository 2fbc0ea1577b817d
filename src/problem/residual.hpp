// Residuals (talus/problem.hpp) as solvers measure them, again and again.
#pragma once

#include <vector>

#include "problem/contact_problem.hpp"

namespace talus {

// w: the mean of all diagonal entries of W, 1/kg.
double meanDiagonal(const ContactProblem& problem);

// What residuals need of the diagonal of W. It is costly to find for bodies of any shape, and the same for all
// residuals of a solve.
struct Diagonals {
    double mean = 1;            // 1/kg, w
    std::vector<double> trace;  // 1/kg, of each W_ii: 3 w_i

    void measure(const ContactProblem& problem);
};

// The residuals of reactions with the velocities that belong to them (relativeVelocities()).
Residuals measureResiduals(const ContactProblem& problem, FrictionLaw law, const Diagonals& diagonals,
                           const std::vector<Vec3>& reactions, const std::vector<Vec3>& velocities);

}  // namespace talus
