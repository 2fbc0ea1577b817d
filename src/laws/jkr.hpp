// Johnson, Kendall, Roberts (1971): an elastic sphere contact with work of adhesion w.
//
//   d = a^2/R - c sqrt(a),            c = sqrt(2 pi w / E*)
//   F = 4 E* a^3 / (3 R) - 2 E* c a^(3/2)
//   U = integral of F over d from 0:  G(a) - G(a0),  G = E*(8 a^5/(15 R^2) - 4 c a^(7/2)/(3 R) + c^2 a^2/2),
//                                     a0 = (c R)^(2/3) the radius at d = 0
//
// For a given d the stable branch is the larger root a. It ends where dd/da = 0, at sqrt(a) = (c R/4)^(1/3) and
// d = -3/4 c sqrt(a). The largest tension, 3/2 pi w R, is reached before.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "base/pack.hpp"

namespace talus::jkr {

template <class Real>
inline Real neckCoefficient(const Real& modulus, const Real& work) {
    using std::sqrt;
    return sqrt(2.0 * M_PI * work / modulus);
}

// Overlap (negative) below which the neck snaps.
inline double breakingOverlap(double radius, double modulus, double work) {
    const double c = neckCoefficient(modulus, work);
    return -0.75 * c * std::cbrt(0.25 * c * radius);
}

// Halley's iteration, which triples the digits, from a guess that is within 4 % (exponent and mantissa over three, as
// whole numbers); the same bits for a double and for a lane.
template <class Real>
inline Real cubeRoot(const Real& x) {
    Real root = roughCubeRoot(x);
    for (int iteration = 0; iteration < 3; ++iteration) {
        const Real cube = root * root * root;
        root = root * ((cube + 2.0 * x) / (2.0 * cube + x));
    }
    return select(x > Real(0.0), root, Real(0.0));
}

// The larger root a of d(a) = overlap. Newton on the convex function s^4/R - c s - d with s = sqrt(a), from an
// upper bound, so it falls monotonically.
template <class Real>
inline Real contactRadius(const std::type_identity_t<Real>& overlap, const Real& radius,
                          const std::type_identity_t<Real>& modulus, const std::type_identity_t<Real>& work) {
    using std::sqrt;
    const Real inverseRadius = 1.0 / radius;
    const Real c = neckCoefficient(modulus, work);
    const Real turning = cubeRoot(Real(0.25 * c * radius));
    Real s = sqrt(sqrt(radius * larger(Real(0.0), overlap))) + cubeRoot(Real(c * radius));
    for (int iteration = 0; iteration < 60; ++iteration) {
        const Real cube = s * s * s;
        const Real slope = 4.0 * cube * inverseRadius - c;
        const Real next = s - (cube * s * inverseRadius - c * s - overlap) / slope;
        const auto falls = (slope > Real(0.0)) & (next < s);
        if (!any(falls)) break;
        s = select(falls, next, s);
    }
    s = larger(s, turning);
    return s * s;
}

template <class Real>
inline Real force(const Real& a, const Real& radius, const std::type_identity_t<Real>& modulus,
                  const std::type_identity_t<Real>& work) {
    using std::sqrt;
    const Real c = neckCoefficient(modulus, work);
    return modulus * a * (4.0 / 3.0 * a * a / radius - 2.0 * c * sqrt(a));
}

inline double energy(double a, double radius, double modulus, double work) {
    const double c = neckCoefficient(modulus, work);
    const auto potential = [&](double r) {
        const double square = r * r;
        return modulus * square *
               (8.0 / 15.0 * square * r / (radius * radius) - 4.0 / 3.0 * c * r * std::sqrt(r) / radius + 0.5 * c * c);
    };
    return potential(a) - potential(std::cbrt(c * radius) * std::cbrt(c * radius));
}

}  // namespace talus::jkr
