#include "build/body_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/units.hpp"
#include "build/generators.hpp"
#include "contacts/narrow/ball_touches.hpp"
#include "contacts/narrow/wall_contacts.hpp"
#include "geometry/solids/tessellation.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double largestRadiusRatio = 1e6;
// Beyond this many radii from the origin an overlap of a millionth of a radius is lost in rounding.
constexpr double largestDistanceInRadii = 1e9;

std::string at(const Vec3& p) { return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", p.x, p.y, p.z); }

class BodyCheck {
public:
    BodyCheck(const WorldState& world, const GrainPlan& grains, const PlanRules& rules)
        : world_(world), domain_(world.domain), grains_(grains), rules_(rules) {}

    void checkAll() const {
        if (grains_.definitions.empty()) return;
        checkSizes();
        checkSources();
        for (std::size_t i = grains_.firstNew; i < grains_.definitions.size(); ++i) {
            checkPlace(i);
            checkWalls(i);
            checkOverlaps(i);
        }
    }

private:
    std::string nameOfEntry(std::size_t i) const { return rules_.nameOf(grains_.entries[i]); }
    [[noreturn]] void fail(std::size_t i, const std::string& message) const {
        throw PlanError(PlanError::Part::entry, grains_.entries[i], message);
    }

    static bool isHeld(const BodyDefinition& body) { return body.fixed || body.motion != noMotion; }
    std::string ballAround(std::size_t i) const {
        if (isSphere(i)) return "the largest sphere";
        return fmt::format("the sphere around the largest body ({} in {})", withArticle(shapeName(shapeOf(i))),
                           nameOfEntry(i));
    }

    void checkSizes() const {
        const auto [smallest, largest] =
            std::minmax_element(grains_.definitions.begin(), grains_.definitions.end(),
                                [](const BodyDefinition& a, const BodyDefinition& b) { return a.radius < b.radius; });
        const auto index = static_cast<std::size_t>(largest - grains_.definitions.begin());
        if (largest->radius > largestRadiusRatio * smallest->radius) {
            const auto other = static_cast<std::size_t>(smallest - grains_.definitions.begin());
            fail(index, fmt::format("a radius of {} m beside one of {} m ({}): the ratio must be below {:.0e}",
                                    largest->radius, smallest->radius, nameOfEntry(other), largestRadiusRatio));
        }
        for (int axis = 0; axis < 3; ++axis) {
            if (!domain_.periodic[static_cast<std::size_t>(axis)]) continue;
            const double edge = domain_.high[axis] - domain_.low[axis];
            if (edge < 4 * largest->radius) {
                throw PlanError(
                    PlanError::Part::domain, 0,
                    fmt::format("the periodic edge along {} must be at least two diameters of {}, {} m, got {} m{}",
                                "xyz"[axis], ballAround(index), 4 * largest -> radius, edge,
                                isHeld(*largest) ? "; across the whole domain a plane does what a plate would" : ""));
            }
        }
    }

    void checkPlace(std::size_t i) const {
        const BodyDefinition& grain = grains_.definitions[i];
        const Vec3& p = grain.position;
        const double farthest = std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)});
        if (farthest > largestDistanceInRadii * grain.radius) {
            fail(i, fmt::format("{} at {} is too far from the origin for its size", nameOf(i), at(p)));
        }
        for (int axis = 0; axis < 3; ++axis) {
            if (p[axis] >= domain_.low[axis] && p[axis] <= domain_.high[axis]) continue;
            fail(i, fmt::format("{} at {} is outside the domain", withArticle(shapeName(shapeOf(i))), at(p)));
        }
        const int across = acrossAxis(rules_.planar);
        if (across < 0) return;
        const double plane = grains_.definitions[0].position[across];
        if (std::abs(p[across] - plane) > 1e-9 * grain.radius) {
            fail(i,
                 fmt::format("a planar scene has all bodies in one plane, but one is at {} = {} m and another at {} m",
                             "xyz"[across], p[across], plane));
        }
    }

    // Their regions are flat in a planar scene (body_rules.cpp), and in the plane of the spheres.
    void checkSources() const {
        const int across = acrossAxis(rules_.planar);
        if (across < 0) return;
        const BodyDefinition& first = grains_.definitions[0];
        for (std::size_t k = 0; k < rules_.sources.size(); ++k) {
            const double place = rules_.sources[k].low[across];
            if (std::abs(place - first.position[across]) <= 1e-9 * first.radius) continue;
            throw PlanError(
                PlanError::Part::source, k,
                fmt::format("a planar scene has all bodies in one plane, but new ones come at {} = {} m and those "
                            "of bodies are at {} m",
                            "xyz"[across], place, first.position[across]));
        }
    }

    bool isSphere(std::size_t i) const { return grains_.definitions[i].shape == 0; }
    const Shape& shapeOf(std::size_t i) const { return world_.shapes[grains_.definitions[i].shape]; }
    double scaleOfGrain(std::size_t i) const {
        return isSphere(i) ? grains_.definitions[i].radius : grains_.definitions[i].radius / boundingRadius(shapeOf(i));
    }
    // The size that an overlap is judged by.
    double sizeOf(std::size_t i) const {
        return isSphere(i) ? grains_.definitions[i].radius : scaleOfGrain(i) * equivalentRadius(shapeOf(i));
    }
    std::string nameOf(std::size_t i) const {
        if (!isSphere(i)) return withArticle(shapeName(shapeOf(i)));
        return fmt::format("a sphere of radius {} m", grains_.definitions[i].radius);
    }

    void checkWalls(std::size_t i) const {
        const BodyDefinition& grain = grains_.definitions[i];
        if (grain.fixed) return;
        NearestFace nearest = nearestFace(grains_.walls, grain.position);
        if (nearest.distance >= grain.radius) return;
        double overlap = grain.radius - nearest.distance;
        if (!isSphere(i)) {
            // The deepest of the corners of a mesh of its surface.
            const double scale = scaleOfGrain(i);
            overlap = 0;
            for (const Vec3& corner : tessellate(shapeOf(i), 8).corners) {
                const Vec3 point = grain.position + rotate(grain.orientation, scale * corner);
                const NearestFace face = nearestFace(grains_.walls, point);
                if (-face.distance <= overlap) continue;
                overlap = -face.distance;
                nearest = face;
            }
        }
        if (overlap <= rules_.maxOverlap * sizeOf(i)) return;
        const std::size_t wall = grains_.walls[nearest.wall].entry;
        if (rules_.mayPassThrough(grains_.entries[i], wall)) return;
        fail(i, fmt::format("{} at {} is {:.3g} m deep in or behind the wall {}", nameOf(i), at(grain.position),
                            overlap, rules_.nameOf(wall)));
    }

    void checkOverlaps(std::size_t i) const {
        const BodyDefinition& grain = grains_.definitions[i];
        // Each pair is seen from its smaller sphere, which has few large ones near it.
        const GrainGrid::Search search{.position = grain.position, .radius = grain.radius, .smallest = grain.radius};
        for (const GrainMap* map : {&grains_.balls, &grains_.solids}) {
            map->grid.forOverlapping(search, [&](std::uint32_t k, double overlap) {
                if (map->grain[k] != i) checkPair(i, map->grain[k], overlap);
                return true;
            });
        }
    }

    void checkPair(std::size_t i, std::size_t j, double boundingOverlap) const {
        const bool areSpheres = isSphere(i) && isSphere(j);
        const double allowed = rules_.maxOverlap * std::min(sizeOf(i), sizeOf(j));
        // Other shapes are inside of their bounding spheres: these say how far they overlap at most.
        if (boundingOverlap <= allowed) return;
        const double overlap = areSpheres ? boundingOverlap : overlapOf(i, j);
        if (overlap > allowed) failOverlap(std::max(i, j), std::min(i, j), overlap);
    }

    // The deepest point of two bodies of any shape.
    double overlapOf(std::size_t i, std::size_t j) const {
        const BodyDefinition &a = grains_.definitions[i], &b = grains_.definitions[j];
        if (a.fixed && b.fixed) return 0;  // they never push each other
        const Vec3 apart = nearestImage(b.position - a.position, domain_.period());
        std::vector<ContactPoint> points;
        findContactPoints({&shapeOf(i), scaleOfGrain(i), {{}, a.orientation}},
                          {&shapeOf(j), scaleOfGrain(j), {apart, b.orientation}}, 0, points);
        double deepest = 0;
        for (const ContactPoint& point : points) deepest = std::max(deepest, -point.gap);
        return deepest;
    }

    void failOverlap(std::size_t later, std::size_t earlier, double overlap) const {
        const BodyDefinition &a = grains_.definitions[later], &b = grains_.definitions[earlier];
        const bool coincide = a.position == b.position && a.radius == b.radius && a.shape == b.shape;
        // Two held bodies never push each other: a rough floor of overlapping fixed spheres is fine.
        if (a.fixed && b.fixed && !coincide) return;
        if (rules_.mayPassThrough(grains_.entries[later], grains_.entries[earlier])) return;
        fail(later, fmt::format("{} at {} {} one of {} at {}{}", withArticle(shapeName(shapeOf(later))), at(a.position),
                                coincide ? "coincides with" : "overlaps", nameOfEntry(earlier), at(b.position),
                                coincide ? "" : fmt::format(" by {:.3g} m", overlap)));
    }

    const WorldState& world_;
    const Domain& domain_;
    const GrainPlan& grains_;
    const PlanRules& rules_;
};

// m, that a place in the box can have from a face at most: exact for flat faces, not less for round ones.
double farthestFrom(const PlacedWall& wall, int face, const BoxRegion& box) {
    const Vec3 centre = 0.5 * (box.low + box.high), half = 0.5 * (box.high - box.low);
    const Vec3 local = rotateBack(wall.pose.orientation, centre - wall.pose.position);
    const FaceDistance at = distanceToFace(wall.form(), face, local);
    if (std::holds_alternative<CylinderWall>(wall.shape)) return at.distance + norm(half);
    const Vec3 normal = rotate(wall.pose.orientation, at.normal);
    return at.distance + dot({std::abs(normal.x), std::abs(normal.y), std::abs(normal.z)}, half);
}

}  // namespace

const PlacedWall* wallThatFills(const std::vector<PlacedWall>& walls, const BoxRegion& box, double radius) {
    for (const PlacedWall& wall : walls) {
        bool fills = false;
        forEachFace(wall.shape, [&](int face) { fills = fills || farthestFrom(wall, face, box) < radius; });
        if (fills) return &wall;
    }
    return nullptr;
}

std::vector<PlacedWall> wallsOf(const WorldState& world, const std::vector<std::size_t>& entries) {
    std::vector<PlacedWall> walls;
    const Bodies& b = world.bodies;
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const std::size_t i = b.grainCount + k;
        walls.push_back(
            {world.shapes[b.shape[i]], {b.position[i], b.orientation[i]}, entries[k], world.mantles[k].radius});
    }
    return walls;
}

NearestFace nearestFace(const std::vector<PlacedWall>& walls, const Vec3& point) {
    NearestFace nearest{std::numeric_limits<double>::infinity()};
    for (std::size_t k = 0; k < walls.size(); ++k) {
        const double distance = distanceToWall(walls[k].form(), walls[k].pose, point);
        if (distance < nearest.distance) nearest = {distance, k};
    }
    return nearest;
}

bool isClearOfSolids(const WorldState& world, const GrainPlan& grains, const Vec3& position, double radius) {
    if (!(radius > 0)) return true;
    bool isClear = true;
    grains.solids.grid.forOverlapping({.position = position, .radius = radius}, [&](std::uint32_t k, double) {
        const BodyDefinition& solid = grains.definitions[grains.solids.grain[k]];
        const Shape& shape = world.shapes[solid.shape];
        const Vec3 apart = nearestImage(position - solid.position, world.domain.period());
        isClear = !ballTouches(apart, radius, {&shape, solid.radius / boundingRadius(shape), {{}, solid.orientation}});
        return isClear;
    });
    return isClear;
}

void checkBodies(const WorldState& world, const GrainPlan& grains, const PlanRules& rules) {
    BodyCheck(world, grains, rules).checkAll();
}

}  // namespace talus
