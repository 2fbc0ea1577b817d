#include "problem/plane_problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/matrix3.hpp"

namespace talus {
namespace {

double length(const PlaneVector& v) { return std::hypot(v.y, v.z); }

// Eigenvalues of a symmetric 2x2 matrix and the rotation into its axes.
struct Axes {
    double small = 0, large = 0;  // eigenvalues
    double c = 1, s = 0;          // first axis is (c, s), that of the small one

    explicit Axes(const PlaneMatrix& a) {
        const double mean = 0.5 * (a.yy + a.zz), half = 0.5 * (a.yy - a.zz);
        const double spread = std::hypot(half, a.yz);
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

// Root of a function that falls from positive at 0 to negative far out: bracketed secants that fall back to halves.
template <class Function>
double fallingRoot(Function&& f, double scale) {
    double low = 0, fLow = f(0.0);
    double high = scale, fHigh = f(high);
    for (int k = 0; k < 200 && fHigh > 0; ++k) {
        low = high, fLow = fHigh;
        high *= 8;
        fHigh = f(high);
    }
    int side = 0;
    for (int k = 0; k < 100 && high - low > 1e-15 * high; ++k) {
        double x = (low * fHigh - high * fLow) / (fHigh - fLow);  // Illinois rule
        if (!(x > low && x < high) || k % 8 == 7) x = 0.5 * (low + high);
        const double fx = f(x);
        if (fx == 0) return x;
        if (fx > 0) {
            low = x, fLow = fx;
            if (side == 1) fHigh *= 0.5;
            side = 1;
        } else {
            high = x, fHigh = fx;
            if (side == -1) fLow *= 0.5;
            side = -1;
        }
    }
    return 0.5 * (low + high);
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
    if (q.x >= mu * std::hypot(q.y, q.z)) return {};
    const Vec3 free = -(inverse(w) * q);
    if (std::hypot(free.y, free.z) <= mu * free.x) return free;

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
    const double scale = (std::abs(q.x) + mu * std::hypot(q.y, q.z)) / w(0, 0);
    const double normal = fallingRoot(negativeSlope, scale);
    negativeSlope(normal);
    const PlaneVector back = axes.outOf(t);
    return {normal, back.y, back.z};
}

Vec3 solveCoulomb(double mu, const Mat3& w, const Vec3& q) {
    if (q.x >= 0) return {};
    if (mu == 0) return {-q.x / w(0, 0), 0, 0};
    const Vec3 stick = -(inverse(w) * q);
    if (std::hypot(stick.y, stick.z) <= mu * stick.x) return stick;

    // Sliding: the normal part follows from u_n = 0, then (A + kappa) t = -b with |t| = mu g_n.
    const double a = 1 / w(0, 0);
    const PlaneVector row{w(0, 1), w(0, 2)}, column{w(1, 0), w(2, 0)};
    const Axes axes(PlaneMatrix{w(1, 1) - a * column.y * row.y,
                                w(1, 2) - 0.5 * a * (column.y * row.z + column.z * row.y),
                                w(2, 2) - a * column.z * row.z});
    const PlaneVector b = axes.into({q.y - a * column.y * q.x, q.z - a * column.z * q.x}), normalRow = axes.into(row);
    const auto normalOf = [&](const PlaneVector& t) { return -a * (q.x + normalRow.y * t.y + normalRow.z * t.z); };
    const auto excess = [&](double kappa) {
        const PlaneVector t = shifted(axes, b, kappa);
        return length(t) - mu * normalOf(t);
    };
    const double kappa = fallingRoot(excess, axes.large + length(b) * w(0, 0) / (mu * -q.x));
    const PlaneVector t = shifted(axes, b, kappa);
    const double normal = std::max(0.0, normalOf(t));
    const double size = length(t), stretch = size > 0 ? mu * normal / size : 0;
    const PlaneVector back = axes.outOf({stretch * t.y, stretch * t.z});
    return {normal, back.y, back.z};
}

}  // namespace talus
