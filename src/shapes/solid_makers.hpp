// Cones and polygons as a user gives them, put into the frame of their centre of mass.
#pragma once

#include <vector>

#include "shapes/shape.hpp"

namespace talus {

// A frustum whose core has these radii at its low and high end; low and high are chosen so that the centre of mass,
// with the rounding, is the origin.
ConeShape makeCone(double lowRadius, double highRadius, double length, double rounding);

struct PolygonInPlace {
    PolygonShape shape;
    Pose pose;  // of the shape's frame in the frame of the corners
};

// A convex polygon from its corners in either order around; one or two corners need a rounding. Throws InputError
// naming the corner (from 0) at which it is not convex or has no angle.
PolygonInPlace makePolygon(std::vector<PolygonShape::Corner> corners, double rounding);

}  // namespace talus
