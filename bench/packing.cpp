#include "bench/packing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "laws/pair_law.hpp"
#include "step/step.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double diameter = 1e-3, density = 2500;  // m, kg/m^3
constexpr int tileEdge = 22;

// Settling. The steps are as long as the contacts bear, ten times those of the measurement.
constexpr double settleStep = 1e-5;  // s
constexpr double fallTime = 0.05;    // s without drag, enough for a lattice of 22 layers to collapse
constexpr double drag = 300;         // 1/s, afterwards
constexpr double longestRest = 0.2;  // s with drag at most
constexpr double atRest = 3e-5;      // -, unrest() of a settled packing: what is left is single loose grains

void slowDown(Bodies& bodies, double factor) {
    for (std::size_t i = 0; i < bodies.grainCount; ++i) {
        bodies.velocity[i] *= factor;
        bodies.spin[i] *= factor;
    }
}

void settle(WorldState& world) {
    StepWorkspace workspace;
    const StepSettings settings{.dt = settleStep, .ledger = Ledger::off};
    prepareStep(world, settings, workspace);
    const double factor = std::exp(-drag * settleStep);
    while (world.time < fallTime) stepPenalty(world, settings, workspace);
    while (unrest(world) > atRest) {
        if (world.time > fallTime + longestRest) throw RunError("bench: the packing does not come to rest");
        for (int k = 0; k < 100; ++k) {
            stepPenalty(world, settings, workspace);
            slowDown(world.bodies, factor);
        }
    }
}

// In the order of the ids, so that it is the order of the lattice and not that of the last sorting.
std::vector<StartGrain> restingGrains(const Bodies& bodies, std::uint32_t firstId) {
    std::vector<StartGrain> grains(bodies.grainCount);
    for (std::size_t i = 0; i < bodies.grainCount; ++i) grains[bodies.id[i] - firstId].position = bodies.position[i];
    return grains;
}

}  // namespace

std::uint64_t PackingPlan::grainCount() const {
    return static_cast<std::uint64_t>(edge) * edge * edge * copies * copies;
}

PackingPlan planPacking(std::uint64_t requested) {
    const auto grains = static_cast<double>(requested);
    const int edge = std::clamp(static_cast<int>(std::lround(std::cbrt(grains))), 1, tileEdge);
    if (edge < tileEdge) return {edge, 1};
    const double tiles = grains / (tileEdge * tileEdge * tileEdge);
    const int fewer = std::max(1, static_cast<int>(std::sqrt(tiles)));
    const bool roundUp = (fewer + 1) * (fewer + 1) - tiles < tiles - fewer * fewer;
    return {edge, roundUp ? fewer + 1 : fewer};
}

// Lattice apart enough not to overlap after the jitter, and looser upwards so that it has room to collapse.
StartState makePackingLattice(int edge) {
    const double across = 1.02 * diameter, up = 1.10 * diameter;
    StartState start{
        .tileSize = {edge * across, edge * across, edge * up + 2 * diameter}, .diameter = diameter, .density = density};
    Random random(12345, 0);
    const Vec3 jitter = diameter * Vec3{0.0095, 0.0095, 0.045}, speed{0.075, 0.075, 0.075};
    for (int k = 0; k < edge; ++k) {
        for (int j = 0; j < edge; ++j) {
            for (int i = 0; i < edge; ++i) {
                const Vec3 site{(i + 0.5) * across, (j + 0.5) * across, (k + 0.6) * up};
                // Random velocities break the columns of the lattice.
                start.tile.push_back({site + random.inBox(-jitter, jitter), random.inBox(-speed, speed), {}});
            }
        }
    }
    return start;
}

std::vector<StartGrain> settleGrains(const StartState& lattice) {
    WorldState world = makePackingWorld(lattice);
    settle(world);
    const std::uint32_t firstGrain = 1;  // the box has id 0
    return restingGrains(world.bodies, firstGrain);
}

WorldState makePackingWorld(const StartState& start) {
    WorldState world;
    const ElasticProperties elastic{.youngsModulus = 1e7, .poissonRatio = 0.3};
    const ContactProperties contact{.friction = 0.5, .restitution = 0.5};
    world.materials.list.push_back({"grains", start.density, elastic.youngsModulus, elastic.poissonRatio});
    world.materials.laws.push_back(
        makePairLaw(world.materials.kinds, DampingLaw::restitution, elastic, elastic, contact));
    const Vec3 half = 0.5 * start.size();
    const std::uint16_t box = world.shapes.add(BoxWall{half, {false, false, false, false, false, true}});
    addBody(world, {.shape = box, .position = half});
    placeGrains(start, world);
    return world;
}

double unrest(const WorldState& world) {
    const Bodies& b = world.bodies;
    double energyPerMass = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) energyPerMass += 0.5 * normSquared(b.velocity[i]);
    return energyPerMass / static_cast<double>(b.grainCount) / (norm(world.gravity) * diameter);
}

}  // namespace talus
