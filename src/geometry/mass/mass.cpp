// Volumes, moments of inertia and bounding radii of the shapes.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/mass/moments.hpp"
#include "geometry/mesh/mesh.hpp"
#include "geometry/nurbs/outline.hpp"
#include "geometry/nurbs/surface_body.hpp"
#include "geometry/shape.hpp"
#include "geometry/solids/compound.hpp"
#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

using std::numbers::pi;

// From the integrals of x^2, y^2 and z^2.
MassProperties fromSquares(double volume, const Vec3& s) { return {volume, {s.y + s.z, s.z + s.x, s.x + s.y}}; }

// The frame of a shape has its origin at the centre of mass and its axes along the principal ones.
MassProperties fromMoments(const SolidMoments& m) {
    return fromSquares(m.volume, {m.second(0, 0), m.second(1, 1), m.second(2, 2)});
}

template <OfKind<ShapeKind::wall> Wall>
MassProperties massOf(const Wall&) {
    return {};
}
template <SmoothSolid S>
MassProperties massOf(const S& s) {
    return s.massProperties();
}
MassProperties massOf(const CompoundShape& c) { return c.parts->mass; }

MassProperties massOf(const EllipsoidShape& e) {
    const double volume = 4.0 / 3.0 * pi * e.semiAxes.x * e.semiAxes.y * e.semiAxes.z;
    return fromSquares(volume, 0.2 * volume * hadamard(e.semiAxes, e.semiAxes));
}

MassProperties massOf(const SphereShape&) { return massOf(EllipsoidShape{{1, 1, 1}}); }

// Integral of x^2 over a rounded box of half sizes a, b, c: core, slabs on the faces, quarters of cylinders along the
// edges, eighths of a ball at the corners.
double squareInBox(double a, double b, double c, double r) {
    const double r2 = r * r, r3 = r2 * r, r4 = r2 * r2;
    const double slabs = 8 * b * c * ((a + r) * (a + r) * (a + r) - a * a * a) / 3 + 8 * a * (b + c) * r * a * a / 3;
    const double along = pi * r2 * 2 * a * a * a / 3;
    const double acrossEdges = 2 * (b + c) * (pi * a * a * r2 + 8 * a * r3 / 3 + pi * r4 / 4);
    const double corners = 4 * pi * r3 * a * a / 3 + pi * a * r4 + 4 * pi * r4 * r / 15;
    return 8 * a * b * c * a * a / 3 + slabs + along + acrossEdges + corners;
}

MassProperties massOf(const BoxShape& box) {
    const auto [a, b, c] = box.halfSize;
    const double r = box.rounding;
    const double volume =
        8 * a * b * c + 8 * (a * b + b * c + c * a) * r + 2 * pi * (a + b + c) * r * r + 4.0 / 3.0 * pi * r * r * r;
    return fromSquares(volume, {squareInBox(a, b, c, r), squareInBox(b, c, a, r), squareInBox(c, a, b, r)});
}

MassProperties massOf(const ConeShape& c) { return fromMoments(momentsOf(c)); }
MassProperties massOf(const CylinderShape& c) {
    return massOf(ConeShape{c.radius, c.radius, -c.halfLength, c.halfLength, c.rounding});
}
MassProperties massOf(const CapsuleShape& c) { return massOf(ConeShape{0, 0, -c.halfLength, c.halfLength, c.radius}); }
MassProperties massOf(const PolygonShape& p) { return fromMoments(momentsOf(p)); }
MassProperties massOf(const HullShape& h) { return fromMoments(momentsOf(*h.hull, h.rounding)); }

// Integrals by Dirichlet's formula: over u, v > 0, u^e + v^e < 1 of u^(p-1) v^(q-1), and along z of s^k z^l, where the
// cross section at height z is that at 0 shrunk by s = (1 - |z/c|^m)^(1/m).
double overSection(double e, double p, double q) {
    return std::exp(std::lgamma(p / e) + std::lgamma(q / e) - std::lgamma((p + q) / e + 1)) / (e * e);
}
double alongAxis(double m, double k, double l) {
    return 2 / m * std::exp(std::lgamma((l + 1) / m) + std::lgamma(k / m + 1) - std::lgamma((l + 1 + k) / m + 1));
}

MassProperties massOf(const SuperquadricShape& s) {
    const auto [a, b, c] = s.semiAxes;
    const double e = s.equator, m = s.meridian;
    const double section = 4 * a * b * overSection(e, 1, 1), square = 4 * a * b * overSection(e, 3, 1);
    const double atFourth = c * alongAxis(m, 4, 0);
    const double volume = section * c * alongAxis(m, 2, 0);
    return fromSquares(
        volume, {square * a * a * atFourth, square * b * b * atFourth, section * c * c * c * alongAxis(m, 2, 2)});
}

MassProperties massOf(const MeshShape& m) { return m.mesh->mass; }
MassProperties massOf(const OutlineShape& s) { return massProperties(*s.outline); }
MassProperties massOf(const SurfaceShape& s) { return s.body->mass; }

template <OfKind<ShapeKind::wall> Wall>
double radiusOf(const Wall&) {
    return 0;
}
template <SmoothSolid S>
double radiusOf(const S& s) {
    return s.boundingRadius();
}
double radiusOf(const SphereShape&) { return 1; }
double radiusOf(const BoxShape& b) { return norm(b.halfSize) + b.rounding; }
double radiusOf(const CylinderShape& c) { return std::hypot(c.radius, c.halfLength) + c.rounding; }
double radiusOf(const ConeShape& c) {
    return std::max(std::hypot(c.lowRadius, c.low), std::hypot(c.highRadius, c.high)) + c.rounding;
}
double radiusOf(const CapsuleShape& c) { return c.halfLength + c.radius; }
double radiusOf(const EllipsoidShape& e) { return std::max({e.semiAxes.x, e.semiAxes.y, e.semiAxes.z}); }
double radiusOf(const PolygonShape& p) {
    double radius = 0;
    for (const auto& corner : p.corners) radius = std::max(radius, std::hypot(corner.x, corner.y));
    return radius + p.rounding;
}
double radiusOf(const HullShape& h) { return h.hull->radius + h.rounding; }
double radiusOf(const MeshShape& m) { return m.mesh->radius; }
double radiusOf(const CompoundShape& c) { return c.parts->radius; }
double radiusOf(const OutlineShape& s) { return s.outline->radius; }
double radiusOf(const SurfaceShape& s) { return s.body->radius; }

// Farthest point of |x/a|^p + |y/b|^p = 1. Above exponent 2 the curve bulges between the axes: there x^2 + y^2 under
// the constraint has the one maximum by Hoelder's inequality, else an axis is farthest.
double farthest(double a, double b, double p) {
    if (p <= 2) return std::max(a, b);
    const double q = 2 * p / (p - 2);
    return std::pow(std::pow(a, q) + std::pow(b, q), 1 / q);
}
double radiusOf(const SuperquadricShape& s) {
    return farthest(farthest(s.semiAxes.x, s.semiAxes.y, s.equator), s.semiAxes.z, s.meridian);
}

}  // namespace

MassProperties massProperties(const Shape& shape) {
    return std::visit([](const auto& s) { return massOf(s); }, shape);
}

double boundingRadius(const Shape& shape) {
    return std::visit([](const auto& s) { return radiusOf(s); }, shape);
}

}  // namespace talus
