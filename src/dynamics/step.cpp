#include "dynamics/step.hpp"

#include <limits>

#include "constraints/motion.hpp"
#include "dynamics/population.hpp"

namespace talus {
namespace {

// Lists are rebuilt when something moved too far; the plan of the force sums goes with them.
void refreshContacts(World& world, double moved, StepWorkspace& ws) {
    if (refreshLists(world, ws.neighbours, moved)) ws.planned = false;
    if (!ws.planned) planForces(world, ws.forces);
    ws.planned = true;
}

}  // namespace

void prepareStep(World& world, const StepSettings& settings, StepWorkspace& ws) {
    movePrescribed(world, world.time, 0.0);
    ws.neighbours.travel = std::numeric_limits<double>::infinity();
    refreshContacts(world, 0.0, ws);
    computeContactForces(world, 0.0, settings.ledger, ws.forces);
}

void stepPenalty(World& world, const StepSettings& s, StepWorkspace& ws) {
    const double end = static_cast<double>(world.step + 1) * s.dt;
    updatePopulation(world);
    const double moved = kickAndDrift(world, s.dt, s.orientation);
    movePrescribed(world, end, s.dt);
    addWallWork(world, 0.5 * s.dt);
    refreshContacts(world, moved, ws);
    computeContactForces(world, s.dt, s.ledger, ws.forces);
    addWallWork(world, 0.5 * s.dt);
    kick(world, s.dt);
    world.time = end;
    ++world.step;
}

}  // namespace talus
