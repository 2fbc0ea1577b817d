#include "collision/narrow/ellipsoids.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

// Of the size: a gradient this small is none. The normal is then known to about 1e-11, the distance to round-off.
constexpr double flat = 1e-11;
constexpr double shortStep = 1e-3;  // rad
constexpr int mostIterations = 100;

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

Symmetric matrixOf(const ConvexCore& body) {
    const Vec3& semi = std::get<EllipsoidShape>(*body.shape).semiAxes;
    const Mat3& r = body.axes;
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
    // Of s on the unit sphere, m: across n.
    Vec3 gradient(const Separation& r) const { return d - r.reachA - r.reachB - r.s * r.n; }
};

// Two unit vectors across n and each other (Duff et al., J. Comput. Graphics Techniques 6, 2017).
struct Across {
    Vec3 u, v;

    explicit Across(const Vec3& n) {
        const double sign = std::copysign(1.0, n.z), a = -1 / (sign + n.z), b = n.x * n.y * a;
        u = {1 + sign * n.x * n.x * a, sign * b, -sign * n.x};
        v = {b, sign + n.y * n.y * a, -n.y};
    }
};

// Newton's method for the greatest s on the unit sphere, in the plane across n: minus the inverse of the second
// derivative there. Where s does not curve downward, steps go along the gradient.
struct Newton {
    Across across;
    double uu, uv, vv;  // 1/m

    Newton(const Pair& pair, const Separation& r) : across(r.n) {
        const auto& [u, v] = across;
        // That of the support functions, E/h - (E n)(E n)^T/h^3, and s of the sphere.
        const double inverseA = 1 / r.hA, inverseB = 1 / r.hB;
        const Symmetric e = combination(inverseA, pair.a, inverseB, pair.b);
        const Vec3 eu = e * u, ev = e * v;
        const double au = dot(r.reachA, u), av = dot(r.reachA, v), bu = dot(r.reachB, u), bv = dot(r.reachB, v);
        const double fuu = dot(u, eu) - au * au * inverseA - bu * bu * inverseB + r.s;
        const double fvv = dot(v, ev) - av * av * inverseA - bv * bv * inverseB + r.s;
        const double fuv = dot(u, ev) - au * av * inverseA - bu * bv * inverseB;
        const double determinant = fuu * fvv - fuv * fuv, sum = fuu + fvv;
        if (determinant > 1e-12 * sum * sum && sum > 0) {
            const double inverse = 1 / determinant;
            uu = inverse * fvv, uv = -inverse * fuv, vv = inverse * fuu;
        } else {
            uu = vv = 1 / (r.hA + r.hB), uv = 0;
        }
    }

    Vec3 step(const Vec3& gradient) const {
        const double gu = dot(gradient, across.u), gv = dot(gradient, across.v);
        return (uu * gu + uv * gv) * across.u + (uv * gu + vv * gv) * across.v;
    }
};

// Takes the step, shortened until s rises. False if it does not: then s is as great as it gets.
bool climb(const Pair& pair, const Vec3& move, Separation& r) {
    // Near the top s itself is known no better than to round-off: there the full step is taken as it is.
    const double length = norm(move);
    if (length < 1e-7) {
        r = pair.along(normalized(r.n + move));
        return true;
    }
    double share = std::min(1.0, 0.7 / length);
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

// Where the search begins without a normal that is known to be near.
Separation startOf(const Pair& pair, double limit) {
    const double apart = norm(pair.d);
    Separation r = pair.along(apart > 0 ? pair.d / apart : Vec3{0, 0, 1});
    for (int start = 0; start < 2 && apart > 0 && r.s <= limit; ++start) r = pair.along(pair.contactNormal(r));
    return r;
}

// Ends where the gradient is small, and there stays as it is: from its own answer the search goes nowhere. After a
// short step the second derivative is the same but for a part as small, and serves once more.
void climbToTheTop(const Pair& pair, double limit, Separation& r) {
    const double small = flat * (r.hA + r.hB);
    for (int iteration = 0; iteration < mostIterations && r.s <= limit; ++iteration) {
        Vec3 gradient = pair.gradient(r);
        if (normSquared(gradient) <= small * small) return;
        const Newton newton(pair, r);
        const Vec3 move = newton.step(gradient);
        if (!climb(pair, move, r)) return;
        if (normSquared(move) > shortStep * shortStep) continue;
        gradient = pair.gradient(r);
        if (normSquared(gradient) <= small * small) return;
        r = pair.along(normalized(r.n + newton.step(gradient)));
    }
}

}  // namespace

CoreDistance ellipsoidDistance(const ConvexCore& a, const ConvexCore& b, double limit, const Vec3* near) {
    const Pair pair{matrixOf(a), matrixOf(b), a.centre - b.centre};
    Separation r = near != nullptr ? pair.along(*near) : startOf(pair, limit);
    climbToTheTop(pair, limit, r);
    return {r.s, r.n, a.centre - r.reachA, b.centre + r.reachB};
}

double ellipsoidCurvature(const ConvexCore& body, const Vec3& reach, const Vec3& normal) {
    // The sum of the principal radii is (trace E - |E n/h|^2)/h, their product det E/h^4.
    const Vec3 semi = body.scale * std::get<EllipsoidShape>(*body.shape).semiAxes;
    const double h = std::abs(dot(reach, normal)), product = semi.x * semi.y * semi.z;
    return 0.5 * (normSquared(semi) - normSquared(reach)) * h * h * h / (product * product);
}

}  // namespace talus
