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

// A contact that slides: the normal part follows from u_n = 0, then (A + kappa) t = -b with |t| = mu g_n. A need not be
// symmetric.
class Sliding {
public:
    Sliding(double friction, const Mat3& w, const Vec3& q)
        : mu_(friction),
          row_{w(0, 1) / w(0, 0), w(0, 2) / w(0, 0)},
          alone_(-q.x / w(0, 0)),
          yy_(w(1, 1) - w(1, 0) * row_.y),
          yz_(w(1, 2) - w(1, 0) * row_.z),
          zy_(w(2, 1) - w(2, 0) * row_.y),
          zz_(w(2, 2) - w(2, 0) * row_.z),
          b_{q.y + w(1, 0) * alone_, q.z + w(2, 0) * alone_} {}

    // About where kappa is to be looked for.
    double scale() const { return 0.5 * (yy_ + zz_) + length(b_) / (mu_ * alone_); }

    PlaneVector tangentAt(double kappa) const { return solve(kappa, {-b_.y, -b_.z}); }
    double normalOf(const PlaneVector& t) const { return alone_ - (row_.y * t.y + row_.z * t.z); }
    double excess(double kappa) const {
        const PlaneVector t = tangentAt(kappa);
        return length(t) - mu_ * normalOf(t);
    }

    // Newton's method for mu g_n/|t| = 1, which is nearly straight in kappa: a few steps from 0. Negative if it goes
    // astray, as it may where tangential forces lift the contact.
    double byNewton() const {
        double kappa = 0;
        for (int k = 0; k < 12; ++k) {
            const PlaneVector t = tangentAt(kappa), change = solve(kappa, {-t.y, -t.z});
            const double size = length(t), share = normalOf(t) / size;
            const double stretched = (t.y * change.y + t.z * change.z) / (size * size);
            const double rate = -(row_.y * change.y + row_.z * change.z) / size - share * stretched;
            const double step = (1 / mu_ - share) / rate;
            if (!(rate > 0 && kappa + step >= 0)) return -1;
            kappa += step;
            // The next step would be as small beside this one as this one is beside kappa.
            if (std::abs(step) <= 1e-8 * (0.5 * (yy_ + zz_) + kappa)) return kappa;
        }
        return -1;
    }

private:
    // (A + kappa)^-1 v.
    PlaneVector solve(double kappa, const PlaneVector& v) const {
        const double s = 1 / ((yy_ + kappa) * (zz_ + kappa) - yz_ * zy_);
        return {s * ((zz_ + kappa) * v.y - yz_ * v.z), s * ((yy_ + kappa) * v.z - zy_ * v.y)};
    }

    double mu_;
    PlaneVector row_;
    double alone_;  // g_n without friction
    double yy_, yz_, zy_, zz_;
    PlaneVector b_;
};

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

    const Sliding sliding(mu, w, q);
    // Impulses that fade from step to step end as the smallest numbers there are: too little to find friction from.
    if (!std::isfinite(sliding.scale())) return {-q.x / w(0, 0), 0, 0};
    double kappa = sliding.byNewton();
    if (kappa < 0) kappa = fallingRoot([&](double k) { return sliding.excess(k); }, sliding.scale());
    const PlaneVector t = sliding.tangentAt(kappa);
    const double normal = std::max(0.0, sliding.normalOf(t));
    const double size = length(t), stretch = size > 0 ? mu * normal / size : 0;
    return {normal, stretch * t.y, stretch * t.z};
}

}  // namespace talus
