// One span of a NURBS curve as a rational Bezier arc in homogeneous coordinates.
//
// The arc lies in the convex hull of its control points, and every line meets it no more often than their polygon:
// bounds of distance, of direction and of the number of roots all come from this. t goes from 0 to 1 along the arc.
#pragma once

#include <algorithm>
#include <array>
#include <utility>

#include "talus/vec2.hpp"
#include "talus/vec3.hpp"

namespace talus {

inline constexpr int highestDegree = 5;

// Position and derivatives by a parameter.
struct CurvePoint {
    Vec2 position, first, second, third;
};

struct BezierArc {
    int degree = 1;
    double begin = 0, end = 1;                      // parameters of the curve at t = 0 and t = 1
    std::array<Vec3, highestDegree + 1> control{};  // (w x, w y, w)

    // Control point k in the plane.
    Vec2 point(int k) const {
        const Vec3& c = control[static_cast<std::size_t>(k)];
        return {c.x / c.z, c.y / c.z};
    }
    Vec2 first() const { return point(0); }
    Vec2 last() const { return point(degree); }
    double parameter(double t) const { return begin + t * (end - begin); }
};

// Derivatives by t.
CurvePoint evaluate(const BezierArc& arc, double t);
Vec2 positionAt(const BezierArc& arc, double t);

// The parts before and after t.
std::pair<BezierArc, BezierArc> split(const BezierArc& arc, double t);

// Unit tangents at the ends, also where control points coincide; zero if all do.
Vec2 firstTangent(const BezierArc& arc);
Vec2 lastTangent(const BezierArc& arc);

// The arc lies within this distance of the segment between its ends.
double thickness(const BezierArc& arc);

double distanceToSegment(const Vec2& point, const Vec2& from, const Vec2& to);

}  // namespace talus
