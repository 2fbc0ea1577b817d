// Penalty DEM: contacts push as springs and dashpots do (laws/contact_law.hpp), bodies move by velocity Verlet
// (step/integrate.hpp).
#include <algorithm>

#include "model/load.hpp"
#include "model/prescribed_motion.hpp"
#include "model/servo.hpp"
#include "step/population.hpp"
#include "step/step.hpp"

namespace talus {
namespace {

// Lists are rebuilt when something moved too far; the plan of the force sums goes with them.
void refreshContacts(WorldState& world, double moved, StepWorkspace& ws) {
    if (refreshLists(world, ws.neighbours, moved)) ws.planned = false;
    if (!ws.planned) planForces(world, ws.forces);
    ws.planned = true;
    updateContactPoints(world, longestNeck(world), ws.points);
}

// Forces of the contacts as they are now, memory brought to the end of a step of this length, and what their dashpots
// may do in the next one.
void computeForces(WorldState& world, double dt, const StepSettings& s, StepWorkspace& ws) {
    computeContactForces(world, dt, s.ledger, ws.forces);
    addShapeForces(world, dt, s.ledger, ws.points.lost, ws.shapeForces, ws.forces.rates);
    ws.forces.held = shareOutDashpots(world, s.dt, ws.forces.rates, ws.forces.limited);
    ws.forces.limited = ws.forces.held.bodies > 0;
}

bool anyTouches(const Contacts& contacts) {
    const std::vector<TangentSpring>& springs = contacts.springs().tangent;
    return std::any_of(springs.begin(), springs.end(), [](const TangentSpring& s) { return s.contactRadius > 0; });
}

// What dashpots will turn into heat in the half step that begins now: by the law for a whole step, on a copy in which
// nothing has been displaced.
DashpotHeat heatAhead(const WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    if (s.ledger == Ledger::off || !anyTouches(world.contacts)) return {};
    WorldState still = world;
    still.ledger = {};
    std::fill(still.bodies.midVelocity.begin(), still.bodies.midVelocity.end(), Vec3{});
    std::fill(still.bodies.midSpin.begin(), still.bodies.midSpin.end(), Vec3{});
    computeForces(still, s.dt, s, ws);
    return {0.5 * still.ledger.dissipated.normalDamping, 0.5 * still.ledger.dissipated.tangentialDamping};
}

DashpotHeat heatSoFar(const WorldState& world) {
    const DissipatedEnergy& sum = world.ledger.dissipated;
    return {sum.normalDamping, sum.tangentialDamping};
}

// The dashpots of a step act for the half step before its forces are found and the one after it: half of the heat since
// then is still to come, and what was to come before has come.
void leaveHalfAhead(WorldState& world, const DashpotHeat& before) {
    DissipatedEnergy& sum = world.ledger.dissipated;
    DashpotHeat& ahead = world.ledger.ahead;
    const DashpotHeat half{0.5 * (sum.normalDamping - before.normal),
                           0.5 * (sum.tangentialDamping - before.tangential)};
    sum.normalDamping += ahead.normal - half.normal;
    sum.tangentialDamping += ahead.tangential - half.tangential;
    ahead = half;
}

// What comes and goes, and what the program does, are told of bodies at the end of a step.
bool needsCompleteSteps(const WorldState& world, const StepSettings& s) {
    return !world.sources.empty() || !world.sinks.empty() || s.ownForces;
}

}  // namespace

void preparePenalty(WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    refreshContacts(world, 0.0, ws);
    computeForces(world, 0.0, s, ws);
    if (ws.forces.limited) computeForces(world, 0.0, s, ws);  // again, with the shares that are known now
    addJointForces(world, world.time, s.dt, KnownVelocities::end, ws.joints);
    world.ledger.ahead = heatAhead(world, s, ws);
}

void completeStep(WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    if (ws.kickOwed) kick(world, s.dt);
    ws.kickOwed = false;
}

StepOutcome stepPenalty(WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    const double end = timeAfterStep(world, s.dt);
    if (needsCompleteSteps(world, s)) completeStep(world, s, ws);
    updatePopulation(world);
    steerServos(world, s.dt);

    // Half a kick with the forces of the last step, and the drift.
    setLoads(world, world.time);
    setOwnForces(world, s.ownForces);
    beginJointMove(world, ws.joints);
    const SphereOrientation orientation = orientationIn(world, s);
    const double moved =
        ws.kickOwed ? kickKickAndDrift(world, s.dt, orientation) : kickAndDrift(world, s.dt, orientation);
    movePrescribed(world, end, s.dt);
    addOuterWork(world, 0.5 * s.dt);

    // The forces there.
    refreshContacts(world, moved, ws);
    const DashpotHeat before = heatSoFar(world);
    computeForces(world, s.dt, s, ws);
    leaveHalfAhead(world, before);
    world.time = end;
    setLoads(world, end);
    setOwnForces(world, s.ownForces);
    addJointForces(world, end, s.dt, KnownVelocities::middle, ws.joints);
    endJointMove(world, ws.joints);
    addOuterWork(world, 0.5 * s.dt);

    // The other half of the kick.
    ws.kickOwed = true;
    if (s.end == StepEnd::complete) completeStep(world, s, ws);
    ++world.step;
    return {.held = ws.forces.held, .moved = moved};
}

}  // namespace talus
