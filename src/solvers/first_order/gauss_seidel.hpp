// Nonlinear block Gauss-Seidel: contact after contact is solved exactly with the others held, until all agree.
//
// Converges for the associated law. With Coulomb's law the sweeps may go in circles, above all where friction is larger
// than about one; when the residual has not fallen for long, contacts go only 0.7 of the way (again and again, down to
// 0.3), which ends most of them. Robust, quick to a loose tolerance, slow to a tight one in large or redundant
// packings, where the number of sweeps grows with the size of the packing. To 1e-5 and less, after 800, 1600, 3200, ...
// of them the reactions leap ahead to where the last half of the sweeps pointed; compliant contacts, whose error fades
// evenly, go 1.4 times as far as they would by themselves (over-relaxation).
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
    std::vector<Vec3> before;            // reactions at the half of the sweeps
    std::vector<std::uint32_t> machine;  // of these places, contacts of bodies that are joined
    std::vector<char> joined;            // per body
    BodySweeper bodies;
    MatrixSweeper matrix;
};

// The same, but stalled as soon as the fall of the residual so far foretells more sweeps than these (0: any number).
void sweepWhileWorthwhile(const ContactProblem& problem, const SolverSettings& settings, std::uint64_t allowed,
                          SolverWorkspace& workspace, Solution& solution);

void solveGaussSeidel(const ContactProblem& problem, const SolverSettings& settings, SolverWorkspace& workspace,
                      Solution& solution);

}  // namespace talus
