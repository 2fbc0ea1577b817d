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

template <class List>
bool counts(const WorldState& world, const List& list, std::uint32_t k) {
    return world.contacts.memory == ContactMemory::impulses || isActive(list, k);
}

DeepestOverlap deepestOfRow(const WorldState& world, const BodyView& b, const Vec3& period, std::uint32_t i) {
    DeepestOverlap deepest{.owner = i, .id = world.bodies.id[i]};
    const auto consider = [&](double overlap, double size, std::uint32_t partner) {
        if (!(overlap > deepest.fraction * size)) return;
        deepest.fraction = overlap / size;
        deepest.partner = partner;
    };
    const GrainContacts& pairs = world.contacts.grains;
    for (std::uint32_t k = pairs.rowStart[i]; k < pairs.rowStart[i + 1]; ++k) {
        if (!counts(world, pairs, k)) continue;
        const std::uint32_t j = pairs.partner[k];
        const double distance = norm(nearestImage(b.position[i] - b.position[j], period));
        consider(b.radius[i] + b.radius[j] - distance, std::min(b.radius[i], b.radius[j]), j);
    }
    const WallContacts& walls = world.contacts.walls;
    for (std::uint32_t k = walls.rowStart[i]; k < walls.rowStart[i + 1]; ++k) {
        if (!counts(world, walls, k)) continue;
        const WallCandidate& c = walls.candidate[k];
        const auto wall = static_cast<std::uint32_t>(world.bodies.grainCount + c.wall);
        const Shape& shape = world.shapes[world.bodies.shape[wall]];
        consider(b.radius[i] - wallApproach(b, shape, wall, c.face, b.position[i]).distance, b.radius[i], wall);
    }
    return deepest;
}

DeepestOverlap deepestOfPair(const WorldState& world, const ShapeSizes& sizes, std::size_t p) {
    const ShapeContacts& list = world.contacts.shapes;
    double depth = 0;
    for (std::uint32_t k = list.pointStart[p]; k < list.pointStart[p + 1]; ++k) {
        if (counts(world, list, k)) depth = std::max(depth, -list.point[k].gap);
    }
    if (depth == 0) return {};
    const ShapePair& pair = list.pair[p];
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
