// Small exact minimisers behind the reaction sets: a quadratic on a disc, on a friction cone, and the contact that
// obeys Coulomb's law proper.
#pragma once

#include "talus/vec3.hpp"

namespace talus {

struct PlaneVector {
    double y = 0, z = 0;
};

// Symmetric: (yy, yz; yz, zz).
struct PlaneMatrix {
    double yy = 0, yz = 0, zz = 0;
};

// The t with least 1/2 t.A t + b.t and |t| <= radius, A positive definite.
PlaneVector minimiseOnDisc(const PlaneMatrix& a, const PlaneVector& b, double radius);

// The g with least 1/2 g.W g + q.g and |g_t| <= friction g_n, W positive definite.
Vec3 minimiseOnPlainCone(double friction, const Mat3& metric, const Vec3& linear);

// The g that with u = W g + q obeys the law of Signorini and Coulomb: 0 <= u_n, 0 <= g_n, u_n g_n = 0,
// |g_t| <= mu g_n, and g_t = -mu g_n u_t/|u_t| where it slides. W may be a little unsymmetric.
Vec3 solveCoulomb(double friction, const Mat3& metric, const Vec3& linear);

}  // namespace talus
