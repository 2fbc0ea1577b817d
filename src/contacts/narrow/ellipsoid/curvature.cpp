#include "contacts/narrow/ellipsoid/curvature.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

double volumeOfCore(const ConvexHull& hull) {
    double volume = 0;
    for (const ConvexHull::Face& face : hull.faces) {
        Vec3 area;
        for (std::size_t k = 2; k < face.corners.size(); ++k) {
            const Vec3& corner = hull.corners[face.corners[0]];
            area += cross(hull.corners[face.corners[k - 1]] - corner, hull.corners[face.corners[k]] - corner);
        }
        volume += face.distance * norm(area) / 6;
    }
    return volume;
}

double ownCurvature(const Curvature& c, const SizedShape& s) {
    if (c.kind == Curvature::Kind::round) return c.mean;
    return c.kind == Curvature::Kind::sharp ? ballCurvature(s) : 0;
}

}  // namespace

double ballRadius(const Shape& solid) {
    const auto* hull = std::get_if<HullShape>(&solid);
    if (hull == nullptr) return equivalentRadius(solid);
    return std::cbrt(0.75 * volumeOfCore(*hull->hull) / std::numbers::pi) + hull->rounding;
}

double ballCurvature(const SizedShape& s) {
    if (s.shape == nullptr || isWall(*s.shape)) return 0;
    return 1 / (s.ball > 0 ? s.ball : s.scale * ballRadius(*s.shape));
}

double meanCurvature(const SuperquadricShape& s, const Vec3& point, double ball) {
    const double e = s.equator, m = s.meridian;
    const double x = std::abs(point.x / s.semiAxes.x), y = std::abs(point.y / s.semiAxes.y),
                 z = std::abs(point.z / s.semiAxes.z);
    // First and second derivatives of F = r^m + z^m with r^e = x^e + y^e, by x, y, z.
    const double re = std::pow(x, e) + std::pow(y, e), r = std::pow(re, 1 / e);
    const double fr = m * std::pow(r, m - 1), frr = m * (m - 1) * std::pow(r, m - 2);
    const double rx = std::pow(x / r, e - 1), ry = std::pow(y / r, e - 1);
    const double rxx = (e - 1) * (std::pow(x / r, e - 2) / r - rx * rx / r);
    const double ryy = (e - 1) * (std::pow(y / r, e - 2) / r - ry * ry / r), rxy = -(e - 1) * rx * ry / r;
    const Vec3 inverse{1 / s.semiAxes.x, 1 / s.semiAxes.y, 1 / s.semiAxes.z};
    const Vec3 g = hadamard(inverse, {fr * rx, fr * ry, m * std::pow(z, m - 1)});
    const double hxx = inverse.x * inverse.x * (frr * rx * rx + fr * rxx);
    const double hyy = inverse.y * inverse.y * (frr * ry * ry + fr * ryy);
    const double hxy = inverse.x * inverse.y * (frr * rx * ry + fr * rxy);
    const double hzz = inverse.z * inverse.z * m * (m - 1) * std::pow(z, m - 2);
    const double gg = normSquared(g);
    const double along = g.x * g.x * hxx + g.y * g.y * hyy + g.z * g.z * hzz + 2 * g.x * g.y * hxy;
    const double mean = (gg * (hxx + hyy + hzz) - along) / (2 * gg * std::sqrt(gg));
    return std::isfinite(mean) ? std::clamp(mean, 0.1 * ball, 10 * ball) : ball;
}

double contactRadius(const Curvature& a, const SizedShape& shapeA, const Curvature& b, const SizedShape& shapeB) {
    const bool someRound = a.kind == Curvature::Kind::round || b.kind == Curvature::Kind::round;
    const double sum =
        someRound ? ownCurvature(a, shapeA) + ownCurvature(b, shapeB) : ballCurvature(shapeA) + ballCurvature(shapeB);
    return 1 / sum;
}

}  // namespace talus
