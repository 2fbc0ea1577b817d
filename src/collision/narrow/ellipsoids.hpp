// Signed distance of two ellipsoids along their common normal.
//
// With E = R diag(a^2, b^2, c^2) R^T the support function is h(n) = sqrt(n.E n), and s(n) = n.d - h_A(n) - h_B(n), d
// from the centre of B to that of A. At its maximum over unit vectors the nearest points differ by s n:
//     d - E_A n/h_A - E_B n/h_B = s n.
// Newton's method on the sphere finds it; s rises in every step. It starts from n ~ (E_A/h_A + E_B/h_B)^-1 d, which
// repeated leads to the normal of the contact function of Perram and Wertheim (J. Comput. Phys. 58, 1985), the common
// normal of ellipsoids that touch. Of deep overlaps, where s has several maxima, it is the one reached from there.
// A pair that touched a step before begins at the normal it had then.
#pragma once

#include "collision/narrow/core_distance.hpp"
#include "collision/narrow/ellipsoid_search.hpp"

namespace talus {

// m^2, E in the world frame.
using EllipsoidMatrix = SymmetricOf<double>;
EllipsoidMatrix ellipsoidMatrix(const ConvexCore& body);

// Searches no further than `limit`: beyond, only distance > limit is sure. Begins at the normal `near`, if there is
// one; from the normal it found itself, it finds the same to the last bit.
CoreDistance ellipsoidDistance(const ConvexCore& a, const ConvexCore& b, double limit, const Vec3* near);

// 1/m, the mean curvature at a point of the surface: `reach` runs to it from the centre.
double ellipsoidCurvature(const ConvexCore& body, const Vec3& reach, const Vec3& normal);

}  // namespace talus
