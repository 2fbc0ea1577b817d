// How near an iteration of quasi-static loading (step/quasi_static.cpp) is to balance, and what it does to energies.
#pragma once

#include "laws/contact_law.hpp"
#include "step/assembly/build_problem.hpp"

namespace talus {

// What is largest, and of which body.
struct Farthest {
    double distance = 0;
    std::size_t body = 0;
    Farthest& operator+=(const Farthest& other) {
        if (other.distance > distance) *this = other;
        return *this;
    }
};

// How far the answer of the problem would move a free body, its surface included, in the pseudo-time tau (s); m.
Farthest farthestMove(const WorldState& world, double tau, ProblemWorkspace& workspace);

// The largest force or couple over radius by which a free body is out of balance, N; velocities are those of the move.
Farthest largestImbalance(const WorldState& world, double tau);

// The mean force of loaded contacts, or, where there are none, the mean weight; N.
double forceScale(const WorldState& world, double tau, const ProblemWorkspace& workspace);

// What the fictitious inertia takes beyond what applyReactions() counts: bodies are stopped after each move; J.
double inertialLoss(const WorldState& world, double tau);

// J, in the springs of contacts.
StoredEnergy storedEnergy(const WorldState& world);

}  // namespace talus
