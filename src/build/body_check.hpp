// Bodies before they enter the world, and the checks on all of them together.
//
// They come from entries, numbered by whoever plans them: one or many bodies that are described together.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "build/grain_grid.hpp"
#include "model/world.hpp"
#include "talus/error.hpp"
#include "talus/space.hpp"

namespace talus {

struct PlacedWall {
    Shape shape;
    Pose pose;
    std::size_t entry = 0;
    double mantle = 0;  // m, WallNow::radius

    WallNow form() const { return {&shape, mantle}; }
};

// Some of the grains by their bounding spheres.
struct GrainMap {
    GrainGrid grid{{}};
    std::vector<std::uint32_t> grain;  // of each sphere of the grid

    // Random fill has entered its spheres into the grid itself.
    void add(const BodyDefinition& body, std::uint32_t index) {
        if (grid.size() == grain.size()) grid.add(body.position, body.radius);
        grain.push_back(index);
    }
};

struct GrainPlan {
    std::vector<BodyDefinition> definitions;
    std::vector<std::uint32_t> entries;  // one per grain
    GrainMap balls;                      // spheres and generated grains, which keep clear of bounding spheres
    GrainMap solids;                     // single bodies of other shapes, which may be long, hollow or flat
    std::vector<PlacedWall> walls;
    std::size_t firstNew = 0;  // grains before this one are in the world already, and are not checked
};

// Those of the world, the first of entry entries[0] and so on.
std::vector<PlacedWall> wallsOf(const WorldState& world, const std::vector<std::size_t>& entries);

struct NearestFace {
    double distance;  // m, positive on the free side; infinity without walls
    std::size_t wall = 0;
};
// The nearest closed face of any wall.
NearestFace nearestFace(const std::vector<PlacedWall>& walls, const Vec3& point);

// True if a ball would touch none of the solids.
bool isClearOfSolids(const WorldState& world, const GrainPlan& grains, const Vec3& position, double radius);

// What the checks need to know of the entries.
struct PlanRules {
    double maxOverlap = 0.25;  // -, of the smaller body
    Planar planar = Planar::none;
    std::vector<BoxRegion> sources;                                // where new grains come
    std::function<std::string(std::size_t)> nameOf;                // "bodies[3]": how messages call an entry
    std::function<bool(std::size_t, std::size_t)> mayPassThrough;  // two entries that a joint lets overlap
};

// What is wrong, and with which entry or source; with the domain if its periodic edge is too short.
struct PlanError : InputError {
    enum class Part { entry, source, domain };
    PlanError(Part where, std::size_t number, const std::string& message)
        : InputError(message), part(where), index(number) {}
    Part part;
    std::size_t index;
};

// Throws PlanError for grains that overlap or coincide, stand behind a wall, outside the domain or off the plane of a
// planar scene, or whose sizes no double precision run can hold.
void checkBodies(const WorldState& world, const GrainPlan& grains, const PlanRules& rules);

// The first wall that leaves no place in a box for a ball of this radius, or nothing.
const PlacedWall* wallThatFills(const std::vector<PlacedWall>& walls, const BoxRegion& box, double radius);

}  // namespace talus
