#include "contacts/narrow/ellipsoid/ellipsoids.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

constexpr int mostIterations = 100;

using Symmetric = SymmetricOf<double>;
using Separation = SeparationOf<double>;
using Pair = EllipsoidPairOf<double>;

// Direction of m^-1 v for a positive definite m: the adjugate is enough.
Vec3 solveDirection(const Symmetric& m, const Vec3& v) {
    const double xx = m.yy * m.zz - m.yz * m.yz, yy = m.xx * m.zz - m.xz * m.xz, zz = m.xx * m.yy - m.xy * m.xy;
    const double xy = m.xz * m.yz - m.xy * m.zz, xz = m.xy * m.yz - m.xz * m.yy, yz = m.xy * m.xz - m.xx * m.yz;
    return normalized(Symmetric{xx, xy, xz, yy, yz, zz} * v);
}

Vec3 contactNormal(const Pair& pair, const Separation& r) {
    return solveDirection(combination(1 / r.hA, pair.a, 1 / r.hB, pair.b), pair.d);
}

// Takes the step, shortened until s rises. False if it does not: then s is as great as it gets.
bool climb(const Pair& pair, const Vec3& gradient, const Vec3& move, Separation& r) {
    // Near the top s itself is known no better than to round-off: there the full step is taken as it is.
    if (dot(gradient, move) < 1e-12 * (r.hA + r.hB)) {
        r = pair.along(unitOf(r.n + move));
        return true;
    }
    double share = std::min(1.0, 0.7 / norm(move));
    for (int halving = 0; halving < 30; ++halving) {
        const Separation next = pair.along(unitOf(r.n + share * move));
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
    for (int start = 0; start < 2 && apart > 0 && r.s <= limit; ++start) r = pair.along(contactNormal(pair, r));
    return r;
}

// Ends where the gradient is small, and there stays as it is: from its own answer the search goes nowhere. After a
// short step the second derivative is the same but for a part as small, and serves once more.
void climbToTheTop(const Pair& pair, double limit, Separation& r) {
    for (int iteration = 0; iteration < mostIterations && r.s <= limit; ++iteration) {
        Vec3 gradient = pair.gradient(r);
        if (normSquared(gradient) <= r.smallSquare()) return;
        const EllipsoidNewton<double> newton(pair, r);
        const Vec3 move = newton.step(gradient);
        if (!climb(pair, gradient, move, r)) return;
        if (normSquared(move) > shortStep * shortStep) continue;
        gradient = pair.gradient(r);
        if (normSquared(gradient) <= r.smallSquare()) return;
        r = pair.along(unitOf(r.n + newton.step(gradient)));
    }
}

}  // namespace

EllipsoidInPlace::EllipsoidInPlace(const ConvexCore& body) : centre(body.centre), scale(body.scale) {
    const Vec3 semi = body.scale * std::get<EllipsoidShape>(*body.shape).semiAxes, e = hadamard(semi, semi);
    const Mat3& r = body.axes;
    const Vec3 x{r.m[0] * e.x, r.m[1] * e.y, r.m[2] * e.z}, y{r.m[3] * e.x, r.m[4] * e.y, r.m[5] * e.z},
        z{r.m[6] * e.x, r.m[7] * e.y, r.m[8] * e.z};
    const Vec3 rx{r.m[0], r.m[1], r.m[2]}, ry{r.m[3], r.m[4], r.m[5]}, rz{r.m[6], r.m[7], r.m[8]};
    matrix = {dot(x, rx), dot(x, ry), dot(x, rz), dot(y, ry), dot(y, rz), dot(z, rz)};
    determinant = e.x * e.y * e.z;
}

EllipsoidDistance ellipsoidDistance(const EllipsoidInPlace& a, const EllipsoidInPlace& b, double limit,
                                    const Vec3* near) {
    const Pair pair{a.matrix, b.matrix, a.centre - b.centre};
    Separation r = near != nullptr ? pair.along(*near) : startOf(pair, limit);
    climbToTheTop(pair, limit, r);
    const double curvature =
        curvatureAt(pair.a, a.determinant, r.reachA, r.hA) + curvatureAt(pair.b, b.determinant, r.reachB, r.hB);
    return {{r.s, r.n, a.centre - r.reachA, b.centre + r.reachB}, 1 / curvature};
}

}  // namespace talus
