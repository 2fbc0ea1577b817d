// Signed distance of two boxes by their separating axes.
//
// The greatest separation of overlapping boxes is along the normal of a face of one of them or across an edge of each:
// fifteen axes (Gottschalk, Lin, Manocha, SIGGRAPH 1996). Of boxes apart the axis gives the distance if two points are
// as far apart as it tells; else, as between corners, the general search goes on.
#pragma once

#include "contacts/narrow/convex/core_distance.hpp"

namespace talus {

// The distance of the cores, sought no further than `limit`: beyond, only distance > limit is sure.
CoreDistance boxDistance(const ConvexCore& a, const ConvexCore& b, double limit);

}  // namespace talus
