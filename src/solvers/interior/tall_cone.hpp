// Algebra of the second-order cone { x : top >= |rest| } in four dimensions, as second_order_cone.hpp has it in three:
// the cone over a ball of reactions.
#pragma once

#include "solvers/interior/second_order_cone.hpp"

namespace talus::cone {

struct Tall {
    double top = 0;
    Vec3 rest;
};

inline Tall operator+(const Tall& a, const Tall& b) { return {a.top + b.top, a.rest + b.rest}; }
inline Tall operator-(const Tall& a, const Tall& b) { return {a.top - b.top, a.rest - b.rest}; }
inline Tall operator*(double s, const Tall& a) { return {s * a.top, s * a.rest}; }
inline double dot(const Tall& a, const Tall& b) { return a.top * b.top + talus::dot(a.rest, b.rest); }

inline double least(const Tall& x) { return x.top - norm(x.rest); }
inline double determinant(const Tall& x) { return least(x) * (x.top + norm(x.rest)); }
inline Tall product(const Tall& x, const Tall& y) { return {dot(x, y), x.top * y.rest + y.top * x.rest}; }

// The y with x o y = r.
inline Tall divide(const Tall& r, const Tall& x) {
    const double top = (x.top * r.top - talus::dot(x.rest, r.rest)) / determinant(x);
    return {top, (1 / x.top) * (r.rest - top * x.rest)};
}

// N of two points inside the cone, N z = N^-1 x: stretch times the symmetric matrix
//     w_top   w^T
//     w       1 + w w^T/(1 + w_top)          with w_top^2 = 1 + |w|^2
struct TallScaling {
    double stretch = 1;
    Tall w{1, {}};

    Tall forth(const Tall& v) const { return stretch * turned(v, 1); }
    Tall back(const Tall& v) const { return (1 / stretch) * turned(v, -1); }

    // N^-2 from the part below the top to itself, and the inverse of that.
    Mat3 resistance() const { return (1 / (stretch * stretch)) * (identity3() + 2 * outer(w.rest, w.rest)); }
    Mat3 stiffness() const {
        const double along = 2 / (1 + 2 * normSquared(w.rest));
        return (stretch * stretch) * (identity3() - along * outer(w.rest, w.rest));
    }

private:
    Tall turned(const Tall& v, double sign) const {
        const double along = talus::dot(w.rest, v.rest);
        return {w.top * v.top + sign * along, (sign * v.top + along / (1 + w.top)) * w.rest + v.rest};
    }
};

inline TallScaling scaling(const Tall& x, const Tall& z) {
    const double rootX = std::sqrt(determinant(x)), rootZ = std::sqrt(determinant(z));
    const Tall a = (1 / rootX) * x, b = (1 / rootZ) * z;
    const double gamma = std::sqrt(0.5 * (1 + dot(a, b)));
    return {std::sqrt(rootX / rootZ), (0.5 / gamma) * Tall{a.top + b.top, a.rest - b.rest}};
}

// The largest t with x + t d in the cone, for x inside.
inline double longestStep(const Tall& x, const Tall& d) {
    const double infinity = std::numeric_limits<double>::infinity();
    return firstExit(determinant(d), x.top * d.top - talus::dot(x.rest, d.rest), determinant(x),
                     d.top < 0 ? -x.top / d.top : infinity);
}

}  // namespace talus::cone
