#include "geometry/solids/orientation.hpp"

#include <cmath>
#include <limits>

#include "base/exact_sum.hpp"

namespace talus {
namespace {

// A difference of two points without rounding errors: the rounded one, and what it lacks.
struct ExactDifference {
    Vec3 whole, rest;

    ExactDifference(const Vec3& to, const Vec3& from) {
        for (int k = 0; k < 3; ++k) {
            const TwoParts d = exactSum(to[k], -from[k]);
            whole[k] = d.whole;
            rest[k] = d.rest;
        }
    }
    std::array<double, 2> parts(int axis) const { return {whole[axis], rest[axis]}; }
};

void addProduct(ExactSum& sum, double sign, const std::array<double, 2>& x, const std::array<double, 2>& y) {
    for (const double a : x) {
        for (const double b : y) sum.addProduct(sign * a, b);
    }
}
void addProduct(ExactSum& sum, double sign, const std::array<double, 2>& x, const std::array<double, 2>& y,
                const std::array<double, 2>& z) {
    for (const double a : x) {
        for (const double b : y) {
            if (a == 0 || b == 0) continue;
            for (const double c : z) sum.addProduct(sign * a, b, c);
        }
    }
}

// The sign of u . (v x w).
int signOfVolume(const ExactDifference& u, const ExactDifference& v, const ExactDifference& w) {
    ExactSum volume;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        addProduct(volume, 1, u.parts(i), v.parts(j), w.parts(k));
        addProduct(volume, -1, u.parts(i), v.parts(k), w.parts(j));
    }
    return volume.sign();
}

}  // namespace

int sideOfPlane(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& w) {
    const Vec3 a = p - w, b = q - w, c = r - w;
    double volume = 0, terms = 0;  // and the sum of the sizes of its terms
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double first = b[j] * c[k], second = b[k] * c[j];
        volume += a[i] * (first - second);
        terms += std::abs(a[i]) * (std::abs(first) + std::abs(second));
    }
    // Rounding errors are less than 7 and a bit times half an epsilon of that sum (Shewchuk).
    if (std::abs(volume) > 4 * std::numeric_limits<double>::epsilon() * terms) return volume < 0 ? 1 : -1;
    return -signOfVolume({p, w}, {q, w}, {r, w});
}

Vec3 preciseCross(const Vec3& p, const Vec3& q, const Vec3& r) {
    const ExactDifference u(q, p), v(r, p);
    Vec3 result;
    for (int i = 0; i < 3; ++i) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        ExactSum sum;
        addProduct(sum, 1, u.parts(j), v.parts(k));
        addProduct(sum, -1, u.parts(k), v.parts(j));
        result[i] = sum.value();
    }
    return result;
}

}  // namespace talus
