// The formulas of ellipsoids.hpp, for one pair (Real = double) or eight at a time (Real = Pack, base/pack.hpp), with
// the same bits.
#pragma once

#include <cmath>

#include "base/pack.hpp"
#include "talus/vec3.hpp"

namespace talus {

// A gradient of this part of the size is none. The normal is then known to about 1e-11, the distance to round-off.
inline constexpr double flatGradient = 1e-11;
// rad; after a step this short the second derivative is the same but for a part as small, and serves once more.
inline constexpr double shortStep = 1e-3;

// Symmetric, by its entries.
template <class Real>
struct SymmetricOf {
    Real xx, xy, xz, yy, yz, zz;

    Vector3<Real> operator*(const Vector3<Real>& v) const {
        return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
    }
};

template <class Real>
inline SymmetricOf<Real> combination(const Real& s, const SymmetricOf<Real>& a, const Real& t,
                                     const SymmetricOf<Real>& b) {
    return {s * a.xx + t * b.xx, s * a.xy + t * b.xy, s * a.xz + t * b.xz,
            s * a.yy + t * b.yy, s * a.yz + t * b.yz, s * a.zz + t * b.zz};
}

template <class Real>
inline Vector3<Real> unitOf(const Vector3<Real>& v) {
    using std::sqrt;
    return (1.0 / sqrt(normSquared(v))) * v;
}

// s(n) and what goes with it.
template <class Real>
struct SeparationOf {
    Vector3<Real> n;
    Real hA, hB;                   // m
    Vector3<Real> reachA, reachB;  // m, E n / h: from the centres to the surfaces
    Real s;                        // m

    // Squared, below which a gradient counts as none, m^2.
    Real smallSquare() const {
        const Real small = flatGradient * (hA + hB);
        return small * small;
    }
};

// 1/m, the mean curvature of an ellipsoid where its normal is n. The sum of the principal radii is
// (trace E - |E n/h|^2)/h, their product det E/h^4.
template <class Real>
inline Real curvatureAt(const SymmetricOf<Real>& e, const Real& determinant, const Vector3<Real>& reach,
                        const Real& h) {
    return 0.5 * (e.xx + e.yy + e.zz - normSquared(reach)) * (h * h * h) / determinant;
}

template <class Real>
struct EllipsoidPairOf {
    SymmetricOf<Real> a, b;
    Vector3<Real> d;  // m, from the centre of b to that of a

    SeparationOf<Real> along(const Vector3<Real>& n) const {
        using std::sqrt;
        SeparationOf<Real> r;
        r.n = n;
        r.reachA = a * n;
        r.reachB = b * n;
        r.hA = sqrt(dot(n, r.reachA));
        r.hB = sqrt(dot(n, r.reachB));
        r.reachA *= 1.0 / r.hA;
        r.reachB *= 1.0 / r.hB;
        r.s = dot(n, d) - r.hA - r.hB;
        return r;
    }
    // The gradient of s on the unit sphere, m, which is across n.
    Vector3<Real> gradient(const SeparationOf<Real>& r) const { return d - r.reachA - r.reachB - r.s * r.n; }
};

// Newton's method for the greatest s on the unit sphere, in the plane across n: minus the inverse of the second
// derivative there. Where s does not curve downward, steps go along the gradient.
template <class Real>
struct EllipsoidNewton {
    Vector3<Real> u, v;  // unit, across n and each other
    Real uu, uv, vv;     // 1/m

    EllipsoidNewton(const EllipsoidPairOf<Real>& pair, const SeparationOf<Real>& r) {
        // Duff et al., J. Comput. Graphics Techniques 6, 2017.
        const Vector3<Real>& n = r.n;
        const Real sign = select(n.z < Real(0.0), Real(-1.0), Real(1.0));
        const Real q = -1.0 / (sign + n.z), p = n.x * n.y * q;
        u = {1.0 + sign * n.x * n.x * q, sign * p, -(sign * n.x)};
        v = {p, sign + n.y * n.y * q, -n.y};
        // That of the support functions, E/h - (E n)(E n)^T/h^3, and s of the sphere.
        const Real inverseA = 1.0 / r.hA, inverseB = 1.0 / r.hB;
        const SymmetricOf<Real> e = combination(inverseA, pair.a, inverseB, pair.b);
        const Vector3<Real> eu = e * u, ev = e * v;
        const Real au = dot(r.reachA, u), av = dot(r.reachA, v), bu = dot(r.reachB, u), bv = dot(r.reachB, v);
        const Real fuu = dot(u, eu) - au * au * inverseA - bu * bu * inverseB + r.s;
        const Real fvv = dot(v, ev) - av * av * inverseA - bv * bv * inverseB + r.s;
        const Real fuv = dot(u, ev) - au * av * inverseA - bu * bv * inverseB;
        const Real determinant = fuu * fvv - fuv * fuv, sum = fuu + fvv;
        const auto curvesDown = (determinant > 1e-12 * sum * sum) & (sum > Real(0.0));
        const Real inverse = 1.0 / determinant, along = 1.0 / (r.hA + r.hB);
        uu = select(curvesDown, inverse * fvv, along);
        uv = select(curvesDown, -(inverse * fuv), Real(0.0));
        vv = select(curvesDown, inverse * fuu, along);
    }

    Vector3<Real> step(const Vector3<Real>& gradient) const {
        const Real gu = dot(gradient, u), gv = dot(gradient, v);
        return (uu * gu + uv * gv) * u + (uv * gu + vv * gv) * v;
    }
};

}  // namespace talus
