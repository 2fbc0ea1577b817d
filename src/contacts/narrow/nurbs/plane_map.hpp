// Bodies of planar scenes in the plane they share: from the frame of one to that of another, and to the world.
#pragma once

#include "geometry/shape.hpp"
#include "talus/vec2.hpp"

namespace talus {

// The plane through `pose.position` whose normal is the z axis of the body; a point of it in units of the scale.
struct PlaneFrame {
    double scale = 1;  // -
    Pose pose;

    Vec3 direction(const Vec2& d) const { return rotate(pose.orientation, {d.x, d.y, 0}); }
    Vec3 toWorld(const Vec2& p) const { return pose.position + scale * direction(p); }
};

// From the frame of one body to that of another in the same plane, in units of their scales.
struct PlaneMap {
    double scale = 1, cosine = 1, sine = 0;
    Vec2 shift;

    PlaneMap(const PlaneFrame& from, const PlaneFrame& to) : scale(from.scale / to.scale) {
        const Vec3 axis = rotateBack(to.pose.orientation, rotate(from.pose.orientation, {1, 0, 0}));
        const Vec3 apart = rotateBack(to.pose.orientation, from.pose.position - to.pose.position);
        const double length = std::hypot(axis.x, axis.y);
        cosine = axis.x / length;
        sine = axis.y / length;
        shift = Vec2{apart.x, apart.y} / to.scale;
    }

    Vec2 turn(const Vec2& v) const { return {cosine * v.x - sine * v.y, sine * v.x + cosine * v.y}; }
    Vec2 operator()(const Vec2& p) const { return shift + scale * turn(p); }
};

}  // namespace talus
