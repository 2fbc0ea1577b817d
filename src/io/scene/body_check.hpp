// The bodies of a scene before they enter the world, and the checks on all of them together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/scene/grain_grid.hpp"
#include "state/world.hpp"
#include "talus/scene.hpp"

namespace talus {

struct PlacedWall {
    Shape shape;
    Pose pose;
    std::size_t entry = 0;  // in Scene::bodies
};

struct GrainPlan {
    std::vector<BodyDefinition> definitions;
    std::vector<std::uint32_t> entries;  // in Scene::bodies, one per grain
    GrainGrid grid{{}};                  // every grain, same indices
    std::vector<PlacedWall> walls;
    std::string list = "bodies";  // path of the entries in the scene
};

std::vector<PlacedWall> wallsOf(const World& world, const std::vector<std::size_t>& entries);

struct NearestFace {
    double distance;  // m, positive on the free side; infinity without walls
    std::size_t wall = 0;
};
// The nearest closed face of any wall.
NearestFace nearestFace(const std::vector<PlacedWall>& walls, const Vec3& point);

// Throws InputError for grains that overlap or coincide, stand behind a wall, outside the domain or off the plane of a
// planar scene, or whose sizes no double precision run can hold.
void checkBodies(const Scene& scene, const Domain& domain, const GrainPlan& grains);

// Throws an InputError for a path of the scene, with its line.
[[noreturn]] void failAt(const Scene& scene, const std::string& path, const std::string& message);

}  // namespace talus
