// The closest point of a curve against all of its points.
#include "geometry/nurbs/closest_point.hpp"

#include <gtest/gtest.h>

#include "unit/curve_samples.hpp"

namespace talus {
namespace {

using namespace test;

std::vector<Vec2> finePolygon(const NurbsCurve& curve, int count) {
    std::vector<Vec2> points;
    for (int k = 0; k < count; ++k)
        points.push_back(curve.at(curve.begin() + (curve.end() - curve.begin()) * k / count));
    return points;
}

double distanceToAny(const std::vector<Vec2>& points, const Vec2& x) {
    double least = 1e300;
    for (const Vec2& p : points) least = std::min(least, normSquared(p - x));
    return std::sqrt(least);
}

// By the number of sides that a ray to the right crosses.
bool isInside(const std::vector<Vec2>& polygon, const Vec2& x) {
    bool inside = false;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec2 &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        if ((a.y > x.y) != (b.y > x.y) && x.x < a.x + (b.x - a.x) * (x.y - a.y) / (b.y - a.y)) inside = !inside;
    }
    return inside;
}

// 10 curves of 10,000 points.
TEST(ClosestPoint, IsNeverFartherThanAnyPointOfTheCurve) {
    for (const auto& [name, definition] : manyCurves()) {
        const NurbsCurve curve(definition);
        const CurveTree tree(curve);
        const std::vector<Vec2> fine = finePolygon(curve, 1500);
        Random random(1, 0);
        int wrongSide = 0, wrongPlace = 0;
        double excess = 0;
        for (int k = 0; k < 10'000; ++k) {
            // Half of the points anywhere, half near the curve.
            Vec2 x{random.uniform(-2, 2), random.uniform(-2, 2)};
            if (k % 2 == 0) x = fine[static_cast<std::size_t>(random.uniform() * 1500)] + 0.03 * x;
            const ClosestPoint c = tree.closestPoint(x);
            excess = std::max(excess, std::abs(c.gap) - distanceToAny(fine, x));
            wrongSide += std::abs(c.gap) > 1e-3 && isInside(fine, x) != (c.gap < 0);
            wrongPlace +=
                norm(c.point - curve.at(c.parameter)) > 1e-13 || std::abs(norm(x - c.point) - std::abs(c.gap)) > 1e-14;
        }
        EXPECT_LE(excess, 1e-14) << name;
        EXPECT_EQ(wrongSide, 0) << name;
        EXPECT_EQ(wrongPlace, 0) << name;
    }
}

TEST(ClosestPoint, LiesAlongItsNormal) {
    for (const auto& [name, definition] : manyCurves()) {
        const NurbsCurve curve(definition);
        const CurveTree tree(curve);
        Random random(2, 0);
        for (int k = 0; k < 2000; ++k) {
            const Vec2 x{random.uniform(-2, 2), random.uniform(-2, 2)};
            const ClosestPoint c = tree.closestPoint(x);
            EXPECT_NEAR(norm(c.normal), 1, 1e-14);
            EXPECT_NEAR(norm(c.point + c.gap * c.normal - x), 0, 1e-6 * std::abs(c.gap) + 1e-14) << name;
        }
    }
}

TEST(ClosestPoint, DoesNotDependOnTheHint) {
    for (const auto& [name, definition] : manyCurves()) {
        const NurbsCurve curve(definition);
        const CurveTree tree(curve);
        Random random(3, 0);
        for (int k = 0; k < 2000; ++k) {
            const Vec2 x{random.uniform(-2, 2), random.uniform(-2, 2)};
            const ClosestPoint plain = tree.closestPoint(x);
            for (const double hint : {random.uniform(curve.begin(), curve.end()), plain.parameter, -7.0, 1e9}) {
                const ClosestPoint hinted = tree.closestPoint(x, hint);
                EXPECT_EQ(plain.parameter, hinted.parameter) << name;
                EXPECT_EQ(plain.gap, hinted.gap) << name;
                EXPECT_EQ(plain.normal, hinted.normal) << name;
            }
        }
    }
}

TEST(ClosestPoint, OfACircleIsFoundFromItsCentreToo) {
    const CurveTree tree{NurbsCurve(circle(3, {1, 2}))};
    EXPECT_NEAR(tree.closestPoint({1, 2}).gap, -3, 1e-14);
    EXPECT_NEAR(tree.closestPoint({1 + 1e-15, 2}).gap, -3, 1e-14);
    const ClosestPoint far = tree.closestPoint({1 + 3e6, 2 + 4e6});
    EXPECT_NEAR(far.gap, 5e6 - 3, 1e-8);
    EXPECT_NEAR(far.normal.x, 0.6, 1e-9);
}

TEST(ClosestPoint, OfASquareIsACornerOrASide) {
    const CurveTree tree{NurbsCurve(square(2))};
    const ClosestPoint corner = tree.closestPoint({4, 5});
    EXPECT_DOUBLE_EQ(corner.gap, 5);
    EXPECT_TRUE(corner.atCorner);
    EXPECT_NEAR(norm(corner.normal - Vec2{0.6, 0.8}), 0, 1e-15);
    const ClosestPoint onCorner = tree.closestPoint({1, 1});
    EXPECT_EQ(onCorner.gap, 0);
    EXPECT_NEAR(norm(onCorner.normal - std::sqrt(0.5) * Vec2{1, 1}), 0, 1e-15);
    const ClosestPoint side = tree.closestPoint({0.25, 0.75});
    EXPECT_DOUBLE_EQ(side.gap, -0.25);
    EXPECT_FALSE(side.atCorner);
    EXPECT_NEAR(norm(side.normal - Vec2{0, 1}), 0, 1e-15);
}

TEST(ClosestPoint, OfAPointOnTheCurveIsThatPoint) {
    for (const auto& [name, definition] : manyCurves()) {
        const NurbsCurve curve(definition);
        const CurveTree tree(curve);
        for (const Vec2& x : finePolygon(curve, 997)) EXPECT_NEAR(tree.closestPoint(x).gap, 0, 1e-14) << name;
    }
}

}  // namespace
}  // namespace talus
