#include "io/results/body_surfaces.hpp"

#include <algorithm>
#include <map>

#include "geometry/solids/tessellation.hpp"

namespace talus {
namespace {

constexpr int finestSteps = 12;  // of a quarter of a circle
constexpr double mostTriangles = 2e6;

std::vector<std::uint32_t> shownBodies(const WorldState& world) {
    std::vector<std::uint32_t> bodies;
    for (std::uint32_t i = 0; i < world.bodies.grainCount; ++i) {
        if (hasSurface(world, i)) bodies.push_back(i);
    }
    std::sort(bodies.begin(), bodies.end(), [&](auto i, auto j) { return world.bodies.id[i] < world.bodies.id[j]; });
    return bodies;
}

// Round surfaces have about as many triangles as the square of the steps, 12 for a whole cube grid.
int stepsFor(std::size_t bodies) {
    const double steps = std::sqrt(mostTriangles / (12.0 * static_cast<double>(std::max<std::size_t>(1, bodies))));
    return std::clamp(static_cast<int>(steps), 2, finestSteps);
}

}  // namespace

bool anySurface(const WorldState& world) {
    const auto& shape = world.bodies.shape;
    const auto end = shape.begin() + static_cast<std::ptrdiff_t>(world.bodies.grainCount);
    return std::any_of(shape.begin(), end, [](std::uint16_t index) { return index != 0; });
}

BodySurfaces bodySurfaces(const WorldState& world) {
    const Bodies& b = world.bodies;
    const std::vector<std::uint32_t> shown = shownBodies(world);
    const int steps = stepsFor(shown.size());
    std::map<std::uint16_t, SurfaceTriangles> ofShape;  // each made once
    BodySurfaces all;
    for (const std::uint32_t i : shown) {
        const auto [found, isNew] = ofShape.try_emplace(b.shape[i]);
        if (isNew) found->second = tessellate(world.shapes[b.shape[i]], steps);
        const SurfaceTriangles& surface = found->second;
        const double scale = scaleOf(world, i);
        const auto first = static_cast<std::uint32_t>(all.corners.size());
        for (const Vec3& corner : surface.corners) {
            all.corners.push_back(b.position[i] + rotate(b.orientation[i], scale * corner));
        }
        for (const auto& [p, q, r] : surface.triangles) all.triangles.push_back({first + p, first + q, first + r});
        all.body.resize(all.triangles.size(), i);
    }
    return all;
}

}  // namespace talus
