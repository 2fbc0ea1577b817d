#include "collision/narrow/ellipsoids.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

// Symmetric, by its entries.
struct Symmetric {
    double xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0;

    Vec3 operator*(const Vec3& v) const {
        return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
    }
    double form(const Vec3& u, const Vec3& v) const { return dot(u, *this * v); }
};

Symmetric combination(double s, const Symmetric& a, double t, const Symmetric& b) {
    return {s * a.xx + t * b.xx, s * a.xy + t * b.xy, s * a.xz + t * b.xz,
            s * a.yy + t * b.yy, s * a.yz + t * b.yz, s * a.zz + t * b.zz};
}

// Direction of m^-1 v for a positive definite m: the adjugate is enough.
Vec3 solveDirection(const Symmetric& m, const Vec3& v) {
    const double xx = m.yy * m.zz - m.yz * m.yz, yy = m.xx * m.zz - m.xz * m.xz, zz = m.xx * m.yy - m.xy * m.xy;
    const double xy = m.xz * m.yz - m.xy * m.zz, xz = m.xy * m.yz - m.xz * m.yy, yz = m.xy * m.xz - m.xx * m.yz;
    return normalized(Symmetric{xx, xy, xz, yy, yz, zz} * v);
}

Symmetric matrixOf(const ShapeInPlace& body) {
    const Vec3& semi = std::get<EllipsoidShape>(*body.shape).semiAxes;
    const Mat3 r = rotationMatrix(body.pose.orientation);
    const double s = body.scale * body.scale;
    const Vec3 e{s * semi.x * semi.x, s * semi.y * semi.y, s * semi.z * semi.z};
    const Vec3 x{r.m[0] * e.x, r.m[1] * e.y, r.m[2] * e.z}, y{r.m[3] * e.x, r.m[4] * e.y, r.m[5] * e.z},
        z{r.m[6] * e.x, r.m[7] * e.y, r.m[8] * e.z};
    const Vec3 rx{r.m[0], r.m[1], r.m[2]}, ry{r.m[3], r.m[4], r.m[5]}, rz{r.m[6], r.m[7], r.m[8]};
    return {dot(x, rx), dot(x, ry), dot(x, rz), dot(y, ry), dot(y, rz), dot(z, rz)};
}

// s(n) and what goes with it.
struct Separation {
    Vec3 n;
    double hA = 0, hB = 0;  // m
    Vec3 reachA, reachB;    // m, E n / h: from the centres to the surfaces
    double s = 0;           // m
};

struct Pair {
    Symmetric a, b;
    Vec3 d;

    Separation along(const Vec3& n) const {
        Separation r{n, 0, 0, a * n, b * n, 0};
        r.hA = std::sqrt(dot(n, r.reachA));
        r.hB = std::sqrt(dot(n, r.reachB));
        r.reachA *= 1 / r.hA;
        r.reachB *= 1 / r.hB;
        r.s = dot(n, d) - r.hA - r.hB;
        return r;
    }
    Vec3 contactNormal(const Separation& r) const { return solveDirection(combination(1 / r.hA, a, 1 / r.hB, b), d); }
};

// One step of Newton's method for the greatest s on the unit sphere, in the plane across n. Where s does not curve
// downward, a step along the gradient. Returns the length of the gradient before the step.
struct Step {
    Vec3 move;
    double gradient = 0;  // m
};

Step newtonStep(const Pair& pair, const Separation& r) {
    const Vec3 axis = std::abs(r.n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    const Vec3 u = normalized(cross(axis, r.n)), v = cross(r.n, u);
    const Vec3 slope = pair.d - r.reachA - r.reachB;
    const double gu = dot(slope, u), gv = dot(slope, v);
    // Minus the second derivative: that of the support functions, E/h - (E n)(E n)^T/h^3, and s of the sphere.
    const Symmetric e = combination(1 / r.hA, pair.a, 1 / r.hB, pair.b);
    const Vec3 eu = e * u, ev = e * v;
    const double au = dot(r.reachA, u), av = dot(r.reachA, v), bu = dot(r.reachB, u), bv = dot(r.reachB, v);
    const double uu = dot(u, eu) - au * au / r.hA - bu * bu / r.hB + r.s;
    const double vv = dot(v, ev) - av * av / r.hA - bv * bv / r.hB + r.s;
    const double uv = dot(u, ev) - au * av / r.hA - bu * bv / r.hB;
    const double determinant = uu * vv - uv * uv, sum = uu + vv;
    const double gradient = std::sqrt(gu * gu + gv * gv);
    if (determinant > 1e-12 * sum * sum && sum > 0) {
        return {((vv * gu - uv * gv) / determinant) * u + ((uu * gv - uv * gu) / determinant) * v, gradient};
    }
    const double scale = 1 / (r.hA + r.hB);
    return {(scale * gu) * u + (scale * gv) * v, gradient};
}

// Takes the step, shortened until s rises. False if it does not: then s is as great as it gets.
bool climb(const Pair& pair, const Vec3& move, Separation& r) {
    double share = std::min(1.0, 0.7 / norm(move));
    for (int halving = 0; halving < 30; ++halving) {
        const Separation next = pair.along(normalized(r.n + share * move));
        if (next.s > r.s) {
            r = next;
            return true;
        }
        share *= 0.5;
    }
    return false;
}

}  // namespace

CoreDistance ellipsoidDistance(const ShapeInPlace& a, const ShapeInPlace& b, double limit) {
    const Pair pair{matrixOf(a), matrixOf(b), a.pose.position - b.pose.position};
    const double apart = norm(pair.d);
    Separation r = pair.along(apart > 0 ? pair.d / apart : Vec3{0, 0, 1});
    for (int start = 0; start < 2 && apart > 0 && r.s <= limit; ++start) r = pair.along(pair.contactNormal(r));
    const double small = 1e-13 * (r.hA + r.hB);
    for (int iteration = 0; iteration < 100 && r.s <= limit; ++iteration) {
        const Step step = newtonStep(pair, r);
        if (step.gradient <= small) break;
        // Near the top s itself is known no better than to round-off: there the full step is taken as it is.
        if (normSquared(step.move) < 1e-14) {
            r = pair.along(normalized(r.n + step.move));
            break;
        }
        if (!climb(pair, step.move, r)) break;
    }
    return {r.s, r.n, a.pose.position - r.reachA, b.pose.position + r.reachB};
}

}  // namespace talus
