// Nonlinear block Gauss-Seidel: contact after contact is solved exactly with the others held, until all agree.
//
// Converges for the associated law. With Coulomb's law the sweeps may go in circles, above all where friction is larger
// than about one; when the residual has not fallen for long, contacts go only 0.7 of the way (again and again, down to
// 0.3), which ends most of them. Robust, quick to a loose tolerance, slow to a tight one in large or redundant
// packings, where the number of sweeps grows with the size of the packing.
//
// A machine of joined bodies among many grains is stiffer than they are, and keeps them waiting: its joints and
// contacts get sweeps of their own between those of all contacts.
#pragma once

#include "problem/residual.hpp"
#include "solvers/first_order/colouring.hpp"
#include "solvers/first_order/sweepers.hpp"
#include "solvers/stopping.hpp"

namespace talus {

struct GaussSeidelWorkspace {
    Diagonals diagonals;
    Colouring colouring;
    std::vector<std::uint32_t> order;    // contacts in the order in which the sweeper holds them
    std::vector<std::uint32_t> places;   // of the sweeper, shuffled for random sweeps
    std::vector<std::uint32_t> machine;  // of these, contacts of bodies that are joined
    std::vector<char> joined;            // per body
    BodySweeper bodies;
    MatrixSweeper matrix;
};

void solveGaussSeidel(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& workspace,
                      Solution& solution);

}  // namespace talus
