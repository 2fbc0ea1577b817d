// Signed distance of two boxes by their separating axes.
//
// The greatest separation of overlapping boxes is along the normal of a face of one of them or across an edge of each:
// fifteen axes (Gottschalk, Lin, Manocha, SIGGRAPH 1996). Boxes apart go on to the general search, where their corners
// may be nearer than any axis tells.
#pragma once

#include "collision/narrow/core_distance.hpp"

namespace talus {

// Of the cores. Searches no further than `limit`: beyond, only distance > limit is sure.
CoreDistance boxDistance(const ConvexCore& a, const ConvexCore& b, double limit);

}  // namespace talus
