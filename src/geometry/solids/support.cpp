#include "geometry/solids/support.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "geometry/solids/ellipsoid.hpp"
#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

double withSign(double size, double sign) { return std::copysign(size, sign); }

Vec3 supportOf(const SphereShape&, const Vec3&) { return {}; }

Vec3 supportOf(const CapsuleShape& c, const Vec3& d) { return {0, 0, withSign(c.halfLength, d.z)}; }

Vec3 supportOf(const BoxShape& b, const Vec3& d) {
    return {withSign(b.halfSize.x, d.x), withSign(b.halfSize.y, d.y), withSign(b.halfSize.z, d.z)};
}

// The point of a circle about the z axis; straight along the axis all lie equally far.
Vec3 onCircle(double radius, double z, const Vec3& d) {
    const double across = std::sqrt(d.x * d.x + d.y * d.y);
    const double s = across > 0 ? radius / across : 0;
    return {s * d.x, s * d.y, z};
}

Vec3 supportOf(const CylinderShape& c, const Vec3& d) { return onCircle(c.radius, withSign(c.halfLength, d.z), d); }

Vec3 supportOf(const ConeShape& c, const Vec3& d) {
    const double across = std::sqrt(d.x * d.x + d.y * d.y);
    const bool high = c.highRadius * across + c.high * d.z > c.lowRadius * across + c.low * d.z;
    return high ? onCircle(c.highRadius, c.high, d) : onCircle(c.lowRadius, c.low, d);
}

Vec3 supportOf(const EllipsoidShape& e, const Vec3& d) { return ellipsoidSupport(e.semiAxes, d); }

// Point of |x|^p + |y|^p = 1 farthest along (wx, wy) >= 0, and how far: the dual norm (Hoelder).
struct OnUnitCurve {
    double x, y, reach;
};
OnUnitCurve farthestOnUnitCurve(double wx, double wy, double p) {
    const double largest = std::max(wx, wy);
    if (largest == 0) return {1, 0, 0};
    if (p == 1) return wx >= wy ? OnUnitCurve{1, 0, wx} : OnUnitCurve{0, 1, wy};
    const double q = p / (p - 1), u = std::pow(wx / largest, q), v = std::pow(wy / largest, q);
    const double sum = u + v;
    return {std::pow(u / sum, 1 / p), std::pow(v / sum, 1 / p), largest * std::pow(sum, 1 / q)};
}

Vec3 supportOf(const SuperquadricShape& s, const Vec3& d) {
    const Vec3 w{std::abs(s.semiAxes.x * d.x), std::abs(s.semiAxes.y * d.y), std::abs(s.semiAxes.z * d.z)};
    const OnUnitCurve equator = farthestOnUnitCurve(w.x, w.y, s.equator);
    const OnUnitCurve meridian = farthestOnUnitCurve(equator.reach, w.z, s.meridian);
    return {withSign(s.semiAxes.x * meridian.x * equator.x, d.x), withSign(s.semiAxes.y * meridian.x * equator.y, d.y),
            withSign(s.semiAxes.z * meridian.y, d.z)};
}

Vec3 supportOf(const PolygonShape& p, const Vec3& d) {
    const auto farther = [&](const auto& a, const auto& b) { return a.x * d.x + a.y * d.y < b.x * d.x + b.y * d.y; };
    const auto& corner = *std::max_element(p.corners.begin(), p.corners.end(), farther);
    return {corner.x, corner.y, 0};
}

Vec3 supportOf(const HullShape& h, const Vec3& d) { return h.hull->corners[supportCorner(*h.hull, d)]; }

template <SmoothSolid S>
Vec3 supportOf(const S& s, const Vec3& d) {
    return s.support(d);
}
template <NotOfKind<ShapeKind::convex> Other>
Vec3 supportOf(const Other&, const Vec3&) {
    ENGINE_CHECK(!"only convex solids have a support function");
    return {};
}

double rounding(const SphereShape&) { return 1; }
double rounding(const CapsuleShape& c) { return c.radius; }
template <class Other>
double rounding(const Other& shape) {
    if constexpr (requires { shape.rounding; }) return shape.rounding;
    return 0;
}

std::size_t bestOfAll(const std::vector<Vec3>& corners, const Vec3& d) {
    std::size_t best = 0;
    double reach = dot(corners[0], d);
    for (std::size_t k = 1; k < corners.size(); ++k) {
        const double r = dot(corners[k], d);
        if (r > reach) reach = r, best = k;
    }
    return best;
}

// From corner to corner along edges, always the neighbour that lies farthest: ends at the farthest of all.
std::size_t bestByClimbing(const ConvexHull& hull, const Vec3& d) {
    std::size_t best = 0;
    double reach = dot(hull.corners[0], d);
    for (bool risen = true; risen;) {
        risen = false;
        for (const std::uint32_t next : hull.around[best]) {
            const double r = dot(hull.corners[next], d);
            if (r > reach) reach = r, best = next, risen = true;
        }
    }
    return best;
}

}  // namespace

std::size_t supportCorner(const ConvexHull& hull, const Vec3& direction) {
    constexpr std::size_t few = 64;  // corners that are quicker looked through than climbed
    const bool climb = hull.corners.size() > few && hull.around.size() == hull.corners.size();
    return climb ? bestByClimbing(hull, direction) : bestOfAll(hull.corners, direction);
}

Vec3 supportPoint(const Shape& solid, const Vec3& direction) {
    return std::visit([&](const auto& s) { return supportOf(s, direction); }, solid);
}

double roundingOf(const Shape& solid) {
    return std::visit([](const auto& s) { return rounding(s); }, solid);
}

}  // namespace talus
