#include "simulation/setup.hpp"

#include <cmath>

#include "io/scene/build_world.hpp"
#include "observables/wall_force.hpp"

namespace talus {

std::uint64_t stepsIn(double duration, double dt) {
    const double exact = duration / dt;
    const double nearest = std::round(exact);
    return static_cast<std::uint64_t>(std::abs(exact - nearest) < 1e-6 * nearest ? nearest : std::ceil(exact));
}

namespace {

StepChoice chooseOrDescribeStep(const Scene& scene, const World& world) {
    const std::optional<double>& given = scene.run.step.value;
    if (scene.method == Method::quasiStatic) return chooseIncrement(world, given, scene.run.time);
    if (scene.method == Method::contactDynamics) {
        return given ? describeRigidStep(world, *given) : chooseRigidStep(world, scene.run.time);
    }
    return given ? describeStep(world, *given) : chooseStep(world, scene.run.stepFraction, scene.run.time);
}

}  // namespace

Setup setUp(const Scene& scene) {
    Setup setup;
    setup.world = buildWorld(scene);
    if (scene.run.skin.value) setup.world.contacts.skin = setup.world.contacts.leastSkin = *scene.run.skin.value;
    setup.choice = chooseOrDescribeStep(scene, setup.world);
    setup.step.contactDynamics = scene.contactDynamics;
    if (scene.method == Method::quasiStatic) {
        setup.step.quasiStatic = scene.quasiStatic;
        setup.step.contactDynamics.theta = 1;
        setup.step.contactDynamics.tolerance =
            std::min(scene.contactDynamics.tolerance, 0.01 * scene.quasiStatic.tolerance);
    }
    setup.step.dt = setup.choice.dt;
    setup.step.ledger = scene.run.energyLedger ? Ledger::on : Ledger::off;
    setup.step.orientation = scene.run.orientation ? SphereOrientation::tracked : SphereOrientation::ignored;
    setup.totalSteps = stepsIn(scene.run.time, setup.step.dt);
    return setup;
}

StepWorkspace makeWorkspace(const Setup& setup) {
    StepWorkspace workspace;
    workspace.solver = Solver(solverSettings(setup.step.contactDynamics, setup.world.seed));
    return workspace;
}

SeriesSettings seriesSettings(const Scene& scene, const World& world) {
    SeriesSettings settings;
    for (const MeasuredRegion& r : scene.measure.regions) settings.regions.push_back({r.name, r.box.low, r.box.high});
    for (const MeasuredPlane& p : scene.measure.planes) settings.planes.push_back({p.name, p.point, p.normal});
    if (scene.measure.walls) settings.loadGroups = findFixedGroups(world);
    settings.energy = scene.run.energyLedger;
    return settings;
}

}  // namespace talus
