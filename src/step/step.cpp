#include "step/step.hpp"

#include "model/load.hpp"
#include "model/prescribed_motion.hpp"

namespace talus {

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

SolveReport take(const Solution& found, ProblemWorkspace& problem) {
    problem.reactions = found.reactions;
    return found.report;
}

SphereOrientation orientationIn(const WorldState& world, const StepSettings& s) {
    return world.joints.empty() ? s.orientation : SphereOrientation::tracked;
}

void addOuterWork(WorldState& world, double duration) {
    addWallWork(world, duration);
    addLoadWork(world, duration);
}

void prepareStep(WorldState& world, const StepSettings& s, StepWorkspace& ws) {
    completeStep(world, s, ws);
    movePrescribed(world, world.time, 0.0);
    setLoads(world, world.time);
    setOwnForces(world, s.ownForces);
    ws.neighbours.travel.forget();
    if (!world.contacts.keepsSprings()) {
        prepareContactDynamics(world, s, ws);
    } else {
        preparePenalty(world, s, ws);
    }
}

StepFunction* stepOf(const WorldState& world, const StepSettings& s) {
    if (s.quasiStatic) return stepQuasiStatic;
    return world.contacts.keepsSprings() ? stepPenalty : stepContactDynamics;
}

}  // namespace talus
