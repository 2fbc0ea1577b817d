// The bodies of a scene before they enter the world, and the checks on all of them together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "build/grain_grid.hpp"
#include "model/world.hpp"
#include "talus/scene.hpp"

namespace talus {

struct PlacedWall {
    Shape shape;
    Pose pose;
    std::size_t entry = 0;  // in Scene::bodies
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
    std::vector<std::uint32_t> entries;  // in Scene::bodies, one per grain
    GrainMap balls;                      // spheres and generated grains, which keep clear of bounding spheres
    GrainMap solids;                     // single bodies of other shapes, which may be long, hollow or flat
    std::vector<PlacedWall> walls;
    std::string list = "bodies";  // path of the entries in the scene
};

std::vector<PlacedWall> wallsOf(const WorldState& world, const std::vector<std::size_t>& entries);

struct NearestFace {
    double distance;  // m, positive on the free side; infinity without walls
    std::size_t wall = 0;
};
// The nearest closed face of any wall.
NearestFace nearestFace(const std::vector<PlacedWall>& walls, const Vec3& point);

// True if a ball would touch none of the solids.
bool isClearOfSolids(const WorldState& world, const GrainPlan& grains, const Vec3& position, double radius);

// Throws InputError for grains that overlap or coincide, stand behind a wall, outside the domain or off the plane of a
// planar scene, or whose sizes no double precision run can hold.
void checkBodies(const Scene& scene, const WorldState& world, const GrainPlan& grains);

// The first wall that leaves no place in a box for a ball of this radius, or nothing.
const PlacedWall* wallThatFills(const std::vector<PlacedWall>& walls, const BoxRegion& box, double radius);

// Throws an InputError for a path of the scene, with its line.
[[noreturn]] void failAt(const Scene& scene, const std::string& path, const std::string& message);

}  // namespace talus
