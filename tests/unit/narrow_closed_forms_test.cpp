// Contacts whose answer is known in closed form.
#include <gtest/gtest.h>

#include "contacts/narrow/ellipsoid/curvature.hpp"
#include "contacts/narrow/point_distance.hpp"
#include "convex_samples.hpp"

namespace talus {
namespace {

const Shape sphere = SphereShape{};

ContactPoint only(const ShapeInPlace& a, const ShapeInPlace& b) {
    std::vector<ContactPoint> points;
    findContactPoints(a, b, 1e5, points);
    EXPECT_EQ(points.size(), 1u);
    return points.empty() ? ContactPoint{} : points[0];
}

TEST(SphereContacts, OfTwoSpheresLieOnTheLineOfCentres) {
    const ContactPoint p = only({&sphere, 0.3, {{0, 0, 1}, {}}}, {&sphere, 0.5, {}});
    EXPECT_NEAR(p.gap, 0.2, 1e-15);
    EXPECT_NEAR(norm(p.normal - Vec3{0, 0, 1}), 0, 1e-15);
    EXPECT_NEAR(norm(p.position - Vec3{0, 0, 0.6}), 0, 1e-15);
    EXPECT_NEAR(p.radius, 0.3 * 0.5 / 0.8, 1e-15);
}

TEST(SphereContacts, OnABoxMeetAFaceAnEdgeOrACorner) {
    const Shape box = BoxShape{{1, 1, 1}};
    const auto at = [&](const Vec3& p) { return only({&sphere, 0.5, {p, {}}}, {&box, 1, {}}); };
    EXPECT_NEAR(at({0.3, 0.2, 1.4}).gap, -0.1, 1e-15);
    EXPECT_NEAR(at({0.3, 0.2, 1.4}).radius, 0.5, 1e-15);  // as on a plane
    EXPECT_NEAR(at({0.3, 2, 2}).gap, std::sqrt(2.0) - 0.5, 1e-14);
    EXPECT_NEAR(at({2, 2, 2}).gap, std::sqrt(3.0) - 0.5, 1e-14);
    EXPECT_NEAR(at({0.9, 0.2, 0.3}).gap, -0.6, 1e-14);
    EXPECT_EQ(at({0.9, 0.2, 0.3}).normal, (Vec3{1, 0, 0}));
    EXPECT_EQ(at({0.3, 0.2, 1.4}).feature, at({0.3, 2, 2}).feature);  // rolls off the edge without losing memory
}

TEST(SphereContacts, OnARoundedCylinderFeelItsRounding) {
    const Shape cylinder = CylinderShape{0.5, 0.7, 0.1};
    const ContactPoint side = only({&sphere, 0.2, {{0.9, 0, 0.1}, {}}}, {&cylinder, 1, {}});
    EXPECT_NEAR(side.gap, 0.1, 1e-15);
    EXPECT_NEAR(1 / side.radius, 1 / 0.2 + 0.5 / 0.6, 1e-13);
    const ContactPoint rim = only({&sphere, 0.2, {{0.8, 0, 1.1}, {}}}, {&cylinder, 1, {}});
    EXPECT_NEAR(rim.gap, 0.5 - 0.3, 1e-14);
}

TEST(NearestOnEllipsoid, IsTheFootOfANormal) {
    Random random(1, 1);
    for (int k = 0; k < 2000; ++k) {
        const Vec3 axes{random.uniform(0.05, 1), random.uniform(0.05, 1), random.uniform(0.05, 1)};
        Vec3 p = random.inBox({-2, -2, -2}, {2, 2, 2});
        if (k % 5 == 0) p.x = 0;
        if (k % 7 == 0) p.z = 1e-15 * p.z;
        const Vec3 x = nearestOnEllipsoid(axes, p);
        const Vec3 scaled{x.x / axes.x, x.y / axes.y, x.z / axes.z};
        EXPECT_NEAR(norm(scaled), 1, 1e-10);
        const Vec3 normal = normalized(Vec3{scaled.x / axes.x, scaled.y / axes.y, scaled.z / axes.z});
        EXPECT_NEAR(norm(cross(p - x, normal)), 0, 1e-9);
        // No other point is nearer.
        for (int m = 0; m < 20; ++m) {
            const Vec3 other = hadamard(axes, samples::randomDirection(random));
            EXPECT_GE(norm(p - other), norm(p - x) - 1e-10);
        }
    }
}

TEST(NearestOnEllipsoid, FromTheCentreIsTheEndOfTheShortestAxis) {
    EXPECT_NEAR(norm(nearestOnEllipsoid({1, 0.5, 0.2}, {})), 0.2, 1e-15);
    EXPECT_NEAR(norm(nearestOnEllipsoid({1, 1, 1}, {})), 1, 1e-15);
}

TEST(EllipsoidPairs, EndToEndHaveTheGapOfTheirAxes) {
    const Shape e = EllipsoidShape{{1, 0.5, 0.1}};
    const ContactPoint p = only({&e, 1, {{0, 0, 0.25}, {}}}, {&e, 1, {}});
    EXPECT_NEAR(p.gap, 0.05, 1e-14);
    const ContactPoint tips = only({&e, 1, {{2.1, 0, 0}, {}}}, {&e, 1, {}});
    EXPECT_NEAR(tips.gap, 0.1, 1e-13);
    // Principal radii at the tip of the longest axis: b^2/a and c^2/a.
    EXPECT_NEAR(1 / tips.radius, 2 * 0.5 * (1 / 0.25 + 1 / 0.01), 1e-9);
}

TEST(EllipsoidPairs, HaveACommonNormalToRoundOff) {
    Random random(2, 1);
    for (int k = 0; k < 3000; ++k) {
        const Shape a = EllipsoidShape{{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)}};
        const Shape b = EllipsoidShape{{random.uniform(0.1, 1), random.uniform(0.1, 1), random.uniform(0.1, 1)}};
        const double scale = k % 3 == 0 ? 1000 : 1;
        ShapeInPlace first{&a, 1, {{}, samples::randomOrientation(random)}},
            second{&b, scale, {{}, samples::randomOrientation(random)}};
        const Vec3 n = samples::randomDirection(random);
        first.pose.position = (random.uniform(-0.01, 0.3) - samples::separation(first, second, n)) * n;
        const ContactPoint p = only(first, second);
        const ConvexCore coreA(first), coreB(second);
        const Vec3 between = coreA.support(-p.normal) - coreB.support(p.normal);
        EXPECT_NEAR(norm(between - p.gap * p.normal), 0, 1e-10 * (1 + scale));
    }
}

TEST(CapsulePairs, CrossedHaveTheDistanceOfTheirAxes) {
    const Shape capsule = CapsuleShape{0.2, 1};
    const ContactPoint p = only({&capsule, 1, {{0, 0, 0.5}, rotationBy({0, 1.5707963267948966, 0})}},
                                {&capsule, 1, {{0, 0, 0}, rotationBy({1.5707963267948966, 0, 0})}});
    EXPECT_NEAR(p.gap, 0.1, 1e-13);
    EXPECT_NEAR(p.radius, 0.2, 1e-13);  // 1/(1/(2 r) + 1/(2 r))
}

TEST(CapsulePairs, SideBySideTouchAtBothEndsOfWhatTheyShare) {
    const Shape capsule = CapsuleShape{0.2, 1};
    std::vector<ContactPoint> points;
    findContactPoints({&capsule, 1, {{0.45, 0, 0.5}, {}}}, {&capsule, 1, {}}, 0.1, points);
    ASSERT_EQ(points.size(), 2u);
    for (const ContactPoint& p : points) EXPECT_NEAR(p.gap, 0.05, 1e-14);
    EXPECT_NEAR(std::abs(points[0].position.z - points[1].position.z), 1.5, 1e-14);
}

TEST(MeanCurvature, OfAnEllipsoidAgreesWithThatOfTheSuperquadricOfExponentTwo) {
    Random random(3, 1);
    const Vec3 axes{0.9, 0.7, 0.5};
    for (int k = 0; k < 100; ++k) {
        const Vec3 n = samples::randomDirection(random);
        const double exact = meanCurvature(EllipsoidShape{axes}, n);
        const Vec3 point = supportPoint(SuperquadricShape{axes, 2, 2}, n);
        EXPECT_NEAR(meanCurvature(SuperquadricShape{axes, 2, 2}, point, 1), exact, 1e-9);
    }
}

}  // namespace
}  // namespace talus
