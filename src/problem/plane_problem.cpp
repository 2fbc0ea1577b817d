#include "problem/plane_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/matrix3.hpp"
#include "problem/falling_root.hpp"

namespace talus {
namespace {

// Not std::hypot, which guards against overflow at ten times the cost.
double length(double y, double z) { return std::sqrt(y * y + z * z); }
double length(const PlaneVector& v) { return length(v.y, v.z); }

// Eigenvalues of a symmetric 2x2 matrix and the rotation into its axes.
struct Axes {
    double small = 0, large = 0;  // eigenvalues
    double c = 1, s = 0;          // first axis is (c, s), that of the small one

    explicit Axes(const PlaneMatrix& a) {
        const double mean = 0.5 * (a.yy + a.zz), half = 0.5 * (a.yy - a.zz);
        const double spread = length(half, a.yz);
        small = mean - spread;
        large = mean + spread;
        const double angle = 0.5 * std::atan2(2 * a.yz, a.yy - a.zz);  // of the axis of the large one
        c = -std::sin(angle);
        s = std::cos(angle);
    }
    PlaneVector into(const PlaneVector& v) const { return {c * v.y + s * v.z, -s * v.y + c * v.z}; }
    PlaneVector outOf(const PlaneVector& v) const { return {c * v.y - s * v.z, s * v.y + c * v.z}; }
};

// -(A + shift)^-1 b in the axes of A.
PlaneVector shifted(const Axes& axes, const PlaneVector& b, double shift) {
    return {-b.y / (axes.small + shift), -b.z / (axes.large + shift)};
}

// How |t| on a disc and the force that holds it there depend on each other.
struct OnCircle {
    PlaneVector t;      // in the axes of A
    double multiplier;  // kappa >= 0: (A + kappa) t = -b
};

OnCircle minimiseInAxes(const Axes& axes, const PlaneVector& b, double radius) {
    const PlaneVector free = shifted(axes, b, 0);
    if (length(free) <= radius) return {free, 0};
    if (radius <= 0) return {{}, std::numeric_limits<double>::infinity()};
    // Newton on 1/radius - 1/|t|, concave in kappa: from the left it never overshoots.
    double kappa = std::max(0.0, length(b) / radius - axes.large);
    // A disc so small beside the load that it cannot be told from a point.
    if (!std::isfinite(kappa)) return {{}, kappa};
    PlaneVector t = shifted(axes, b, kappa);
    for (int k = 0; k < 60; ++k) {
        const double size = length(t);
        const double fall = t.y * t.y / (axes.small + kappa) + t.z * t.z / (axes.large + kappa);
        const double step = (size * size / fall) * (size / radius - 1);
        if (!(std::abs(step) > 4e-16 * (axes.large + kappa))) break;
        kappa = std::max(0.0, kappa + step);
        t = shifted(axes, b, kappa);
    }
    const double stretch = radius / length(t);
    return {{stretch * t.y, stretch * t.z}, kappa};
}

}  // namespace

PlaneVector minimiseOnDisc(const PlaneMatrix& a, const PlaneVector& b, double radius) {
    const Axes axes(a);
    return axes.outOf(minimiseInAxes(axes, axes.into(b), radius).t);
}

Vec3 minimiseOnPlainCone(double mu, const Mat3& w, const Vec3& q) {
    if (mu == 0) return {std::max(0.0, -q.x / w(0, 0)), 0, 0};
    if (q.x >= mu * length(q.y, q.z)) return {};
    const Vec3 free = -(inverse(w) * q);
    if (length(free.y, free.z) <= mu * free.x) return free;

    // On the mantle. With the best tangential part for each normal part, the objective is convex in the normal part,
    // and its slope is u_n - mu |u_t|.
    const Axes axes(PlaneMatrix{w(1, 1), w(1, 2), w(2, 2)});
    const PlaneVector coupling = axes.into({w(1, 0), w(2, 0)}), linear = axes.into({q.y, q.z});
    PlaneVector t;
    const auto negativeSlope = [&](double normal) {
        const PlaneVector b{linear.y + normal * coupling.y, linear.z + normal * coupling.z};
        const OnCircle best = minimiseInAxes(axes, b, mu * normal);
        t = best.t;
        const double slip =
            normal > 0 ? best.multiplier * length(t) : std::max(0.0, length(b));  // |u_t|, at the apex without t
        return -(w(0, 0) * normal + coupling.y * t.y + coupling.z * t.z + q.x - mu * slip);
    };
    const double scale = (std::abs(q.x) + mu * length(q.y, q.z)) / w(0, 0);
    const double normal = fallingRoot(negativeSlope, scale);
    negativeSlope(normal);
    const PlaneVector back = axes.outOf(t);
    return {normal, back.y, back.z};
}

Vec3 solveCoulomb(double mu, const Mat3& w, const Vec3& q) {
    if (q.x >= 0) return {};
    if (mu == 0) return {-q.x / w(0, 0), 0, 0};
    const Vec3 stick = -(inverse(w) * q);
    if (length(stick.y, stick.z) <= mu * stick.x) return stick;

    // Sliding: the normal part follows from u_n = 0, then (A + kappa) t = -b with |t| = mu g_n. A need not be
    // symmetric.
    const double a = 1 / w(0, 0);
    const PlaneVector row{a * w(0, 1), a * w(0, 2)};
    const double yy = w(1, 1) - w(1, 0) * row.y, yz = w(1, 2) - w(1, 0) * row.z;
    const double zy = w(2, 1) - w(2, 0) * row.y, zz = w(2, 2) - w(2, 0) * row.z;
    const PlaneVector b{q.y - a * w(1, 0) * q.x, q.z - a * w(2, 0) * q.x};
    const auto tangentAt = [&](double kappa) -> PlaneVector {
        const double s = 1 / ((yy + kappa) * (zz + kappa) - yz * zy);
        return {-s * ((zz + kappa) * b.y - yz * b.z), -s * ((yy + kappa) * b.z - zy * b.y)};
    };
    const auto normalOf = [&](const PlaneVector& t) { return -(a * q.x + row.y * t.y + row.z * t.z); };
    const auto excess = [&](double kappa) {
        const PlaneVector t = tangentAt(kappa);
        return length(t) - mu * normalOf(t);
    };
    const double scale = 0.5 * (yy + zz) + length(b) * w(0, 0) / (mu * -q.x);
    // Impulses that fade from step to step end as the smallest numbers there are: too little to find friction from.
    if (!std::isfinite(scale)) return {-a * q.x, 0, 0};
    const double kappa = fallingRoot(excess, scale);
    const PlaneVector t = tangentAt(kappa);
    const double normal = std::max(0.0, normalOf(t));
    const double size = length(t), stretch = size > 0 ? mu * normal / size : 0;
    return {normal, stretch * t.y, stretch * t.z};
}

}  // namespace talus
