#include "talus/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "observables/energy.hpp"
#include "observables/failure.hpp"
#include "simulation/setup.hpp"
#include "simulation/solve_statistics.hpp"
#include "talus/error.hpp"

namespace talus {

struct Simulation::State {
    Setup setup;
    StepWorkspace workspace;
    double maxOverlap = 0;

    // Looks for trouble often enough that it is found near where it began.
    static constexpr std::uint64_t stepsBetweenChecks = 100;
};

Simulation::Simulation(const Scene& scene) : state_(std::make_unique<State>()) {
    setThreadCount(static_cast<int>(scene.run.threads));
    state_->setup = setUp(scene);
    state_->workspace = makeWorkspace(state_->setup);
    state_->maxOverlap = scene.run.maxOverlap;
    prepareStep(state_->setup.world, state_->setup.step, state_->workspace);
}

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

void Simulation::advance(std::uint64_t steps) {
    World& world = state_->setup.world;
    for (std::uint64_t k = 1; k <= steps; ++k) {
        checkSolve(world, step(world, state_->setup.step, state_->workspace, StepEnd::open));
        if (k % State::stepsBetweenChecks != 0 && k != steps) continue;
        completeStep(world, state_->setup.step, state_->workspace);
        if (const auto trouble = findTrouble(world, state_->maxOverlap)) throw RunError(*trouble);
    }
}

double Simulation::time() const { return state_->setup.world.time; }
double Simulation::stepLength() const { return state_->setup.step.dt; }
std::uint64_t Simulation::stepCount() const { return state_->setup.world.step; }
const std::string& Simulation::stepReason() const { return state_->setup.choice.reason; }
std::uint64_t Simulation::stateHash() const { return talus::stateHash(state_->setup.world); }

std::vector<BodyState> Simulation::bodies() const {
    const World& w = state_->setup.world;
    const Bodies& b = w.bodies;
    std::vector<std::size_t> order(b.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return b.id[i] < b.id[j]; });
    std::vector<BodyState> result;
    result.reserve(order.size());
    for (const std::size_t i : order) {
        result.push_back({.id = b.id[i],
                          .group = w.groupNames[b.group[i]],
                          .radius = b.radius[i],
                          .mass = b.inverseMass[i] > 0 ? 1 / b.inverseMass[i] : 0.0,
                          .position = b.position[i],
                          .orientation = b.orientation[i],
                          .velocity = b.velocity[i],
                          .spin = b.spin[i],
                          .force = b.force[i],
                          .torque = b.torque[i]});
    }
    return result;
}

std::vector<ContactState> Simulation::contacts() const {
    const World& w = state_->setup.world;
    std::vector<ContactState> result;
    for (const ContactSample& c : sampleContacts(w)) {
        result.push_back({w.bodies.id[c.owner], w.bodies.id[c.partner], c.point, c.normal, c.force, c.overlap});
    }
    return result;
}

EnergyState Simulation::energy() const {
    const World& w = state_->setup.world;
    const EnergyBalance e = measureEnergy(w, sampleContacts(w));
    return {.kinetic = e.kinetic(),
            .potential = e.potential,
            .elastic = e.elastic.total(),
            .dissipated = e.dissipated.total(),
            .wallWork = e.wallWork,
            .inserted = e.inserted,
            .elasticNormal = e.elastic.normal,
            .elasticCohesion = e.elastic.cohesion,
            .elasticTangential = e.elastic.tangential,
            .dissipatedSliding = e.dissipated.sliding};
}

std::string describeScene(const Scene& scene) {
    const Setup setup = setUp(scene);
    const World& w = setup.world;
    std::string text = fmt::format("{} grains, {} walls, {} materials\n{}\n{} steps to {:.6g} s\n", w.bodies.grainCount,
                                   w.bodies.wallCount(), w.materials.list.size(), setup.choice.reason, setup.totalSteps,
                                   scene.run.time);
    for (const std::string& note : sceneNotes(scene)) text += fmt::format("note: {}\n", note);
    return text;
}

}  // namespace talus
