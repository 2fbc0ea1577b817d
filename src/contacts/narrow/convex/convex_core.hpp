// A convex solid where it is, for the searches of the narrow phase.
//
// Searches look at cores (geometry/solids/support.hpp); the rounding is taken off the distance they find.
#pragma once

#include <span>

#include "base/matrix3.hpp"
#include "contacts/narrow/contact_points.hpp"
#include "contacts/narrow/ellipsoid/curvature.hpp"
#include "geometry/solids/support.hpp"

namespace talus {

// Columns are the axes of the frame in the world.
inline Mat3 rotationMatrix(const Quat& q) {
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z;
    const double wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy), 2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx),
             2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
}
inline Vec3 column(const Mat3& m, int k) { return {m(0, k), m(1, k), m(2, k)}; }
inline Vec3 transposeTimes(const Mat3& m, const Vec3& v) {
    return {m.m[0] * v.x + m.m[3] * v.y + m.m[6] * v.z, m.m[1] * v.x + m.m[4] * v.y + m.m[7] * v.z,
            m.m[2] * v.x + m.m[5] * v.y + m.m[8] * v.z};
}

struct ConvexCore {
    const Shape* shape = nullptr;  // nullptr: the hull of `prism`
    double scale = 1;              // -
    Vec3 centre;                   // m, a point inside
    Mat3 axes;                     // columns: axes of the shape's frame
    double rounding = 0;           // m
    double size = 0;               // m, about how far the core reaches from its centre
    double ball = 0;               // m, radius of the ball of the solid's volume; 0: ask the shape (curvature.hpp)
    std::span<const Vec3> prism;   // m, world frame: front corners against the clock, then those behind; six or none

    ConvexCore() = default;
    explicit ConvexCore(const ShapeInPlace& body);
    explicit ConvexCore(std::span<const Vec3, 6> corners);

    Vec3 toLocal(const Vec3& direction) const { return transposeTimes(axes, direction); }
    Vec3 toWorld(const Vec3& local) const { return centre + axes * (scale * local); }

    SizedShape sized() const { return {shape, scale, ball}; }

    // World frame.
    Vec3 support(const Vec3& direction) const;
};

}  // namespace talus
