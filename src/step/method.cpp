#include "step/method.hpp"

#include <algorithm>

namespace talus {
namespace {

// Rigid contacts cannot tell how far a wall is from its target.
ServoDrive driveOf(const StepMethod& method) {
    const bool rigid = std::holds_alternative<ContactDynamics>(method) && !hasElasticContacts(method);
    return rigid ? ServoDrive::force : ServoDrive::speed;
}

// Sweeps are slow to settle where contacts push beside the centres of bodies and along chains of joints, and dilation
// angles need second order.
SolverKind usualSolver(const StepMethod& method, const WorldState& world, bool dilating) {
    const auto* settings = std::get_if<ContactDynamics>(&method);
    const bool rigid = settings != nullptr && settings->contacts == ContactKind::rigid;
    const bool anySolid = std::any_of(world.shapes.begin(), world.shapes.end(), [](const Shape& shape) {
        return !isWall(shape) && !std::holds_alternative<SphereShape>(shape);
    });
    const bool slow = (rigid && anySolid) || (settings != nullptr && !world.joints.empty());
    const bool chooses = (slow && settings->fixedIterations == 0) || dilating;
    return chooses ? SolverKind::automatic : SolverKind::gaussSeidel;
}

ContactDynamicsSettings solvingOf(const StepMethod& method) {
    if (const auto* settings = std::get_if<ContactDynamics>(&method)) return *settings;
    const auto* quasiStatic = std::get_if<QuasiStatic>(&method);
    if (quasiStatic == nullptr) return {};
    ContactDynamicsSettings solving = quasiStatic->solving;
    solving.theta = 1;
    solving.tolerance = std::min(solving.tolerance, 0.01 * quasiStatic->equilibrium.tolerance);
    return solving;
}

}  // namespace

bool hasElasticContacts(const StepMethod& method) {
    if (const auto* settings = std::get_if<ContactDynamics>(&method)) return settings->contacts == ContactKind::elastic;
    return std::holds_alternative<QuasiStatic>(method);
}

ContactMemory memoryOf(const StepMethod& method, bool yielding) {
    if (isPenalty(method)) return SpringMemory{};
    if (!hasElasticContacts(method)) return RigidMemory{};
    if (yielding) return YieldingMemory{};
    return ElasticMemory{};
}

StepChoice chooseStep(const StepMethod& method, const WorldState& world, double duration) {
    const std::optional<double> given = givenStep(method);
    if (std::holds_alternative<QuasiStatic>(method)) return chooseIncrement(world, given, duration);
    if (const auto* penalty = std::get_if<Penalty>(&method)) {
        return given ? describeStep(world, *given) : chooseStep(world, penalty->stepFraction, duration);
    }
    return given ? describeRigidStep(world, *given) : chooseRigidStep(world, duration);
}

StepSettings stepSettings(const StepMethod& method, const WorldState& world, double dt, bool dilating) {
    StepSettings step;
    step.dt = dt;
    step.contactDynamics = solvingOf(method);
    if (!step.contactDynamics.solver) step.contactDynamics.solver = usualSolver(method, world, dilating);
    if (const auto* quasiStatic = std::get_if<QuasiStatic>(&method)) step.quasiStatic = quasiStatic->equilibrium;
    return step;
}

StepWorkspace makeWorkspace(const StepSettings& step, const WorldState& world) {
    StepWorkspace workspace;
    workspace.solverSettings = solverSettings(step.contactDynamics, world.seed);
    return workspace;
}

void restServos(WorldState& world) { startServos(world, ServoDrive::speed, 0); }

void beginSteps(WorldState& world, const StepMethod& method, const StepSettings& step, StepWorkspace& workspace) {
    world.epoch = {world.time, world.step};
    startServos(world, driveOf(method), step.contactDynamics.theta * step.dt);
    prepareStep(world, step, workspace);
}

}  // namespace talus
