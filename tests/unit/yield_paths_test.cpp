// One contact led along mixed paths, past its cap, its cone and its ball at once, beside the law integrated by other
// means: the nearest force of the yield surface in the metric of the springs, searched for along the outline of the
// surface piece by piece.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "unit/led_contact.hpp"

namespace talus {
namespace {

using test::LedContact;
using test::LedLaw;

constexpr double mm = 1e-3;  // m

struct Force {
    double normal, shear;  // N
};

// Springs of 10 and 5 N/mm, associated flow.
class SearchedLaw {
public:
    SearchedLaw(double friction, double cohesion, double cap, double rounding)
        : angle_(std::atan(friction)), cohesion_(cohesion), last_(cap - rounding), rounding_(rounding) {}

    Force move(double opening, double slip) {
        const Force trial{force_.normal - normalStiffness * opening, force_.shear - shearStiffness * slip};
        force_ = isInside(trial) ? trial : nearest(trial);
        return force_;
    }

private:
    static constexpr double normalStiffness = 1e4, shearStiffness = 5e3;  // N/m
    static constexpr double right = std::numbers::pi / 2;

    double rim() const { return std::tan(angle_) * (last_ + cohesion_); }
    Force aroundBy(Force centre, double direction) const {
        return {centre.normal + rounding_ * std::cos(direction), centre.shear + rounding_ * std::sin(direction)};
    }
    // The outline above the normal axis: around the apex, along the mantle, around the rim, down the cap; 0 <= s <= 1.
    Force outline(int piece, double s) const {
        const Force apex{-cohesion_, 0}, corner{last_, rim()};
        if (piece == 0) return aroundBy(apex, 2 * right + s * (angle_ - right));
        if (piece == 1) return aroundBy({apex.normal + s * (last_ + cohesion_), s * corner.shear}, right + angle_);
        if (piece == 2) return aroundBy(corner, (1 - s) * (right + angle_));
        return {last_ + rounding_, (1 - s) * corner.shear};
    }
    // Left of all tangents of the outline, which is convex.
    bool isInside(const Force& f) const {
        const double shear = std::abs(f.shear);
        for (int piece = 0; piece < 4; ++piece) {
            constexpr int parts = 400;
            for (int k = 0; k < parts; ++k) {
                const Force a = outline(piece, k / double(parts)), b = outline(piece, (k + 1) / double(parts));
                const double turn =
                    (b.normal - a.normal) * (shear - a.shear) - (b.shear - a.shear) * (f.normal - a.normal);
                if (turn > 0) return false;
            }
        }
        return true;
    }
    Force nearest(const Force& f) const {
        const double sign = f.shear < 0 ? -1 : 1;
        Force best{};
        double least = std::numeric_limits<double>::infinity();
        for (int piece = 0; piece < 4; ++piece) {
            const auto distance = [&](double s) {
                const Force p = outline(piece, s);
                return std::pow(p.normal - f.normal, 2) / normalStiffness +
                       std::pow(p.shear - sign * f.shear, 2) / shearStiffness;
            };
            double low = 0, high = 1;
            for (int k = 0; k < 80; ++k) {
                const double a = low + 0.382 * (high - low), b = low + 0.618 * (high - low);
                (distance(a) < distance(b) ? high : low) = distance(a) < distance(b) ? b : a;
            }
            if (distance(low) >= least) continue;
            least = distance(low);
            best = {outline(piece, low).normal, sign * outline(piece, low).shear};
        }
        return best;
    }

    double angle_, cohesion_, last_, rounding_;  // rad, N, N: of the cone alone, N
    Force force_{0, 0};
};

struct Limits {
    double friction, cohesion, cap, rounding;  // -, N, N, N
};

TEST(YieldingContact, FollowsMixedPathsAsTheNearestForceOfItsYieldSurfaceDoes) {
    for (const Limits& l :
         {Limits{0.5, 10, 40, 5}, Limits{0.5, 0, 30, 10}, Limits{1, 5, 25, 0.5}, Limits{0.1, 20, 30, 8}}) {
        LedContact contact({.yield = {.rounding = l.rounding, .cap = l.cap},
                            .friction = l.friction,
                            .cohesion = l.cohesion,
                            .flow = FrictionLaw::associated});
        SearchedLaw law(l.friction, l.cohesion, l.cap, l.rounding);
        // In and out once while it goes to and fro three times.
        const auto gap = [](double t) { return -6 * mm * std::sin(2 * std::numbers::pi * t); };
        const auto way = [](double t) { return 5 * mm * std::sin(6 * std::numbers::pi * t); };
        constexpr int steps = 300;
        for (int k = 0; k < steps; ++k) {
            const double t = k / double(steps), next = (k + 1) / double(steps);
            const double opening = gap(next) - gap(t), slip = way(next) - way(t);
            const Vec3 force = contact.move({opening, slip, 0});
            const Force expected = law.move(opening, slip);
            ASSERT_NEAR(force.x, expected.normal, 2e-3) << "friction " << l.friction << ", step " << k;
            ASSERT_NEAR(force.y, expected.shear, 2e-3) << "friction " << l.friction << ", step " << k;
        }
    }
}

}  // namespace
}  // namespace talus
