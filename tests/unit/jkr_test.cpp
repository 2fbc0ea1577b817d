#include "laws/jkr.hpp"

#include <gtest/gtest.h>

namespace talus {
namespace {

constexpr double radius = 2e-3, modulus = 3e6, work = 0.1;

double overlapAt(double a) { return a * a / radius - std::sqrt(2 * M_PI * work * a / modulus); }

double snapRadius() { return std::cbrt(M_PI * work * radius * radius / (8 * modulus)); }

TEST(CubeRoot, IsThatOfADoubleToRoundOffInEveryLane) {
    EXPECT_EQ(jkr::cubeRoot(0.0), 0.0);
    for (double x = 1e-30; x < 1e30; x *= 1.37) {
        const double root = jkr::cubeRoot(x);
        EXPECT_NEAR(root / std::cbrt(x), 1, 1e-15) << x;
        EXPECT_EQ(jkr::cubeRoot(Pack(x))[5], root) << x;
    }
}

TEST(Jkr, ContactRadiusSolvesTheEquationOfTheOverlap) {
    const double snap = jkr::breakingOverlap(radius, modulus, work);
    for (const double overlap : {0.999 * snap, 0.5 * snap, 0.0, 1e-7, 1e-5, 1e-3}) {
        const double a = jkr::contactRadius(overlap, radius, modulus, work);
        EXPECT_NEAR(overlapAt(a), overlap, 1e-12 * radius);
        EXPECT_GE(a, snapRadius()) << "the stable branch";
    }
}

TEST(Jkr, NeckEndsWhereTheOverlapIsSmallest) {
    const double snap = jkr::breakingOverlap(radius, modulus, work);
    EXPECT_NEAR(snap, overlapAt(snapRadius()), 1e-12 * radius);
    EXPECT_GT(overlapAt(1.01 * snapRadius()), snap);
    EXPECT_GT(overlapAt(0.99 * snapRadius()), snap);
    EXPECT_LT(snap, 0);
}

TEST(Jkr, LargestTensionIsThreeHalvesPiTimesWorkTimesRadius) {
    double largest = 0;
    for (double a = snapRadius(); a < 10 * snapRadius(); a *= 1.0001) {
        largest = std::max(largest, -jkr::force(a, radius, modulus, work));
    }
    EXPECT_NEAR(largest / (1.5 * M_PI * work * radius), 1, 1e-7);
}

TEST(Jkr, ForceIsTheSlopeOfTheEnergy) {
    EXPECT_NEAR(jkr::energy(jkr::contactRadius(0, radius, modulus, work), radius, modulus, work), 0, 1e-20);
    for (const double a : {1.2 * snapRadius(), 2 * snapRadius(), 6 * snapRadius()}) {
        const double h = 1e-4 * a;
        const double slope = (jkr::energy(a + h, radius, modulus, work) - jkr::energy(a - h, radius, modulus, work)) /
                             (overlapAt(a + h) - overlapAt(a - h));
        EXPECT_NEAR(slope, jkr::force(a, radius, modulus, work), 1e-6 * M_PI * work * radius);
    }
}

TEST(Jkr, WithoutAdhesionIsHertz) {
    const double overlap = 1e-5, a = jkr::contactRadius(overlap, radius, modulus, 0);
    EXPECT_NEAR(a, std::sqrt(radius * overlap), 1e-12);
    EXPECT_NEAR(jkr::force(a, radius, modulus, 0), 4.0 / 3 * modulus * std::sqrt(radius) * std::pow(overlap, 1.5),
                1e-10);
}

}  // namespace
}  // namespace talus
