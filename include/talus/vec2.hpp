// Two-vectors of planar geometry: outlines of grains, images.
#pragma once

#include <cmath>

namespace talus {

struct Vec2 {
    double x = 0, y = 0;
    bool operator==(const Vec2&) const = default;
    Vec2& operator+=(const Vec2& b) { return x += b.x, y += b.y, *this; }
    Vec2& operator-=(const Vec2& b) { return x -= b.x, y -= b.y, *this; }
};

inline Vec2 operator+(const Vec2& a, const Vec2& b) { return {a.x + b.x, a.y + b.y}; }
inline Vec2 operator-(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
inline Vec2 operator-(const Vec2& a) { return {-a.x, -a.y}; }
inline Vec2 operator*(double s, const Vec2& a) { return {s * a.x, s * a.y}; }
inline Vec2 operator/(const Vec2& a, double s) { return {a.x / s, a.y / s}; }
inline double dot(const Vec2& a, const Vec2& b) { return a.x * b.x + a.y * b.y; }
// Positive if b is against the clock from a.
inline double cross(const Vec2& a, const Vec2& b) { return a.x * b.y - a.y * b.x; }
inline double normSquared(const Vec2& a) { return dot(a, a); }
inline double norm(const Vec2& a) { return std::sqrt(dot(a, a)); }
inline Vec2 normalized(const Vec2& a) { return a / norm(a); }
// A quarter turn with the clock: of the tangent of an outline that runs against the clock, its outward normal.
inline Vec2 turnedRight(const Vec2& a) { return {a.y, -a.x}; }
inline bool isFinite(const Vec2& a) { return std::isfinite(a.x) && std::isfinite(a.y); }
// Angle from a to b, -pi to pi, positive against the clock.
inline double angleBetween(const Vec2& a, const Vec2& b) { return std::atan2(cross(a, b), dot(a, b)); }

}  // namespace talus
