// Contact dynamics: the contacts of a step are one contact problem (step/assembly/build_problem.hpp), its solution the
// reactions; bodies move by the theta method.
#include "model/load.hpp"
#include "model/prescribed_motion.hpp"
#include "model/servo.hpp"
#include "step/assembly/broken_bonds.hpp"
#include "step/assembly/joint_step.hpp"
#include "step/population.hpp"
#include "step/solve_again.hpp"
#include "step/step.hpp"

namespace talus {
namespace {

// The contacts that may matter in a step.
void refreshContacts(WorldState& world, double moved, double margin, StepWorkspace& ws) {
    refreshLists(world, ws.neighbours, moved, margin);
    updateContactPoints(world, margin, ws.points);
    loseBonds(world, ws.points.lost);
}

}  // namespace

void prepareContactDynamics(WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    world.ledger.ahead = {};
    world.bodies.dashpotShare.assign(world.bodies.size(), 1.0);
    refreshContacts(world, 0.0, s.quasiStatic ? 0.0 : contactMargin(world, s.dt), ws);
    if (world.contacts.areElastic() && world.contacts.impulseTime == 0) {
        loadSprings(world, s.contactDynamics.theta * s.dt);
    }
}

StepOutcome stepContactDynamics(WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    const double end = timeAfterStep(world, s.dt);
    const TimeScheme time{s.dt, s.contactDynamics.theta};
    StepOutcome outcome;
    updatePopulation(world);
    steerServos(world, s.dt);

    // What acts from outside.
    predictMotions(world, world.time, s.dt);
    setLoads(world, world.time + 0.5 * s.dt);
    setOwnForces(world, s.ownForces);
    kickByJoints(world, time, ws.problem);

    // The reactions of the contacts to it.
    const double margin = contactMargin(world, s.dt);
    refreshContacts(world, ws.moved, margin, ws);
    buildProblem(world, s.contactDynamics, time, {margin}, ws.problem);
    prepareSolver(world, s.contactDynamics, ws);
    outcome.contacts = ws.problem.candidates.size();
    outcome.solve = take(solve(ws.problem.problem, ws.problem.reactions, ws.solverSettings, ws.solver), ws.problem);
    outcome.drivesGaveWay = solveAgain(world, s, time, ws, outcome.solve);
    outcome.compatible = makeForcesCompatible(world, s.contactDynamics, ws.problem, ws.compatible, outcome.solve);

    // Bodies move with the mean velocity of the step, then have that of its end.
    predictVelocities(world, time.impulseTime());
    applyReactions(world, time, ws.problem);
    addWallWork(world, s.dt);
    outcome.moved = ws.moved = integratePositions(world, time, orientationIn(world, s));
    addLoadWork(world, s.dt);
    addServoWork(world, s.dt, time.impulseTime());
    movePrescribed(world, end, s.dt);
    endJointStep(world, ws.problem);
    movePoints(world, s.dt);
    turnMemory(world, s.dt, ws.problem);
    world.time = end;
    ++world.step;
    return outcome;
}

}  // namespace talus
