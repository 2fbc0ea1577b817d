// One step of each method. The functions read as the method; no output, timing or policy in them.
#pragma once

#include "collision/neighbour_lists.hpp"
#include "dynamics/contact_forces.hpp"
#include "dynamics/integrate.hpp"
#include "state/world.hpp"

namespace talus {

struct StepSettings {
    double dt = 0;               // s
    Ledger ledger = Ledger::on;  // count energies by mechanism
    SphereOrientation orientation = SphereOrientation::ignored;
};

// Scratch that survives between steps; holds no state of the simulation.
struct StepWorkspace {
    NeighbourWorkspace neighbours;
    ForceWorkspace forces;
    bool planned = false;  // forces are planned for the present lists
};

// Brings lists and forces in line with the present state. Call before the first step and after a change by hand.
void prepareStep(World& world, const StepSettings& settings, StepWorkspace& workspace);

// Penalty DEM: velocity Verlet from world.time to world.time + dt.
void stepPenalty(World& world, const StepSettings& settings, StepWorkspace& workspace);

}  // namespace talus
