// The shortest turn from one direction to another.
#pragma once

#include "talus/vec3.hpp"

namespace talus {

// The rotation that takes one unit vector into another, applied to v; not for opposite ones.
inline Vec3 turnedWith(const Vec3& from, const Vec3& to, const Vec3& v) {
    const Vec3 axis = cross(from, to), turn = cross(axis, v);
    return v + turn + cross(axis, turn) / (1 + dot(from, to));
}

}  // namespace talus
