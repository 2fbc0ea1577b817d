#include "contacts/narrow/point_distance.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/check.hpp"
#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

constexpr Curvature flatPlace{Curvature::Kind::flat};

// Curvature of a rounded or sharp edge (1 direction) or corner (2 directions).
Curvature rounded(double rounding, int directions) {
    if (rounding == 0) return {Curvature::Kind::sharp};
    return {Curvature::Kind::round, 0.5 * directions / rounding};
}

// From a point to the nearest one outside of which it lies.
PointDistance outward(const Vec3& offset, double length, const Curvature& curvature) {
    return {length, offset / length, curvature};
}

PointDistance distanceOf(const SphereShape&, const Vec3& p) {
    const double length = norm(p);
    const Curvature curvature{Curvature::Kind::round, 1};
    return length > 0 ? outward(p, length, curvature) : PointDistance{0, {0, 0, 1}, curvature};
}

PointDistance distanceOf(const CapsuleShape& c, const Vec3& p) {
    const double along = std::clamp(p.z, -c.halfLength, c.halfLength);
    const Vec3 offset = p - Vec3{0, 0, along};
    const double length = norm(offset);
    const Curvature curvature{Curvature::Kind::round, (along == p.z ? 0.5 : 1.0) / c.radius};
    return length > 0 ? outward(offset, length, curvature) : PointDistance{0, {1, 0, 0}, curvature};
}

PointDistance distanceOf(const BoxShape& b, const Vec3& p) {
    const Vec3 q{std::abs(p.x) - b.halfSize.x, std::abs(p.y) - b.halfSize.y, std::abs(p.z) - b.halfSize.z};
    int nearest = 0, outside = 0;
    Vec3 offset;
    for (int k = 0; k < 3; ++k) {
        if (q[k] > q[nearest]) nearest = k;
        if (q[k] > 0) offset[k] = std::copysign(q[k], p[k]), ++outside;
    }
    if (outside > 1) return outward(offset, norm(offset), rounded(b.rounding, outside - 1));
    Vec3 normal;
    normal[nearest] = std::copysign(1.0, p[nearest]);
    return {q[nearest], normal, flatPlace};
}

// A frustum in the half plane of its axis (r, z): two caps and the side between them.
struct Profile {
    double lowRadius, highRadius, low, high;
};

struct OnProfile {
    double distance, nr, nz;
    enum class Place { cap, side, rim } place;
};

OnProfile distanceFromProfile(const Profile& f, double r, double z) {
    const double rise = f.high - f.low, slope = f.highRadius - f.lowRadius, length = std::hypot(rise, slope);
    const double sr = rise / length, sz = -slope / length;  // normal of the side
    const double overHigh = z - f.high, underLow = f.low - z;
    const double beside = sr * (r - f.lowRadius) + sz * (z - f.low);
    // Along the side: 0 at the low rim, length at the high one.
    const double along = (slope * (r - f.lowRadius) + rise * (z - f.low)) / length;
    using Place = OnProfile::Place;
    if (overHigh <= 0 && underLow <= 0 && beside <= 0) {
        if (beside >= overHigh && beside >= underLow) return {beside, sr, sz, Place::side};
        return overHigh >= underLow ? OnProfile{overHigh, 0, 1, Place::cap} : OnProfile{underLow, 0, -1, Place::cap};
    }
    if (overHigh > 0 && r <= f.highRadius) return {overHigh, 0, 1, Place::cap};
    if (underLow > 0 && r <= f.lowRadius) return {underLow, 0, -1, Place::cap};
    if (beside > 0 && along >= 0 && along <= length) return {beside, sr, sz, Place::side};
    // At a rim; on the far side of an inner angle the nearer of the two.
    const double dl = std::hypot(r - f.lowRadius, z - f.low), dh = std::hypot(r - f.highRadius, z - f.high);
    return dl < dh ? OnProfile{dl, (r - f.lowRadius) / dl, (z - f.low) / dl, Place::rim}
                   : OnProfile{dh, (r - f.highRadius) / dh, (z - f.high) / dh, Place::rim};
}

PointDistance distanceOfRevolution(const Profile& f, double rounding, const Vec3& p) {
    const double r = std::hypot(p.x, p.y);
    const OnProfile on = distanceFromProfile(f, r, p.z);
    const Vec3 radial = r > 0 ? Vec3{p.x / r, p.y / r, 0} : Vec3{1, 0, 0};
    PointDistance result{on.distance, on.nr * radial + Vec3{0, 0, on.nz}, flatPlace};
    const double coreRadius = r - on.distance * on.nr, outer = coreRadius + rounding * on.nr;
    if (on.place == OnProfile::Place::side && outer > 0) {
        result.curvature = {Curvature::Kind::round, 0.5 * on.nr / outer};
    } else if (on.place == OnProfile::Place::rim) {
        result.curvature = rounded(rounding, 1);
        if (rounding > 0 && outer > 0) result.curvature.mean += 0.5 * on.nr / outer;
    }
    return result;
}

PointDistance distanceOf(const CylinderShape& c, const Vec3& p) {
    return distanceOfRevolution({c.radius, c.radius, -c.halfLength, c.halfLength}, c.rounding, p);
}
PointDistance distanceOf(const ConeShape& c, const Vec3& p) {
    return distanceOfRevolution({c.lowRadius, c.highRadius, c.low, c.high}, c.rounding, p);
}

PointDistance distanceOf(const EllipsoidShape& e, const Vec3& p) {
    const Vec3 nearest = nearestOnEllipsoid(e.semiAxes, p);
    const Vec3 s = hadamard(e.semiAxes, e.semiAxes);
    const Vec3 normal = normalized(Vec3{nearest.x / s.x, nearest.y / s.y, nearest.z / s.z});
    return {dot(p - nearest, normal), normal, {Curvature::Kind::round, meanCurvature(e, normal)}};
}

Vec3 nearestOnSegment(const Vec3& p, const Vec3& a, const Vec3& b) {
    const Vec3 edge = b - a;
    return a + std::clamp(dot(p - a, edge) / normSquared(edge), 0.0, 1.0) * edge;
}

bool aboveFace(const ConvexHull& hull, const ConvexHull::Face& face, const Vec3& p) {
    for (std::size_t k = 0; k < face.corners.size(); ++k) {
        const Vec3& a = hull.corners[face.corners[k]];
        const Vec3& b = hull.corners[face.corners[(k + 1) % face.corners.size()]];
        if (dot(cross(face.normal, b - a), p - a) < 0) return false;
    }
    return true;
}

// Inside: the nearest plane. Outside: straight above a face, or at the nearest edge of a face that sees the point.
PointDistance distanceOf(const HullShape& h, const Vec3& p) {
    const ConvexHull& hull = *h.hull;
    const ConvexHull::Face* nearestPlane = nullptr;
    double planeDistance = -1e300;
    for (const ConvexHull::Face& face : hull.faces) {
        const double d = dot(face.normal, p) - face.distance;
        if (d > 0 && aboveFace(hull, face, p)) return {d, face.normal, flatPlace};
        if (d > planeDistance) planeDistance = d, nearestPlane = &face;
    }
    if (planeDistance <= 0) return {planeDistance, nearestPlane->normal, flatPlace};
    Vec3 nearest;
    double least = 1e300;
    bool atCorner = false;
    for (const ConvexHull::Edge& edge : hull.edges) {
        const Vec3 &from = hull.corners[edge.from], &to = hull.corners[edge.to];
        const Vec3 q = nearestOnSegment(p, from, to);
        const double d = normSquared(p - q);
        if (d < least) least = d, nearest = q, atCorner = q == from || q == to;
    }
    return outward(p - nearest, std::sqrt(least), rounded(h.rounding, atCorner ? 2 : 1));
}

template <class Other>
requires(!Other::facts.hasPointDistance) PointDistance distanceOf(const Other&, const Vec3&) {
    ENGINE_CHECK(!"no closed distance for this shape");
    return {};
}

}  // namespace

// With semi-axes e the nearest point is x_i = e_i^2 p_i / (t + e_i^2), where t is the largest root of the convex
// falling function g(t) = sum (e_i p_i / (t + e_i^2))^2 - 1. Newton's method from the left of the root climbs to it
// without overshooting. In terms of s = t + (smallest e)^2 nothing cancels.
Vec3 nearestOnEllipsoid(const Vec3& e, const Vec3& p) {
    int shortest = 0;
    for (int k = 1; k < 3; ++k) {
        if (e[k] < e[shortest]) shortest = k;
    }
    Vec3 lead, c;  // e_i^2 - (smallest e)^2, e_i p_i
    double s = 0;
    for (int k = 0; k < 3; ++k) {
        lead[k] = (e[k] - e[shortest]) * (e[k] + e[shortest]);
        c[k] = e[k] * std::abs(p[k]);
        s = std::max(s, c[k] - lead[k]);
    }
    Vec3 x;
    const auto pointAt = [&](double root) {
        for (int k = 0; k < 3; ++k) {
            const double below = root + lead[k];
            x[k] = below > 0 ? e[k] * c[k] / below : 0;  // 0 / 0 only on planes of symmetry
        }
    };
    const auto withSigns = [&] {
        return Vec3{std::copysign(x.x, p.x), std::copysign(x.y, p.y), std::copysign(x.z, p.z)};
    };
    // On the plane of symmetry inside, the nearest point may leave it: then there is no root.
    if (s == 0) {
        pointAt(0);
        double rest = 1;
        for (int k = 0; k < 3; ++k) rest -= x[k] * x[k] / (e[k] * e[k]);
        if (rest >= 0) {
            x[shortest] = e[shortest] * std::sqrt(rest);
            return withSigns();
        }
    }
    for (int iteration = 0; iteration < 60; ++iteration) {
        double g = -1, slope = 0;
        for (int k = 0; k < 3; ++k) {
            if (c[k] == 0) continue;
            const double inverse = 1 / (s + lead[k]), term = c[k] * inverse;
            g += term * term;
            slope -= 2 * term * term * inverse;
        }
        const double step = -g / slope;
        if (!(step > 1e-16 * s)) break;
        s += step;
    }
    pointAt(s);
    return withSigns();
}

PointDistance pointDistance(const Shape& solid, const Vec3& point) {
    return std::visit([&](const auto& s) { return distanceOf(s, point); }, solid);
}

}  // namespace talus
