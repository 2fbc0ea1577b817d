// Algebra of the second-order cone { x : x_n >= |x_t| } in three dimensions, as interior-point methods use it.
//
//     product      x o y = (x.y, x_n y_t + y_n x_t)          identity e = (1, 0, 0)
//     determinant  x_n^2 - |x_t|^2
//     scaling      the symmetric N with N z = N^-1 x =: l, for x and z inside the cone (Nesterov and Todd)
//
// Alizadeh and Goldfarb, Math. Program. 95 (2003); Andersen, Roos and Terlaky, Math. Program. 95 (2003).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/matrix3.hpp"

namespace talus::cone {

inline double tangent(const Vec3& x) { return std::sqrt(x.y * x.y + x.z * x.z); }
inline double least(const Vec3& x) { return x.x - tangent(x); }  // smallest eigenvalue; > 0 inside the cone
inline double determinant(const Vec3& x) { return least(x) * (x.x + tangent(x)); }

inline Vec3 product(const Vec3& x, const Vec3& y) { return {dot(x, y), x.x * y.y + y.x * x.y, x.x * y.z + y.x * x.z}; }

// The y with x o y = r.
inline Vec3 divide(const Vec3& r, const Vec3& x) {
    const double normal = (x.x * r.x - x.y * r.y - x.z * r.z) / determinant(x);
    return {normal, (r.y - normal * x.y) / x.x, (r.z - normal * x.z) / x.x};
}

// A symmetric matrix with eigenvectors (1, t)/sqrt(2), (1, -t)/sqrt(2) and the third direction, t a unit tangent.
struct Spectral {
    double plus, minus, across;  // eigenvalues
    double ty, tz;               // t

    Mat3 matrix() const {
        const double mean = 0.5 * (plus + minus), half = 0.5 * (plus - minus), rest = mean - across;
        return {{mean, half * ty, half * tz,                          //
                 half * ty, across + rest * ty * ty, rest * ty * tz,  //
                 half * tz, rest * ty * tz, across + rest * tz * tz}};
    }
    Vec3 eigenvalues() const { return {plus, minus, across}; }
    // Eigenvectors, as columns.
    Mat3 axes() const {
        const double half = std::sqrt(0.5);
        return {{half, half, 0, half * ty, -half * ty, -tz, half * tz, -half * tz, ty}};
    }
    template <class Function>
    Spectral each(const Function& f) const {
        return {f(plus), f(minus), f(across), ty, tz};
    }
};

// N of two points inside the cone.
inline Spectral scaling(const Vec3& x, const Vec3& z) {
    const double rootX = std::sqrt(determinant(x)), rootZ = std::sqrt(determinant(z));
    const Vec3 a = x / rootX, b = z / rootZ;
    const double gamma = std::sqrt(0.5 * (1 + dot(a, b)));
    const Vec3 w = (0.5 / gamma) * Vec3{a.x + b.x, a.y - b.y, a.z - b.z};  // its determinant is 1
    const double t = tangent(w), stretch = std::sqrt(rootX / rootZ), along = w.x + t;
    const bool isAxis = t == 0;
    return {stretch * along, stretch / along, stretch, isAxis ? 1 : w.y / t, isAxis ? 0 : w.z / t};
}

// The first t > 0, up to `most`, at which the determinant c + 2 b t + a t^2 of a ray is zero.
inline double firstExit(double a, double b, double c, double most) {
    const double infinity = std::numeric_limits<double>::infinity();
    const double square = b * b - a * c;
    double step = most;
    if (square < 0) return step;
    const double sum = -b - std::copysign(std::sqrt(square), b);
    for (const double root : {a != 0 ? sum / a : infinity, sum != 0 ? c / sum : infinity}) {
        if (root > 0) step = std::min(step, root);
    }
    return step;
}

// The largest t with x + t d in the cone, for x inside.
inline double longestStep(const Vec3& x, const Vec3& d) {
    const double infinity = std::numeric_limits<double>::infinity();
    return firstExit(determinant(d), x.x * d.x - x.y * d.y - x.z * d.z, determinant(x),
                     d.x < 0 ? -x.x / d.x : infinity);
}

}  // namespace talus::cone
