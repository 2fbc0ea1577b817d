#include "step/step.hpp"

#include <algorithm>
#include <limits>

#include "model/load.hpp"
#include "model/prescribed_motion.hpp"
#include "model/servo.hpp"
#include "solvers/interior/internal_forces.hpp"
#include "step/assembly/broken_bonds.hpp"
#include "step/assembly/joint_step.hpp"
#include "step/jammed_drives.hpp"
#include "step/population.hpp"
#include "step/quasi_static.hpp"
#include "step/timed.hpp"

namespace talus {
namespace {

// Lists are rebuilt when something moved too far; the plan of the force sums goes with them.
void refreshContacts(WorldState& world, double moved, StepWorkspace& ws) {
    if (refreshLists(world, ws.neighbours, moved)) ws.planned = false;
    if (!ws.planned) planForces(world, ws.forces);
    ws.planned = true;
    updateContactPoints(world, longestNeck(world), ws.points);
}

// Forces of the contacts as they are now, memory brought to the end of a step of this length.
void computeForces(WorldState& world, double dt, const StepSettings& settings, StepWorkspace& ws) {
    computeContactForces(world, dt, settings.ledger, ws.forces);
    addShapeForces(world, dt, settings.ledger, ws.points.lost, ws.shapeForces);
}

// The same in the course of a step. Its dashpots act for the half step before this moment and the one after it, so half
// of their heat is still to come.
void computeForcesMidway(WorldState& world, double dt, const StepSettings& settings, StepWorkspace& ws) {
    DissipatedEnergy& sum = world.ledger.dissipated;
    DashpotHeat& ahead = world.ledger.ahead;
    const DashpotHeat before{sum.normalDamping, sum.tangentialDamping};
    computeForces(world, dt, settings, ws);
    const DashpotHeat half{0.5 * (sum.normalDamping - before.normal),
                           0.5 * (sum.tangentialDamping - before.tangential)};
    sum.normalDamping += ahead.normal - half.normal;
    sum.tangentialDamping += ahead.tangential - half.tangential;
    ahead = half;
}

// The contacts that may matter in a step of contact dynamics.
void refreshContacts(WorldState& world, double moved, double margin, StepWorkspace& ws) {
    refreshLists(world, ws.neighbours, moved, margin);
    updateContactPoints(world, margin, ws.points);
    loseBonds(world, ws.points.lost);
}

// By prescribed motions and by loads.
void addOuterWork(WorldState& world, double duration) {
    addWallWork(world, duration);
    addLoadWork(world, duration);
}

// Rigid contacts that slide at angles of their own surely have a solution only if none of them are wedged.
bool isWedged(const WorldState& world, const ContactProblem& p) {
    return !p.skew.empty() && !world.contacts.elastic && hasInternalForces(p);
}

// Joints are solved for twice where they bend the paths of bodies otherwise than in the last step.
SolveReport solveWithJoints(const WorldState& world, const StepSettings& s, const TimeScheme& time, StepWorkspace& ws) {
    const SolveReport first = solveContacts(ws);
    if (s.contactDynamics.fixedIterations > 0 || first.status != SolveStatus::converged) return first;
    if (!correctJointEntries(world, s.contactDynamics, time, ws.problem)) return first;
    SolveReport second = solveContacts(ws);
    second.seconds += first.seconds;
    second.iterations += first.iterations;
    return second;
}

// Where no motion satisfies contacts and drives of joints, drives give way.
SolveReport solveProblem(const WorldState& world, const StepSettings& s, const TimeScheme& time, StepWorkspace& ws,
                         std::optional<JammedDrive>& jammed) {
    SolveReport solved = solveWithJoints(world, s, time, ws);
    if (ws.solverSettings.fixedIterations > 0 || !haveJammed(world, time, ws.problem, solved)) return solved;
    const double seconds = solved.seconds;
    letDrivesGiveWay(ws.problem);
    solved = solveContacts(ws);
    solved.seconds += seconds;
    jammed = jammedDrive(world, time, ws.problem);
    return solved;
}

// Joints are fixed to bodies, spheres too.
SphereOrientation orientationIn(const WorldState& world, const StepSettings& s) {
    return world.joints.empty() ? s.orientation : SphereOrientation::tracked;
}

}  // namespace

SolverSettings solverSettings(const ContactDynamicsSettings& s, std::uint64_t seed) {
    SolverSettings solver;
    solver.kind = s.solver.value_or(SolverKind::gaussSeidel);
    solver.law = s.frictionLaw;
    solver.tolerance = s.tolerance;
    solver.maxIterations = s.maxIterations;
    solver.fixedIterations = s.fixedIterations;
    solver.gaussSeidel.sweep = s.sweep == SweepOrder::list ? SweepOrder::given : s.sweep;
    solver.gaussSeidel.seed = seed;
    solver.jacobi.relaxation = s.relaxation;
    solver.gradient.scaling = s.gradientScaling;
    return solver;
}

void prepareSolver(const WorldState& world, const ContactDynamicsSettings& settings, StepWorkspace& ws) {
    ws.solverSettings.gaussSeidel.seed = world.seed + world.step;
    if (settings.sweep != SweepOrder::list) return;
    orderByBodies(world, ws.problem);
    ws.solverSettings.gaussSeidel.order = ws.problem.order;
}

SolveReport solveContacts(StepWorkspace& ws) {
    const Solution& found = solve(ws.problem.problem, ws.problem.reactions, ws.solverSettings, ws.solver);
    ws.problem.reactions = found.reactions;
    return found.report;
}

void prepareStep(WorldState& world, const StepSettings& settings, StepWorkspace& ws) {
    completeStep(world, settings, ws);
    movePrescribed(world, world.time, 0.0);
    setLoads(world, world.time);
    setOwnForces(world, settings.ownForces);
    ws.neighbours.travel = std::numeric_limits<double>::infinity();
    if (world.contacts.memory == ContactMemory::impulses) {
        world.ledger.ahead = {};
        refreshContacts(world, 0.0, settings.quasiStatic ? 0.0 : contactMargin(world, settings.dt), ws);
        if (world.contacts.elastic && world.contacts.impulseTime == 0) {
            loadSprings(world, settings.contactDynamics.theta * settings.dt);
        }
        return;
    }
    refreshContacts(world, 0.0, ws);
    computeForces(world, 0.0, settings, ws);
    addJointForces(world, world.time, settings.dt, KnownVelocities::end, ws.joints);
}

void completeStep(WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    if (ws.kickOwed) kick(world, s.dt);
    ws.kickOwed = false;
}

StepOutcome stepPenalty(WorldState& world, const StepSettings& s, StepWorkspace& ws, StepEnd stepEnd) {
    const double end = timeAfterStep(world, s.dt);
    if (!world.sources.empty() || !world.sinks.empty() || s.ownForces) completeStep(world, s, ws);
    updatePopulation(world);
    steerServos(world, s.dt);
    setLoads(world, world.time);
    setOwnForces(world, s.ownForces);
    beginJointMove(world, ws.joints);
    const SphereOrientation orientation = orientationIn(world, s);
    const double moved =
        ws.kickOwed ? kickKickAndDrift(world, s.dt, orientation) : kickAndDrift(world, s.dt, orientation);
    ws.kickOwed = true;
    movePrescribed(world, end, s.dt);
    addOuterWork(world, 0.5 * s.dt);
    refreshContacts(world, moved, ws);
    computeForcesMidway(world, s.dt, s, ws);
    world.time = end;
    setLoads(world, end);
    setOwnForces(world, s.ownForces);
    addJointForces(world, end, s.dt, KnownVelocities::middle, ws.joints);
    endJointMove(world, ws.joints);
    addOuterWork(world, 0.5 * s.dt);
    if (stepEnd == StepEnd::complete) completeStep(world, s, ws);
    ++world.step;
    const double ofShapes = findDeepestOfShapes(world, ws.sizes).fraction;
    return {.overlap = std::max(ws.forces.deepestOverlap(), ofShapes), .moved = moved};
}

StepOutcome stepContactDynamics(WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    const double end = timeAfterStep(world, s.dt);
    const TimeScheme time{s.dt, s.contactDynamics.theta};
    updatePopulation(world);
    steerServos(world, s.dt);
    predictMotions(world, world.time, s.dt);
    setLoads(world, world.time + 0.5 * s.dt);
    setOwnForces(world, s.ownForces);
    kickByJoints(world, time, ws.problem);
    const double margin = contactMargin(world, s.dt);
    timed(ws.seconds.collision, [&] { refreshContacts(world, ws.moved, margin, ws); });
    timed(ws.seconds.assembly, [&] { buildProblem(world, s.contactDynamics, time, {margin}, ws.problem); });
    prepareSolver(world, s.contactDynamics, ws);
    std::optional<JammedDrive> jammed;
    SolveReport solved = solveProblem(world, s, time, ws, jammed);
    ws.seconds.solve += solved.seconds;
    const bool wedged = isWedged(world, ws.problem.problem);
    const CompatibleReport compatible =
        makeForcesCompatible(world, s.contactDynamics, ws.problem, ws.compatible, solved);
    ws.seconds.compatible += compatible.solve.seconds;
    predictVelocities(world, time.impulseTime());
    applyReactions(world, time, ws.problem);
    addWallWork(world, s.dt);
    ws.moved = integratePositions(world, time, orientationIn(world, s));
    addLoadWork(world, s.dt);
    addServoWork(world, s.dt, time.impulseTime());
    movePrescribed(world, end, s.dt);
    endJointStep(world, ws.problem);
    movePoints(world, s.dt);
    turnMemory(world, s.dt, ws.problem);
    world.time = end;
    ++world.step;
    return {.solve = solved,
            .contacts = ws.problem.sources.size(),
            .changeOfMotion = compatible.changeOfMotion,
            .wedged = wedged,
            .jammed = jammed,
            .overlap = findDeepestOverlap(world, ws.sizes).fraction,
            .moved = ws.moved};
}

StepOutcome step(WorldState& world, const StepSettings& settings, StepWorkspace& ws, StepEnd stepEnd) {
    if (settings.quasiStatic) return stepQuasiStatic(world, settings, ws);
    if (world.contacts.memory == ContactMemory::impulses) return stepContactDynamics(world, settings, ws);
    return stepPenalty(world, settings, ws, stepEnd);
}

}  // namespace talus
