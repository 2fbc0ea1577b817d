// Random numbers: the published answers of the generator, and moments of what is drawn from it.
#include "base/random.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace talus {
namespace {

using Four = std::array<std::uint32_t, 4>;

// Known answers of philox4x32-10 from the Random123 distribution (kat_vectors).
TEST(Philox, GivesTheKnownAnswers) {
    EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Four{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    constexpr std::uint32_t all = 0xffffffff;
    EXPECT_EQ(philox({all, all, all, all}, {all, all}), (Four{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (Four{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

struct Moments {
    double mean = 0, variance = 0, skewness = 0, kurtosis = 0, low = 1e300, high = -1e300;
};

template <class Draw>
Moments measure(int count, Draw&& draw) {
    std::vector<double> values;
    Moments m;
    for (int k = 0; k < count; ++k) values.push_back(draw());
    for (const double v : values) m.mean += v / count, m.low = std::min(m.low, v), m.high = std::max(m.high, v);
    for (const double v : values) m.variance += (v - m.mean) * (v - m.mean) / count;
    for (const double v : values) {
        m.skewness += std::pow((v - m.mean) / std::sqrt(m.variance), 3) / count;
        m.kurtosis += std::pow((v - m.mean) / std::sqrt(m.variance), 4) / count;
    }
    return m;
}

// Tolerances are five standard errors of 200,000 draws or more.
TEST(Random, UniformNumbersHaveTheMomentsOfTheUnitInterval) {
    Random random(42, 3);
    const Moments m = measure(200000, [&] { return random.uniform(); });
    EXPECT_NEAR(m.mean, 0.5, 0.0033);
    EXPECT_NEAR(m.variance, 1.0 / 12, 0.001);
    EXPECT_GE(m.low, 0);
    EXPECT_LT(m.low, 1e-4);
    EXPECT_LT(m.high, 1);
    EXPECT_GT(m.high, 1 - 1e-4);
}

TEST(Random, NormalNumbersHaveTheMomentsOfTheBellCurve) {
    Random random(42, 4);
    const Moments m = measure(200000, [&] { return random.normal(); });
    EXPECT_NEAR(m.mean, 0, 0.012);
    EXPECT_NEAR(m.variance, 1, 0.016);
    EXPECT_NEAR(m.skewness, 0, 0.03);
    EXPECT_NEAR(m.kurtosis, 3, 0.06);
}

TEST(Random, AStreamContinuesFromItsCount) {
    Random whole(5, 1);
    for (int k = 0; k < 17; ++k) whole.normal();
    Random rest(5, 1, whole.drawn());
    for (int k = 0; k < 10; ++k) EXPECT_EQ(rest.uniform(), whole.uniform());
}

TEST(Random, StreamsAndSeedsAreIndependent) {
    Random a(1, 0), otherStream(1, 1), otherSeed(2, 0), highSeed(1 + (std::uint64_t{1} << 32), 0);
    double withStream = 0, withSeed = 0, withHighSeed = 0;
    constexpr int count = 20000;
    for (int k = 0; k < count; ++k) {
        const double x = a.uniform() - 0.5;
        withStream += x * (otherStream.uniform() - 0.5);
        withSeed += x * (otherSeed.uniform() - 0.5);
        withHighSeed += x * (highSeed.uniform() - 0.5);
    }
    // Five standard errors of a sum of products with variance 1/144.
    const double limit = 5 * std::sqrt(count / 144.0);
    EXPECT_LT(std::abs(withStream), limit);
    EXPECT_LT(std::abs(withSeed), limit);
    EXPECT_LT(std::abs(withHighSeed), limit);
}

TEST(Random, PointsFillTheirBox) {
    Random random(9, 0);
    Vec3 low{1, 1, 1}, high{-1, -1, -1};
    for (int k = 0; k < 2000; ++k) {
        const Vec3 p = random.inBox({-3, 0, 5}, {-2, 4, 5.5});
        for (int axis = 0; axis < 3; ++axis) {
            const double share = (p[axis] - Vec3{-3, 0, 5}[axis]) / Vec3{1, 4, 0.5}[axis];
            low[axis] = std::min(low[axis], share);
            high[axis] = std::max(high[axis], share);
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_GE(low[axis], 0);
        EXPECT_LT(low[axis], 0.01);
        EXPECT_LE(high[axis], 1);
        EXPECT_GT(high[axis], 0.99);
    }
}

}  // namespace
}  // namespace talus
