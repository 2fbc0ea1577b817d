#include "measure/overlap.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "contacts/narrow/spheres.hpp"
#include "measure/contact_sample.hpp"
#include "model/size_distribution.hpp"

namespace talus {
namespace {

// Half the edge along an axis of the box with the same volume and moments of inertia: its mean square is a third of the
// square of that.
double halfEdge(const MassProperties& mass, double inertia) {
    const double meanSquare = (0.5 * (mass.inertia.x + mass.inertia.y + mass.inertia.z) - inertia) / mass.volume;
    return std::sqrt(3 * std::max(0.0, meanSquare));
}

// Flat bodies are 1 m thick, and nothing passes through them that way.
double halfWidthOf(const Shape& shape) {
    if (std::holds_alternative<SphereShape>(shape)) return 1;
    const MassProperties mass = massProperties(shape);
    if (!(mass.volume > 0)) return 0;
    const double inPlane = std::min(halfEdge(mass, mass.inertia.x), halfEdge(mass, mass.inertia.y));
    return isFlat(shape) ? inPlane : std::min(inPlane, halfEdge(mass, mass.inertia.z));
}

double sizeOfPair(const BodySize& a, const BodySize& b) {
    return std::min({a.radius, b.radius, a.halfWidth + b.halfWidth});
}

// Springs know whether they touch; impulses may be nothing where bodies overlap.
bool counts(const SpringMemory* springs, std::uint32_t k) { return springs == nullptr || springs->isActive(k); }

// How deep two spheres, or a sphere and a face, are in one another.
struct SphereOverlap {
    double depth, radius;  // m; the smaller radius
    std::uint32_t partner;
};
SphereOverlap overlapAt(const WorldState&, const BodyView& b, const Vec3& period, const SpherePair& c) {
    const double distance = norm(nearestImage(b.position[c.owner] - b.position[c.partner], period));
    const double radius = b.radius[c.owner], other = b.radius[c.partner];
    return {radius + other - distance, std::min(radius, other), c.partner};
}
SphereOverlap overlapAt(const WorldState& world, const BodyView& b, const Vec3&, const WallCandidate& c) {
    const auto wall = static_cast<std::uint32_t>(world.bodies.grainCount + c.wall);
    const double distance = wallApproach(b, wallNow(world, wall), wall, c.face, b.position[c.grain]).distance;
    return {b.radius[c.grain] - distance, b.radius[c.grain], wall};
}

DeepestOverlap deepestOfRow(const WorldState& world, const BodyView& b, const Vec3& period, std::uint32_t i) {
    DeepestOverlap deepest{.owner = i, .id = world.bodies.id[i]};
    const auto* springs = std::get_if<SpringMemory>(&world.contacts.memory);
    forEachInRow(world.contacts, i, [&]<class Candidate>(std::uint32_t k, const Candidate& candidate) {
        if constexpr (!std::is_same_v<Candidate, PointOfPair>) {
            if (!counts(springs, k)) return;
            const SphereOverlap found = overlapAt(world, b, period, candidate);
            if (!(found.depth > deepest.fraction * found.radius)) return;
            deepest.fraction = found.depth / found.radius;
            deepest.partner = found.partner;
        }
    });
    return deepest;
}

DeepestOverlap deepestOfPair(const WorldState& world, const ShapeSizes& sizes, std::size_t p) {
    const auto* springs = std::get_if<SpringMemory>(&world.contacts.memory);
    double depth = 0;
    forEachInRow(world.contacts, world.contacts.grainRows() + p,
                 [&]<class Candidate>(std::uint32_t k, const Candidate& candidate) {
                     if constexpr (std::is_same_v<Candidate, PointOfPair>) {
                         if (counts(springs, k)) depth = std::max(depth, -candidate.point.gap);
                     }
                 });
    if (depth == 0) return {};
    const ShapePair& pair = world.contacts.shapes.pair[p];
    const BodySize own = sizes.of(world, pair.a);
    const bool atWall = pair.b >= world.bodies.grainCount;
    const double size = atWall ? own.radius : sizeOfPair(own, sizes.of(world, pair.b));
    return {depth / size, pair.a, pair.b, world.bodies.id[pair.a]};
}

}  // namespace

BodySize sizeOfShape(const Shape& shape) { return {equivalentRadius(shape), halfWidthOf(shape)}; }

void ShapeSizes::update(const WorldState& world) {
    for (std::size_t k = shapes_.size(); k < world.shapes.size(); ++k) {
        const BodySize size = sizeOfShape(world.shapes[k]);
        const double bound = boundingRadius(world.shapes[k]);
        shapes_.push_back({size.radius / bound, size.halfWidth / bound});
    }
}

BodySize ShapeSizes::of(const WorldState& world, std::size_t body) const {
    const BodySize& size = shapes_[world.bodies.shape[body]];
    const double bound = world.bodies.radius[body];
    return {bound * size.radius, bound * size.halfWidth};
}

DeepestOverlap findDeepestOfShapes(const WorldState& world, ShapeSizes& sizes) {
    if (!hasContactLists(world)) return {};
    sizes.update(world);
    return parallelSum(world.contacts.shapes.pair.size(), DeepestOverlap{},
                       [&](std::size_t p) { return deepestOfPair(world, sizes, p); });
}

DeepestOverlap findDeepestOverlap(const WorldState& world, ShapeSizes& sizes) {
    if (!hasContactLists(world)) return {};
    const BodyView b = view(world.bodies);
    const Vec3 period = world.domain.period();
    DeepestOverlap deepest = parallelSum(world.bodies.grainCount, DeepestOverlap{}, [&](std::size_t i) {
        return deepestOfRow(world, b, period, static_cast<std::uint32_t>(i));
    });
    return deepest += findDeepestOfShapes(world, sizes);
}

DeepestOverlap findDeepestOverlap(const WorldState& world) {
    ShapeSizes sizes;
    return findDeepestOverlap(world, sizes);
}

double smallestHalfWidth(const WorldState& world) {
    ShapeSizes sizes;
    sizes.update(world);
    const Bodies& b = world.bodies;
    double smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (b.inverseMass[i] > 0) smallest = std::min(smallest, sizes.of(world, i).halfWidth);
    }
    for (const Source& source : world.sources) {
        const bool drawn = source.size.kind != SizeDistribution::Kind::asGiven;
        if (source.forms.empty()) smallest = std::min(smallest, smallestRadius(source.size));
        for (const GrainShare& form : source.forms) {
            const double radius = drawn ? smallestRadius(source.size) : form.equivalentRadius;
            smallest = std::min(smallest, radius * sizes.slimness(form.shape));
        }
    }
    return smallest;
}

}  // namespace talus
