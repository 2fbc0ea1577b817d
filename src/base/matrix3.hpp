// Algebra of 3x3 matrices beyond what include/talus/vec3.hpp offers to everyone.
#pragma once

#include "talus/vec3.hpp"

namespace talus {

inline Mat3 identity3() { return {{1, 0, 0, 0, 1, 0, 0, 0, 1}}; }
inline Mat3 diagonal3(const Vec3& d) { return {{d.x, 0, 0, 0, d.y, 0, 0, 0, d.z}}; }

inline Mat3 operator+(Mat3 a, const Mat3& b) { return a += b; }
inline Mat3 operator-(Mat3 a, const Mat3& b) {
    for (int k = 0; k < 9; ++k) a.m[k] -= b.m[k];
    return a;
}
inline Mat3 operator*(double s, Mat3 a) { return a *= s; }

inline Mat3 operator*(const Mat3& a, const Mat3& b) {
    Mat3 c;
    for (int row = 0; row < 3; ++row) {
        for (int column = 0; column < 3; ++column) {
            c(row, column) = a(row, 0) * b(0, column) + a(row, 1) * b(1, column) + a(row, 2) * b(2, column);
        }
    }
    return c;
}

inline Mat3 transpose(const Mat3& a) {
    return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}};
}

// By cofactors; not finite if a is singular.
inline Mat3 inverse(const Mat3& a) {
    const Vec3 r0{a.m[0], a.m[1], a.m[2]}, r1{a.m[3], a.m[4], a.m[5]}, r2{a.m[6], a.m[7], a.m[8]};
    const Vec3 c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
    const double s = 1.0 / dot(r0, c0);
    return {{s * c0.x, s * c1.x, s * c2.x, s * c0.y, s * c1.y, s * c2.y, s * c0.z, s * c1.z, s * c2.z}};
}

}  // namespace talus
