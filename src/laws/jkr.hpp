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

namespace talus::jkr {

inline double neckCoefficient(double modulus, double work) { return std::sqrt(2.0 * M_PI * work / modulus); }

// Overlap (negative) below which the neck snaps.
inline double breakingOverlap(double radius, double modulus, double work) {
    const double c = neckCoefficient(modulus, work);
    return -0.75 * c * std::cbrt(0.25 * c * radius);
}

// The larger root a of d(a) = overlap. Newton on the convex function s^4/R - c s - d with s = sqrt(a), from an
// upper bound, so it falls monotonically.
inline double contactRadius(double overlap, double radius, double modulus, double work) {
    const double c = neckCoefficient(modulus, work);
    const double turning = std::cbrt(0.25 * c * radius);
    double s = std::sqrt(std::sqrt(radius * std::max(0.0, overlap))) + std::cbrt(c * radius);
    for (int iteration = 0; iteration < 60; ++iteration) {
        const double cube = s * s * s;
        const double slope = 4.0 * cube / radius - c;
        if (slope <= 0) break;
        const double next = s - (cube * s / radius - c * s - overlap) / slope;
        if (!(next < s)) break;
        s = next;
    }
    s = std::max(s, turning);
    return s * s;
}

inline double force(double a, double radius, double modulus, double work) {
    const double c = neckCoefficient(modulus, work);
    return modulus * a * (4.0 / 3.0 * a * a / radius - 2.0 * c * std::sqrt(a));
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
