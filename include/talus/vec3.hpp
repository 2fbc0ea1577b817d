// Three-vectors, 3x3 matrices and unit quaternions as plain numbers.
//
// Small on purpose: contact laws and inner loops use these types, so they are aggregates of doubles that a
// compiler keeps in registers and that a GPU or Python can take as they are. Larger algebra uses Eigen.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

namespace talus {

// T is double almost everywhere; inner loops use a pack of doubles, one contact per lane (base/pack.hpp).
template <class T>
struct Vector3 {
    T x{}, y{}, z{};

    T& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    const T& operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    bool operator==(const Vector3&) const = default;

    Vector3& operator+=(const Vector3& b) { return x += b.x, y += b.y, z += b.z, *this; }
    Vector3& operator-=(const Vector3& b) { return x -= b.x, y -= b.y, z -= b.z, *this; }
    Vector3& operator*=(const T& s) { return x *= s, y *= s, z *= s, *this; }
};

using Vec3 = Vector3<double>;

template <class T>
inline Vector3<T> operator+(const Vector3<T>& a, const Vector3<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
inline Vector3<T> operator-(const Vector3<T>& a, const Vector3<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
inline Vector3<T> operator-(const Vector3<T>& a) {
    return {-a.x, -a.y, -a.z};
}
template <class T>
inline Vector3<T> operator*(const std::type_identity_t<T>& s, const Vector3<T>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template <class T>
inline Vector3<T> operator*(const Vector3<T>& a, const std::type_identity_t<T>& s) {
    return s * a;
}
template <class T>
inline T dot(const Vector3<T>& a, const Vector3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
inline Vector3<T> cross(const Vector3<T>& a, const Vector3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
inline T normSquared(const Vector3<T>& a) {
    return dot(a, a);
}
template <class T>
inline T norm(const Vector3<T>& a) {
    using std::sqrt;
    return sqrt(dot(a, a));
}

inline Vec3 operator/(const Vec3& a, double s) { return (1.0 / s) * a; }
inline Vec3 normalized(const Vec3& a) { return a / norm(a); }
inline Vec3 hadamard(const Vec3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
inline bool isFinite(const Vec3& a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

// Row-major 3x3 matrix; element (row, column) is m(row, column).
struct Mat3 {
    std::array<double, 9> m{};

    double& operator()(int row, int column) { return m[3 * row + column]; }
    double operator()(int row, int column) const { return m[3 * row + column]; }
    bool operator==(const Mat3&) const = default;
    Mat3& operator+=(const Mat3& b) {
        for (int k = 0; k < 9; ++k) m[k] += b.m[k];
        return *this;
    }
    Mat3& operator*=(double s) {
        for (double& value : m) value *= s;
        return *this;
    }
};

inline Mat3 outer(const Vec3& a, const Vec3& b) {
    return {{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z}};
}
inline Vec3 operator*(const Mat3& a, const Vec3& v) {
    return {a.m[0] * v.x + a.m[1] * v.y + a.m[2] * v.z, a.m[3] * v.x + a.m[4] * v.y + a.m[5] * v.z,
            a.m[6] * v.x + a.m[7] * v.y + a.m[8] * v.z};
}
inline double trace(const Mat3& a) { return a.m[0] + a.m[4] + a.m[8]; }

// Unit quaternion w + xi + yj + zk: rotates body-frame vectors into the world frame.
struct Quat {
    double w = 1, x = 0, y = 0, z = 0;
    bool operator==(const Quat&) const = default;
};

inline Quat operator*(const Quat& a, const Quat& b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
inline Quat normalized(const Quat& q) {
    const double s = 1.0 / std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {s * q.w, s * q.x, s * q.y, s * q.z};
}
inline Vec3 rotate(const Quat& q, const Vec3& v) {
    const Vec3 u{q.x, q.y, q.z};
    const Vec3 t = 2.0 * cross(u, v);
    return v + q.w * t + cross(u, t);
}
inline Vec3 rotateBack(const Quat& q, const Vec3& v) { return rotate(conjugate(q), v); }

// The rotation by |r| radians about r (exponential map).
inline Quat rotationBy(const Vec3& r) {
    const double angle = norm(r);
    if (angle < 1e-12) return normalized(Quat{1, 0.5 * r.x, 0.5 * r.y, 0.5 * r.z});
    const double s = std::sin(0.5 * angle) / angle;
    return {std::cos(0.5 * angle), s * r.x, s * r.y, s * r.z};
}

}  // namespace talus
