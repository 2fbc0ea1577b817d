#include "solvers/interior/second_order_cone.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"

namespace talus {
namespace {

Vec3 randomInside(Random& random) {
    Vec3 x = random.inBox({-1, -1, -1}, {1, 1, 1});
    x.x = cone::tangent(x) + random.uniform(1e-6, 1);
    return x;
}

TEST(SecondOrderCone, ScalingBringsBothPointsToOne) {
    Random random(1, 0);
    for (int k = 0; k < 1000; ++k) {
        const Vec3 x = randomInside(random), z = randomInside(random);
        const cone::Spectral n = cone::scaling(x, z);
        const Vec3 forth = n.matrix() * z, back = n.each([](double a) { return 1 / a; }).matrix() * x;
        EXPECT_LT(norm(forth - back), 1e-9 * norm(forth));
        EXPECT_GT(cone::least(forth), 0);
    }
}

TEST(SecondOrderCone, DivisionUndoesTheProduct) {
    Random random(2, 0);
    for (int k = 0; k < 1000; ++k) {
        const Vec3 x = randomInside(random), y = random.inBox({-1, -1, -1}, {1, 1, 1});
        EXPECT_LT(norm(cone::divide(cone::product(x, y), x) - y), 1e-8);
    }
}

TEST(SecondOrderCone, LongestStepEndsOnTheBorder) {
    Random random(3, 0);
    int bounded = 0;
    for (int k = 0; k < 1000; ++k) {
        const Vec3 x = randomInside(random), d = random.inBox({-1, -1, -1}, {1, 1, 1});
        const double step = cone::longestStep(x, d);
        if (!std::isfinite(step)) {
            EXPECT_GE(cone::least(d), -1e-12);
            continue;
        }
        ++bounded;
        EXPECT_GT(cone::least(x + (0.999999 * step) * d), 0);
        EXPECT_NEAR(cone::least(x + step * d), 0, 1e-9 * (1 + step));
    }
    EXPECT_GT(bounded, 500);
}

TEST(SecondOrderCone, HalfLinesAreConesWithoutTangents) {
    EXPECT_DOUBLE_EQ(cone::longestStep({2, 0, 0}, {-0.5, 0, 0}), 4);
    EXPECT_EQ(cone::longestStep({2, 0, 0}, {0.5, 0, 0}), std::numeric_limits<double>::infinity());
    EXPECT_DOUBLE_EQ(cone::scaling({4, 0, 0}, {1, 0, 0}).matrix()(0, 0), 2);
}

}  // namespace
}  // namespace talus
