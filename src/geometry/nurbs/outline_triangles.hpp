// The area inside an outline as triangles, for pictures.
#pragma once

#include "geometry/solids/tessellation.hpp"

namespace talus {

struct OutlineBody;

// Corners are the knots of the outline, which are as dense as its gap tolerance asks; triangles run against the clock.
SurfaceTriangles triangulate(const OutlineBody& outline);

}  // namespace talus
