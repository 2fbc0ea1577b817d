// The distance of two convex cores, or how deep they are in each other.
//
// With the support functions h of the cores A and B, the separation along a unit normal n (out of B) is
//     s(n) = min over A of n.x - max over B of n.y = -h_A(-n) - h_B(n),
// and the signed distance is its maximum over all n: the distance of the origin from the difference body A - B, or
// minus the depth of the origin in it. Apart: the algorithm of Gilbert, Johnson and Keerthi (GJK; IEEE J. Robotics and
// Automation 4, 1988). Overlapping: a polytope inside A - B grows at the face nearest to the origin until that face is
// one of A - B (the expanding polytope of van den Bergen, 2001). Distances of faces are signed, so that the second
// search also serves cores that just touch, where the first loses its direction.
#pragma once

#include "contacts/narrow/convex/convex_core.hpp"

namespace talus {

struct CoreDistance {
    double distance = 0;  // m, s(normal); negative: overlap
    Vec3 normal;          // unit, out of b towards a
    Vec3 onA, onB;        // m, points of the cores that are this far from each other
};

// A straight edge: a point of it and its direction (unit).
struct EdgeLine {
    Vec3 point, direction;
};
// Puts onA and onB where two edges that are not parallel are nearest to each other.
inline void placeOnEdges(const EdgeLine& a, const EdgeLine& b, CoreDistance& found) {
    const Vec3 way = b.point - a.point;
    const double cosine = dot(a.direction, b.direction), below = 1 / (1 - cosine * cosine);
    const double alongA = dot(way, a.direction), alongB = dot(way, b.direction);
    found.onA = a.point + (below * (alongA - cosine * alongB)) * a.direction;
    found.onB = b.point + (below * (cosine * alongA - alongB)) * b.direction;
}

// Searches no further than `limit`: beyond, only distance > limit is sure.
CoreDistance coreDistance(const ConvexCore& a, const ConvexCore& b, double limit);

}  // namespace talus
