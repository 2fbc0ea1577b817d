// Signed distance of two convex polyhedra of few faces by their separating axes.
//
// The greatest separation of overlapping polyhedra is along the normal of a face of one of them, or across an edge of
// each. An edge of each makes a face of the difference body only if the arcs between the normals at them cross on the
// unit sphere (one of them taken of the opposite body): the Gauss map, as used by D. Gregorius, Game Developers
// Conference 2013. At the shortest way out the two edges are nearer to each other than the overlap along any face, so
// edges that are farther than that from the other body need no look.
#pragma once

#include "contacts/narrow/convex/core_distance.hpp"

namespace talus {

// True for pairs that are quicker searched here than in general.
bool haveFewFaces(const ConvexCore& a, const ConvexCore& b);

// The distance of the cores of two hulls with few faces, sought no further than `limit`: beyond, only > limit is sure.
CoreDistance hullDistance(const ConvexCore& a, const ConvexCore& b, double limit);

}  // namespace talus
