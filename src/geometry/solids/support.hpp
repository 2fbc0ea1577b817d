// Support functions: the point of a convex solid that lies farthest in a direction.
//
// For rounded solids this is the core, the part without the rounding; spheres and capsules are rounded points and
// segments. The whole reaches farther by the rounding in every direction.
#pragma once

#include "geometry/shape.hpp"

namespace talus {

// m, at scale 1, in the frame of the shape; the direction may have any length > 0. Where an edge or a face lies
// farthest, some point of it.
Vec3 supportPoint(const Shape& solid, const Vec3& direction);

// m, at scale 1: what is added to the core.
double roundingOf(const Shape& solid);

inline bool isConvexSolid(const Shape& shape) { return factsOf(shape).kind == ShapeKind::convex; }

// The corner of a hull that lies farthest in a direction.
std::size_t supportCorner(const ConvexHull& hull, const Vec3& direction);

}  // namespace talus
