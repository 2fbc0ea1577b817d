// Makers of solids whose centre of mass is not where the user's frame has its origin.
#pragma once

#include "geometry/shape.hpp"

namespace talus {

// Frustum of this length about the z axis, with its centre of mass at the origin. Throws InputError if a length is
// negative or not finite, or if nothing has a volume.
ConeShape makeCone(double lowRadius, double highRadius, double length, double rounding = 0);

// A convex polygon with its centre of mass at the origin and the axes of the frame in which it is given.
struct PolygonInPlace {
    PolygonShape shape;
    Pose pose;  // of the shape's frame in the frame of the corners
};

// One corner (a disc) and two (a stadium) need a rounding. Corners in the order of the clock are turned round. Throws
// InputError that names the corner if one is not finite, repeats its neighbour, lies straight between its neighbours,
// or makes the polygon bend inward or wind round more than once.
PolygonInPlace makePolygon(std::vector<PolygonShape::Corner> corners, double rounding = 0);

}  // namespace talus
