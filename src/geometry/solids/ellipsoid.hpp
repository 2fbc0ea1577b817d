// Closed forms of the ellipsoid, for all shapes that are made of ellipsoids.
#pragma once

#include <cmath>

#include "talus/vec3.hpp"

namespace talus {

// m, its farthest point in a direction of any length > 0.
inline Vec3 ellipsoidSupport(const Vec3& semiAxes, const Vec3& direction) {
    const Vec3 w = hadamard(semiAxes, direction);
    return hadamard(semiAxes, w / norm(w));
}

// 1/m, the mean curvature where this unit vector is the outward normal. The principal radii are the eigenvalues of the
// second derivative of the support function h = sqrt(n.E n), E the squares of the semi-axes.
inline double ellipsoidCurvature(const Vec3& semiAxes, const Vec3& normal) {
    const Vec3 e = hadamard(semiAxes, semiAxes), en = hadamard(e, normal);
    const double hh = dot(normal, en), h = std::sqrt(hh);
    const double sum = (e.x + e.y + e.z) / h - normSquared(en) / (hh * h);
    const double product = e.x * e.y * e.z / (hh * hh);
    return 0.5 * sum / product;
}

}  // namespace talus
