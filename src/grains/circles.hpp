// Circles in and around planar figures, and convex hulls of points.
#pragma once

#include <vector>

#include "geometry/nurbs/closest_point.hpp"

namespace talus {

struct Circle {
    Vec2 centre;
    double radius = 0;
};

// Against the clock, without points on straight sides.
std::vector<Vec2> convexHull(std::vector<Vec2> points);

Circle smallestEnclosingCircle(const std::vector<Vec2>& points);

// Within a curve, surely to 2e-4 of its size and usually much better; `around` are points that hold it.
Circle largestInscribedCircle(const CurveTree& curve, const std::vector<Vec2>& around);

}  // namespace talus
