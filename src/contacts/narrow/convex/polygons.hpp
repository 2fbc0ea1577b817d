// Distance of convex polygons in the plane of planar scenes.
#pragma once

#include "contacts/narrow/convex/core_distance.hpp"

namespace talus {

// The distance of the cores of two polygons, or of a polygon and a sphere (a point there). The plane is that of a, or
// of b if a is the sphere; the normal lies in it.
CoreDistance polygonDistance(const ConvexCore& a, const ConvexCore& b);

}  // namespace talus
