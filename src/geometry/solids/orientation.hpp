// On which side of a plane a point lies, and which way a triangle looks, however flat or thin they are.
#pragma once

#include "talus/vec3.hpp"

namespace talus {

// 1 if w is above the plane through p, q and r, which run against the clock seen from above; -1 if below; 0 if in it.
// Takes the doubles as they are, without rounding errors.
int sideOfPlane(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& w);

// (q - p) x (r - p), right to a few bits even if the three points are as good as on a line.
Vec3 preciseCross(const Vec3& p, const Vec3& q, const Vec3& r);

}  // namespace talus
