#include "measure/sphere_box.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace talus {
namespace {

using std::numbers::pi;

double root(double x) { return std::sqrt(std::max(0.0, x)); }

// What is left of a disc of squared radius rho2 beyond x > a and y > b, where (a, b) >= 0 is inside the disc;
// yAt is the height of the circle above x = a, xAt its reach above y = b.
double quarterPiece(double rho2, double a, double b, double yAt, double xAt) {
    const double angle = std::atan2(yAt, a) - std::atan2(b, xAt);
    return 0.5 * (rho2 * angle - a * (yAt - b) - b * (xAt - a));
}

// Unit disc, x > a and y > b.
double discCorner(double a, double b) {
    if (a < 0) return 2.0 * discCorner(0.0, b) - discCorner(-a, b);
    if (b < 0) return 2.0 * discCorner(a, 0.0) - discCorner(a, -b);
    if (a * a + b * b >= 1) return 0;
    return quarterPiece(1.0, a, b, root(1 - a * a), root(1 - b * b));
}

// Unit sphere, x > a, y > b and z > c, with (a, b, c) >= 0 inside the sphere.
double octantPiece(double a, double b, double c) {
    const double hab = root(1 - a * a - b * b), hbc = root(1 - b * b - c * c), hca = root(1 - c * c - a * a);
    const double arcA = std::atan2(hab, b) - std::atan2(c, hca);
    const double arcB = std::atan2(hbc, c) - std::atan2(a, hab);
    const double arcC = std::atan2(hca, a) - std::atan2(b, hbc);
    const double corners = std::atan2(hab, -a * b) + std::atan2(hbc, -b * c) + std::atan2(hca, -c * a);
    const double surface = 2 * pi - corners - a * arcA - b * arcB - c * arcC;
    const double faceA = quarterPiece(1 - a * a, b, c, hab, hca);
    const double faceB = quarterPiece(1 - b * b, c, a, hbc, hab);
    const double faceC = quarterPiece(1 - c * c, a, b, hca, hbc);
    return (surface - a * faceA - b * faceB - c * faceC) / 3.0;
}

double sphereCorner(double a, double b, double c) {
    if (a < 0) return 2.0 * sphereCorner(0.0, b, c) - sphereCorner(-a, b, c);
    if (b < 0) return 2.0 * sphereCorner(a, 0.0, c) - sphereCorner(a, -b, c);
    if (c < 0) return 2.0 * sphereCorner(a, b, 0.0) - sphereCorner(a, b, -c);
    if (a * a + b * b + c * c >= 1) return 0;
    return octantPiece(a, b, c);
}

double inUnits(double border, double centre, double radius) {
    return std::clamp((border - centre) / radius, -1.0, 1.0);
}

// Distance of the interval's farthest end from the centre: the box is inside the sphere if its farthest corner is.
double farthest(double low, double high, double centre) {
    return std::max(std::abs(low - centre), std::abs(high - centre));
}

}  // namespace

double sphereInBox(const Vec3& centre, double radius, const Vec3& low, const Vec3& high) {
    Vec3 near, far, reach;
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
        near[axis] = inUnits(low[axis], centre[axis], radius);
        far[axis] = inUnits(high[axis], centre[axis], radius);
        reach[axis] = farthest(low[axis], high[axis], centre[axis]);
        if (near[axis] >= far[axis]) return 0;
        inside = inside && near[axis] == -1 && far[axis] == 1;
    }
    if (inside) return 4.0 / 3.0 * pi * radius * radius * radius;
    if (norm(reach) <= radius) return (high.x - low.x) * (high.y - low.y) * (high.z - low.z);

    const auto column = [&](double a, double b) { return sphereCorner(a, b, near.z) - sphereCorner(a, b, far.z); };
    const double share = column(near.x, near.y) - column(far.x, near.y) - column(near.x, far.y) + column(far.x, far.y);
    return std::max(0.0, share) * radius * radius * radius;
}

double discInRectangle(double centreX, double centreY, double radius, const Rectangle& r) {
    const double nearX = inUnits(r.lowX, centreX, radius), farX = inUnits(r.highX, centreX, radius);
    const double nearY = inUnits(r.lowY, centreY, radius), farY = inUnits(r.highY, centreY, radius);
    if (nearX >= farX || nearY >= farY) return 0;
    if (nearX == -1 && farX == 1 && nearY == -1 && farY == 1) return pi * radius * radius;
    const double reach = std::hypot(farthest(r.lowX, r.highX, centreX), farthest(r.lowY, r.highY, centreY));
    if (reach <= radius) return (r.highX - r.lowX) * (r.highY - r.lowY);
    const double share =
        discCorner(nearX, nearY) - discCorner(farX, nearY) - discCorner(nearX, farY) + discCorner(farX, farY);
    return std::max(0.0, share) * radius * radius;
}

}  // namespace talus
