// What a camera can see of a world: spheres, grounds of planes, and the surfaces of all other bodies.
#pragma once

#include "io/results/body_surfaces.hpp"
#include "io/results/picture/depth_buffer.hpp"

namespace talus {

// What stands between the eye and the middle of an open surface (a hopper) is left out, so that one sees inside.
EyeScene makeEyeScene(const WorldState& world, const Camera& camera, const Bounds& bounds,
                      const BodySurfaces& surfaces);

// Rims of flat and open surfaces, in the world frame: what tells bodies of a planar scene apart.
std::vector<Segment> rimsOf(const BodySurfaces& surfaces);

}  // namespace talus
