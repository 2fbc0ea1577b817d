#include "bench/measure.hpp"

#include <algorithm>
#include <chrono>

#include "bench/traffic.hpp"
#include "step/step.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

void checkFinite(const Bodies& bodies) {
    for (std::size_t i = 0; i < bodies.grainCount; ++i) {
        if (isFinite(bodies.position[i]) && isFinite(bodies.velocity[i])) continue;
        throw RunError("bench: numbers went bad while measuring; the speed means nothing");
    }
}

}  // namespace

StepCounts stepsFor(std::uint64_t grains) {
    const std::uint64_t work = 20'000'000;
    return {.warmUp = 50, .measured = std::clamp<std::uint64_t>(work / std::max<std::uint64_t>(grains, 1), 50, 2000)};
}

Measurement measureSteps(WorldState& world, double dt, const StepCounts& counts) {
    StepWorkspace workspace;
    const StepSettings settings{.dt = dt, .ledger = Ledger::off, .end = StepEnd::open};
    prepareStep(world, settings, workspace);
    const auto advance = [&](std::uint64_t steps) {
        for (std::uint64_t k = 0; k < steps; ++k) stepPenalty(world, settings, workspace);
        completeStep(world, settings, workspace);
    };
    advance(counts.warmUp);

    const std::uint64_t rebuilds = world.contacts.rebuilds;
    const auto start = std::chrono::steady_clock::now();
    advance(counts.measured);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    checkFinite(world.bodies);
    const double particleSteps = static_cast<double>(world.bodies.grainCount) * static_cast<double>(counts.measured);
    return {.itemsPerSecond = particleSteps / seconds,
            .contactsPerGrain = contactsPerGrain(world),
            .bytesMovedPerItem = bytesMovedPerGrain(world, workspace),
            .rebuilds = world.contacts.rebuilds - rebuilds,
            .items = world.bodies.grainCount};
}

}  // namespace talus
