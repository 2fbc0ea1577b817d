// Triangles that show a shape: for frames, pictures, and coarse checks of where a body is.
//
// Corners lie on the surface, so that the mesh of a convex shape is inside of it and its volume grows to that of the
// shape as the steps get finer. Flat faces are exact at any fineness. Meshes of solids are closed; compounds are the
// meshes of their parts, which may cross; polygons of planar scenes are flat, in their plane z = 0. Walls have none.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/shape.hpp"

namespace talus {

struct SurfaceTriangles {
    std::vector<Vec3> corners;                            // m
    std::vector<std::array<std::uint32_t, 3>> triangles;  // against the clock seen from outside
};

// steps: parts into which a quarter of a circle is cut, at least 1. Of scale 1, in the frame of the shape.
SurfaceTriangles tessellate(const Shape& shape, int steps);

// Signed volume inside a closed mesh, m^3.
double enclosedVolume(const SurfaceTriangles& surface);

}  // namespace talus
