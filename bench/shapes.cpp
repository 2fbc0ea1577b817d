#include "bench/shapes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "bench/core_time.hpp"
#include "bench/mesh_floor.hpp"
#include "geometry/solids/hull.hpp"
#include "laws/pair_law.hpp"
#include "measure/contact_sample.hpp"
#include "step/step.hpp"

namespace talus {
namespace {

constexpr int edge = 22;            // bodies along each side of the block
constexpr double spacing = 0.01;    // m
constexpr double dt = 1e-6;         // s
constexpr double speed = 1;         // m/s, and
constexpr double spin = 100;        // rad/s, at most along each axis: 1e-4 of a body's size per step
constexpr std::uint64_t steps = 5;  // per round

struct Block {
    const char* name;
    Shape shape;
    double radius;  // m, of the bounding sphere, so chosen that neighbours touch
};

std::vector<Block> blocks() {
    const std::vector<Vec3> tetrahedron{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    return {{"sphere", SphereShape{}, 0.505 * spacing},
            {"ellipsoid", EllipsoidShape{{1, 1.3, 1.6}}, 0.62 * spacing},
            {"box", BoxShape{{1, 1, 1}}, 0.75 * spacing},
            {"tetrahedron", makeHull(tetrahedron, 0).shape, 0.85 * spacing}};
}

WorldState makeBlock(const Block& block) {
    WorldState world;
    world.gravity = {};
    const ElasticProperties elastic{.youngsModulus = 1e7, .poissonRatio = 0.3};
    world.materials.list = {{"stone", 2500, elastic.youngsModulus, elastic.poissonRatio}};
    world.materials.laws = {makePairLaw(world.materials.kinds, DampingLaw::restitution, elastic, elastic, {})};
    std::uint16_t shape = 0;
    if (!std::holds_alternative<SphereShape>(block.shape)) shape = world.shapes.add(block.shape);
    Random random(1, 0);
    std::vector<BodyDefinition> bodies;
    for (int k = 0; k < edge * edge * edge; ++k) {
        const Vec3 place = spacing * Vec3{k % edge + 0.0, k / edge % edge + 0.0, k / (edge * edge) + 0.0};
        bodies.push_back({.shape = shape,
                          .radius = block.radius,
                          .position = place,
                          .orientation = rotationBy(random.inBox({-3, -3, -3}, {3, 3, 3})),
                          .velocity = random.inBox({-speed, -speed, -speed}, {speed, speed, speed}),
                          .spin = random.inBox({-spin, -spin, -spin}, {spin, spin, spin})});
    }
    addGrains(world, bodies);
    return world;
}

// Contact points with a force, and the seconds of a step and of finding them.
struct Speed {
    double contacts = 0, step = 1e30, finding = 1e30;
};

// The contacts of a step, found once more from those before it.
double secondsOfFinding(WorldState& world, const StepSettings& settings, StepWorkspace& workspace) {
    WorldState before = world;
    PointWorkspace points = workspace.points;
    stepPenalty(world, settings, workspace);
    before.bodies = world.bodies;
    return secondsOf([&] { updateContactPoints(before, 0.0, points); });
}

Speed measure(const Block& block, int rounds) {
    WorldState world = makeBlock(block);
    StepWorkspace workspace;
    const StepSettings settings{.dt = dt, .ledger = Ledger::off};
    prepareStep(world, settings, workspace);
    stepPenalty(world, settings, workspace);
    Speed best;
    for (int round = 0; round < rounds; ++round) {
        const double step = secondsOf([&] {
            for (std::uint64_t k = 0; k < steps; ++k) stepPenalty(world, settings, workspace);
        });
        best.step = std::min(best.step, step / steps);
        best.finding = std::min(best.finding, secondsOfFinding(world, settings, workspace));
    }
    best.contacts = static_cast<double>(sampleContacts(world).size());
    return best;
}

}  // namespace

std::vector<BenchResult> measureShapes(int rounds) {
    setThreadCount(1);
    std::vector<BenchResult> results;
    double spheres = 0;
    for (const Block& block : blocks()) {
        const Speed speed = measure(block, rounds);
        BenchResult r;
        r.name = fmt::format("shapes/{}", block.name);
        r.n = static_cast<std::uint64_t>(edge * edge * edge);
        r.value = speed.contacts / speed.step;
        r.unit = "contacts/s";
        r.contactsPerItem = 2 * speed.contacts / static_cast<double>(r.n);
        if (spheres == 0) {
            spheres = r.value;
        } else {
            r.peer = fmt::format("spheres; {:.0f} % of the step finds contacts", 100 * speed.finding / speed.step);
            r.peerValue = spheres;
            r.ratio = r.value / spheres;
        }
        results.push_back(r);
    }
    for (const BenchResult& r : measureMeshFloor(rounds)) results.push_back(r);
    return results;
}

}  // namespace talus
