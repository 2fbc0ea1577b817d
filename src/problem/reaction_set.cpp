#include "problem/reaction_set.hpp"

#include <algorithm>
#include <cmath>

#include "base/matrix3.hpp"
#include "problem/falling_root.hpp"
#include "problem/plane_problem.hpp"

namespace talus {
namespace {

// A reaction in its plane of symmetry: normal part, length of the tangential part and its direction.
struct Polar {
    double normal, tangent;
    Vec3 direction;  // unit tangent, (0, a, b); any if the tangential part vanishes

    explicit Polar(const Vec3& g) : normal(g.x), tangent(std::sqrt(g.y * g.y + g.z * g.z)) {
        direction = tangent > 0 ? Vec3{0, g.y / tangent, g.z / tangent} : Vec3{0, 1, 0};
    }
};

enum class Face { inside, apex, mantle, cap, rim };

// Nearest point of the cone without ball, and on which of its faces it lies. Plane coordinates (normal, tangent).
struct PlanePoint {
    double normal, tangent;
    Face face;
};

PlanePoint nearestInPlane(const ReactionSet& s, double normal, double tangent) {
    const double height = normal + s.cohesion;  // above the apex
    if (height >= 0 && tangent <= s.friction * height) {
        if (normal <= s.cap) return {normal, tangent, Face::inside};
    } else {
        if (height + s.friction * tangent <= 0) return {-s.cohesion, 0, Face::apex};
        const double onMantle = (height + s.friction * tangent) / (1 + s.friction * s.friction);
        if (onMantle - s.cohesion <= s.cap) return {onMantle - s.cohesion, s.friction * onMantle, Face::mantle};
    }
    const double rim = s.friction * (s.cap + s.cohesion);
    return tangent <= rim ? PlanePoint{s.cap, tangent, Face::cap} : PlanePoint{s.cap, rim, Face::rim};
}

Vec3 projectOnCone(const ReactionSet& s, const Vec3& g) {
    const Polar p(g);
    const PlanePoint nearest = nearestInPlane(s, p.normal, p.tangent);
    if (nearest.face == Face::inside) return g;
    const double stretch = p.tangent > 0 ? nearest.tangent / p.tangent : 0;
    return {nearest.normal, stretch * g.y, stretch * g.z};
}

Mat3 coneDerivative(const ReactionSet& s, const Vec3& g) {
    const Polar p(g);
    const PlanePoint nearest = nearestInPlane(s, p.normal, p.tangent);
    const Vec3 n{1, 0, 0}, t = p.direction, across = cross(n, t);
    const double turn = p.tangent > 0 ? nearest.tangent / p.tangent : 1;  // how tangents across are scaled
    if (s.friction == 0) {
        const bool within = nearest.face == Face::inside || nearest.face == Face::mantle;
        return within ? outer(n, n) : Mat3{};
    }
    switch (nearest.face) {
        case Face::inside:
            return identity3();
        case Face::apex:
            return Mat3{};
        case Face::mantle: {
            const double length = std::sqrt(1 + s.friction * s.friction);
            const Vec3 along = (1 / length) * (n + s.friction * t);
            return outer(along, along) + turn * outer(across, across);
        }
        case Face::cap:
            return outer(t, t) + outer(across, across);
        case Face::rim:
            return turn * outer(across, across);
    }
    return Mat3{};
}

// Least 1/2 g.W g + q.g over the cone without ball.
Vec3 minimiseOnCone(const ReactionSet& s, const Mat3& w, const Vec3& q) {
    // Seen from the apex the cone starts at zero.
    const Vec3 apex{-s.cohesion, 0, 0};
    const Vec3 g = apex + minimiseOnPlainCone(s.friction, w, q + w * apex);
    if (g.x <= s.cap) return g;
    if (s.friction == 0) return {s.cap, 0, 0};
    // Too large a normal part: the answer lies on the cap, a disc.
    const PlaneMatrix tangential{w(1, 1), w(1, 2), w(2, 2)};
    const PlaneVector linear{q.y + w(1, 0) * s.cap, q.z + w(2, 0) * s.cap};
    const PlaneVector t = minimiseOnDisc(tangential, linear, s.friction * (s.cap + s.cohesion));
    return {s.cap, t.y, t.z};
}

// With a ball: g = p + (d/r) z, where z = -(W g + q) is normal to the cone at p and |z| = r. For a given r the point p
// is the minimiser on the cone of a problem with W' = (1 + d/r W)^-1 W, q' = (1 + d/r W)^-1 q, and |z| falls with r.
Vec3 minimiseWithBall(const ReactionSet& s, const Mat3& w, const Vec3& q) {
    const auto normalAt = [&](double r, Vec3& p) {
        const Mat3 shrink = inverse(identity3() + (s.ball / r) * w);
        p = minimiseOnCone(s, shrink * w, shrink * q);
        return -(shrink * (w * p + q));
    };
    Vec3 p;
    const auto excess = [&](double r) { return norm(normalAt(r, p)) - r; };
    double high = norm(w * minimiseOnCone(s, w, q) + q), low = high;
    if (!(high > 0)) return -(inverse(w) * q);
    double fHigh = excess(high), fLow = fHigh;
    for (int k = 0; k < 200 && fLow <= 0; ++k) {
        high = low, fHigh = fLow;
        low /= 8;
        fLow = excess(low);
    }
    const double r = fallingRootBetween(excess, low, fLow, high, fHigh);
    const Vec3 z = normalAt(r, p);
    return p + (s.ball / norm(z)) * z;
}

}  // namespace

Vec3 project(const ReactionSet& s, const Vec3& g) {
    if (s.bilateral) return g;
    if (s.isPlainCone()) return projectOnPlainCone(s.friction, g);
    const Vec3 p = projectOnCone(s, g);
    if (s.ball == 0) return p;
    const Vec3 out = g - p;
    const double distance = norm(out);
    return distance <= s.ball ? g : p + (s.ball / distance) * out;
}

Mat3 projectionDerivative(const ReactionSet& s, const Vec3& g) {
    if (s.bilateral) return identity3();
    const Mat3 cone = coneDerivative(s, g);
    if (s.ball == 0) return cone;
    const Vec3 out = g - projectOnCone(s, g);
    const double distance = norm(out);
    if (distance <= s.ball) return identity3();
    const Vec3 z = (1 / distance) * out;
    return cone + (s.ball / distance) * ((identity3() - outer(z, z)) * (identity3() - cone));
}

double violation(const ReactionSet& s, const Vec3& g) { return norm(g - project(s, g)); }

double support(const ReactionSet& s, const Vec3& u) {
    const double infinite = std::numeric_limits<double>::infinity();
    if (s.bilateral) return u == Vec3{} ? 0.0 : infinite;
    const double alongMantle = u.x + s.friction * std::hypot(u.y, u.z);
    const double beyondApex = alongMantle <= 0 ? 0.0 : (s.cap + s.cohesion) * alongMantle;
    return -s.cohesion * u.x + beyondApex + s.ball * norm(u);
}

Vec3 minimise(const ReactionSet& s, const Mat3& w, const Vec3& q) {
    if (s.bilateral) return -(inverse(w) * q);
    if (s.ball == 0) return minimiseOnCone(s, w, q);
    const Vec3 unconstrained = -(inverse(w) * q);
    return violation(s, unconstrained) == 0 ? unconstrained : minimiseWithBall(s, w, q);
}

}  // namespace talus
