#include "bench/mesh_floor.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "bench/core_time.hpp"
#include "geometry/mesh/mesh.hpp"
#include "laws/pair_law.hpp"
#include "measure/contact_sample.hpp"
#include "step/step.hpp"

namespace talus {
namespace {

constexpr double spacing = 0.01, radius = 0.505 * spacing;  // m
constexpr int squares = 224;                                // of two triangles, along each side of the floor
constexpr double dt = 1e-6;                                 // s
constexpr double speed = 1;                                 // m/s, at most along each axis
constexpr int steps = 5;                                    // per round

struct Heap {
    const char* name;
    int width, height;  // spheres along each side, and layers
};
constexpr Heap heaps[] = {{"block", 46, 47}, {"layer", 316, 1}};

// Waves as long as three spheres, so that spheres of the lowest layer lie a little in it, and in places on two sides.
MeshFile wavyFloor(double width) {
    MeshFile file{.name = "floor", .corners = {}, .triangles = {}, .lines = {}};
    const double step = width / squares, wave = 2 * 3.141592653589793 / (3 * spacing);
    for (int row = 0; row <= squares; ++row) {
        for (int k = 0; k <= squares; ++k) {
            const double x = k * step, y = row * step;
            file.corners.push_back({x, y, -radius + 0.05 * radius * (1 + std::sin(wave * x) * std::sin(wave * y))});
        }
    }
    const auto corner = [](int k, int row) { return static_cast<std::uint32_t>(row * (squares + 1) + k); };
    for (int row = 0; row < squares; ++row) {
        for (int k = 0; k < squares; ++k) {
            file.triangles.push_back({corner(k, row), corner(k + 1, row), corner(k + 1, row + 1)});
            file.triangles.push_back({corner(k, row), corner(k + 1, row + 1), corner(k, row + 1)});
        }
    }
    return file;
}

WorldState makeSpheres(const Heap& heap) {
    WorldState world;
    world.gravity = {};
    const ElasticProperties elastic{.youngsModulus = 1e7, .poissonRatio = 0.3};
    world.materials.list = {{"stone", 2500, elastic.youngsModulus, elastic.poissonRatio}};
    world.materials.laws = {makePairLaw(world.materials.kinds, DampingLaw::restitution, elastic, elastic, {})};
    Random random(1, 0);
    std::vector<BodyDefinition> bodies;
    for (int k = 0; k < heap.width * heap.width * heap.height; ++k) {
        const int layer = k / (heap.width * heap.width);
        const Vec3 place{k % heap.width + 0.5, k / heap.width % heap.width + 0.5, static_cast<double>(layer)};
        bodies.push_back({.radius = radius,
                          .position = spacing * place,
                          .velocity = random.inBox({-speed, -speed, -speed}, {speed, speed, speed})});
    }
    addGrains(world, bodies);
    return world;
}

void addFloor(const Heap& heap, WorldState& world) {
    const MeshInPlace floor = makeSurface(wavyFloor(heap.width * spacing));
    const std::uint16_t shapeNumber = world.shapes.add(floor.shape);
    addBody(world, {.shape = shapeNumber,
                    .radius = boundingRadius(world.shapes[shapeNumber]),
                    .position = floor.pose.position,
                    .orientation = floor.pose.orientation,
                    .fixed = true});
}

struct Cost {
    double step = 1e30, rebuild = 1e30;  // s
    double contacts = 0;
};

Cost measure(WorldState& world, int rounds) {
    StepWorkspace workspace;
    const StepSettings settings{.dt = dt, .ledger = Ledger::off};
    prepareStep(world, settings, workspace);
    stepPenalty(world, settings, workspace);
    Cost best;
    for (int round = 0; round < rounds; ++round) {
        best.step = std::min(best.step, secondsOf([&] {
                                            for (int k = 0; k < steps; ++k) stepPenalty(world, settings, workspace);
                                        }) / steps);
        WorldState copy = world;
        NeighbourWorkspace neighbours = workspace.neighbours;
        best.rebuild = std::min(best.rebuild, secondsOf([&] { rebuildLists(copy, neighbours); }));
    }
    best.contacts = static_cast<double>(sampleContacts(world).size());
    return best;
}

BenchResult resultOf(const char* heap, const char* what, std::size_t spheres, double with, double without) {
    BenchResult r;
    r.name = fmt::format("mesh/{}/{}", heap, what);
    r.n = spheres;
    r.value = static_cast<double>(spheres) / with;
    r.unit = "spheres/s";
    r.peer = "spheres alone";
    r.peerValue = static_cast<double>(spheres) / without;
    r.ratio = r.value / r.peerValue;
    return r;
}

}  // namespace

std::vector<BenchResult> measureMeshFloor(int rounds) {
    setThreadCount(1);
    std::vector<BenchResult> results;
    for (const Heap& heap : heaps) {
        WorldState alone = makeSpheres(heap), onFloor = makeSpheres(heap);
        addFloor(heap, onFloor);
        const Cost without = measure(alone, rounds), with = measure(onFloor, rounds);
        const std::size_t spheres = alone.bodies.grainCount;
        results.push_back(resultOf(heap.name, "step", spheres, with.step, without.step));
        results.back().contactsPerItem = (with.contacts - without.contacts) / static_cast<double>(spheres);
        results.push_back(resultOf(heap.name, "rebuild", spheres, with.rebuild, without.rebuild));
    }
    return results;
}

}  // namespace talus
