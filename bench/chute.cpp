#include "bench/chute.hpp"

#include <cmath>

#include "base/random.hpp"
#include "laws/pair_law.hpp"
#include "step/step.hpp"

namespace talus {
namespace {

constexpr double diameter = 1, density = 6 / M_PI;
constexpr double stiffness = 2000, normalDamping = 50;  // damping force per effective mass and speed
constexpr double effectiveMass = 0.5;                   // of two grains
constexpr double tilt = 26 * M_PI / 180;
constexpr double layerHeight = 0.92;           // as dense as the flow
constexpr double surfaceSpeed = 10.4;          // of 40 layers in steady flow
constexpr double headroom = 20;                // above the lattice
constexpr double spinUpStep = 10 * chuteStep;  // a fiftieth of the duration of a contact
constexpr double spinUpSkin = 0.3;             // long steps: fewer lists, each a little longer

// Height profile of the speed of a dense flow (Bagnold): 1 - (1 - z/h)^(3/2).
double flowSpeed(double z, double top) { return surfaceSpeed * (1 - std::pow(std::max(0.0, 1 - z / top), 1.5)); }

StartGrain latticeGrain(const ChuteSize& size, int i, int j, int layer, Random& random) {
    // Layers are staggered by half a grain; the bed is rough, what lies on it starts a little above.
    const double shift = layer % 2 == 0 ? 0.25 : 0.75;
    const Vec3 site{i + shift, j + shift, (layer + 0.5) * layerHeight};
    if (layer == 0) return {site + random.inBox({-0.1, -0.1, -0.25}, {0.1, 0.1, 0.25}), {}, {}, 1};
    const Vec3 position = site + Vec3{0, 0, 0.3} + random.inBox({-0.15, -0.15, -0.15}, {0.15, 0.15, 0.15});
    const Vec3 flow{flowSpeed(position.z, size.layers * layerHeight + 1), 0, 0};
    return {position, flow + random.inBox({-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}), {}};
}

void spinUp(WorldState& world, int steps) {
    StepWorkspace workspace;
    const StepSettings settings{.dt = spinUpStep, .ledger = Ledger::off};
    world.contacts.skin = spinUpSkin;
    prepareStep(world, settings, workspace);
    for (int k = 0; k < steps; ++k) stepPenalty(world, settings, workspace);
}

// Between two rebuilds grains may be beyond a periodic edge.
double wrapped(double x, double period) { return x - period * std::floor(x / period); }

std::vector<StartGrain> grainsOf(const WorldState& world, const Vec3& size) {
    const Bodies& b = world.bodies;
    std::vector<StartGrain> grains(b.grainCount);
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        const Vec3& p = b.position[i];
        grains[b.id[i]] = {{wrapped(p.x, size.x), wrapped(p.y, size.y), p.z},
                           b.velocity[i],
                           b.spin[i],
                           b.inverseMass[i] == 0 ? 1u : 0u};
    }
    return grains;
}

// The damping of Talus is a share of the critical one, that of the benchmark is proportional to the effective mass.
// They are made equal for two grains; at the fixed grains of the bed Talus damps by 0.7 of it.
PairLaw chuteLaw(const LawKinds& kinds) {
    const double zeta = normalDamping * effectiveMass / (2 * std::sqrt(effectiveMass * stiffness));
    const ContactProperties contact{
        .friction = 0.5, .stiffness = stiffness, .tangentialRatio = 2.0 / 7, .viscosity = zeta};
    PairLaw law = makePairLaw(kinds, DampingLaw::viscous, {}, {}, contact);
    law.tangentialDamping = 0;
    return law;
}

}  // namespace

StartState makeChuteLattice(const ChuteSize& size) {
    StartState start{.tileSize = {1.0 * size.along, 1.0 * size.across, size.layers * layerHeight + headroom},
                     .repeat = Repeat::shifted,
                     .diameter = diameter,
                     .density = density};
    Random random(4711, 0);
    for (int layer = 0; layer < size.layers; ++layer) {
        for (int j = 0; j < size.across; ++j) {
            for (int i = 0; i < size.along; ++i) start.tile.push_back(latticeGrain(size, i, j, layer, random));
        }
    }
    return start;
}

std::vector<StartGrain> flowGrains(const StartState& lattice, int steps) {
    WorldState world = makeChuteWorld(lattice);
    spinUp(world, steps);
    return grainsOf(world, lattice.tileSize);
}

WorldState makeChuteWorld(const StartState& start) {
    WorldState world;
    world.materials.kinds = {.normal = NormalLaw::hooke, .tangential = TangentialLaw::mindlin};
    world.materials.list.push_back({.name = "grains", .density = start.density});
    world.materials.laws.push_back(chuteLaw(world.materials.kinds));
    world.gravity = {std::sin(tilt), 0, -std::cos(tilt)};
    world.domain.low = {0, 0, world.domain.low.z};
    world.domain.high = {start.size().x, start.size().y, world.domain.high.z};
    world.domain.periodic = {true, true, false};
    placeGrains(start, world);
    return world;
}

}  // namespace talus
