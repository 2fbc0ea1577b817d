// A hash of what a shape was made from, to tell whether a file still holds the same one.
#pragma once

#include <cstdint>

#include "geometry/shape.hpp"

namespace talus {

// A hash of the points, corners and knots of shapes that can come from files: hulls, meshes, compounds, outlines,
// surfaces. 0 of all others, which a scene describes with a few numbers of its own.
std::uint64_t digestOf(const Shape& shape);

}  // namespace talus
