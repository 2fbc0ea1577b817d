// Surfaces of all bodies that are no spheres, as triangles in the world frame: for frames and pictures.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/world.hpp"

namespace talus {

struct BodySurfaces {
    std::vector<Vec3> corners;                            // m, of one body after the other
    std::vector<std::array<std::uint32_t, 3>> triangles;  // against the clock seen from outside
    std::vector<std::uint32_t> body;                      // of each triangle, index into Bodies
};

// In order of the ids of the bodies. The more bodies, the coarser, so that the whole stays below about two million
// triangles where that is possible.
BodySurfaces bodySurfaces(const WorldState& world);

// True for grains that are shown by their surface, not as a sphere.
inline bool hasSurface(const WorldState& world, std::size_t grain) { return world.bodies.shape[grain] != 0; }
bool anySurface(const WorldState& world);

}  // namespace talus
