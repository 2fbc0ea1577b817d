// Distance of a point from the core of a convex solid, in closed form or by a safeguarded root.
#pragma once

#include "contacts/narrow/ellipsoid/curvature.hpp"

namespace talus {

// All at scale 1 in the frame of the shape.
struct PointDistance {
    double distance = 0;  // m, negative inside
    Vec3 normal;          // unit, of the core at the nearest point, outward
    Curvature curvature;  // of the solid (with its rounding) there
};

// Solids without a closed form have that of core_distance.hpp.
inline bool hasPointDistance(const Shape& solid) { return factsOf(solid).hasPointDistance; }
PointDistance pointDistance(const Shape& solid, const Vec3& point);

// The nearest point of an ellipsoid to a point inside or outside.
Vec3 nearestOnEllipsoid(const Vec3& semiAxes, const Vec3& point);

}  // namespace talus
