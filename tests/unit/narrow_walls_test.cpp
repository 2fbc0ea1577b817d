// Solids at walls, and the shapes of planar scenes.
#include <gtest/gtest.h>

#include <numbers>

#include "convex_samples.hpp"
#include "geometry/solids/make_solids.hpp"
#include "unit/found_contacts.hpp"

namespace talus {
namespace {

const Shape plane = PlaneWall{};

using samples::contactsOf;

TEST(SolidsOnAPlane, AreAsDeepAsTheirSupportFunctionSays) {
    Random random(1, 1);
    for (const auto& [name, shape] : samples::convexSolids()) {
        SCOPED_TRACE(name);
        for (int k = 0; k < 50; ++k) {
            const ShapeInPlace body{
                &shape, 0.7, {random.inBox({-1, -1, -0.5}, {1, 1, 1.5}), samples::randomOrientation(random)}};
            const ShapeInPlace wall{
                &plane, 1, {random.inBox({-1, -1, -1}, {1, 1, 1}), samples::randomOrientation(random)}};
            const Vec3 up = rotate(wall.pose.orientation, {0, 0, 1});
            const ConvexCore core(body);
            const double gap = dot(up, core.support(-up) - wall.pose.position) - core.rounding;
            EXPECT_NEAR(samples::leastGap(contactsOf(body, wall, 10)), gap, 1e-12);
            EXPECT_LE(leastDistance(body, wall), std::max(0.0, gap) + 1e-12);
        }
    }
}

TEST(SolidsOnAPlane, StandOnAllCornersOfAFace) {
    const Shape box = BoxShape{{0.5, 0.5, 0.5}}, can = CylinderShape{0.3, 0.5};
    EXPECT_EQ(contactsOf({&box, 1, {{0, 0, 0.499}, {}}}, {&plane, 1, {}}, 0.01).size(), 4u);
    EXPECT_EQ(contactsOf({&can, 1, {{0, 0, 0.499}, {}}}, {&plane, 1, {}}, 0.01).size(), 8u);
    EXPECT_EQ(
        contactsOf({&can, 1, {{0, 0, 0.299}, rotationBy({std::numbers::pi / 2, 0, 0})}}, {&plane, 1, {}}, 0.01).size(),
        2u);
    const ContactPoint corner = contactsOf({&box, 1, {{0, 0, 0.499}, {}}}, {&plane, 1, {}}, 0.01)[0];
    EXPECT_NEAR(corner.radius, std::cbrt(0.75 / std::numbers::pi), 1e-12);  // of the ball of its volume
    EXPECT_NEAR(corner.position.z, -0.0005, 1e-15);
}

TEST(SolidsInAHollowBox, TouchEachFaceThatIsNotOpen) {
    const Shape hollow = BoxWall{{1, 1, 1}, {false, true, false, false, false, false}},
                ball = EllipsoidShape{{0.5, 0.5, 0.5}};
    EXPECT_EQ(contactsOf({&ball, 1, {{-0.6, 0, 0}, {}}}, {&hollow, 1, {}}, 0).size(), 1u);
    EXPECT_EQ(contactsOf({&ball, 1, {{0.6, 0, 0}, {}}}, {&hollow, 1, {}}, 0).size(), 0u);
    EXPECT_EQ(contactsOf({&ball, 1, {{-0.6, 0.6, 0.6}, {}}}, {&hollow, 1, {}}, 0).size(), 3u);
}

TEST(SolidsInAHollowCylinder, TouchWhereTheyAreFarthestFromTheAxis) {
    const double radius = 2;
    const Shape hollow = CylinderWall{radius, 5};
    Random random(3, 1);
    for (const auto& [name, shape] : samples::convexSolids()) {
        SCOPED_TRACE(name);
        for (int k = 0; k < 20; ++k) {
            const ShapeInPlace body{
                &shape, 0.7, {random.inBox({-1, -1, -1}, {1, 1, 1}), samples::randomOrientation(random)}};
            // The farthest point from the axis is the farthest of all directions across it.
            const ConvexCore core(body);
            double reach = 0;
            for (int m = 0; m < 4000; ++m) {
                const double angle = m * 2 * std::numbers::pi / 4000;
                const Vec3 d{std::cos(angle), std::sin(angle), 0};
                reach = std::max(reach, dot(d, core.support(d)) + core.rounding);
            }
            EXPECT_NEAR(samples::leastGap(contactsOf(body, {&hollow, 1, {}}, 1.9)), radius - reach, 3e-6);
        }
    }
}

// ---- the ends of an open cylinder

// Signed distance from { |z| <= half, fromAxis >= radius }.
double distanceToMantle(const CylinderWall& cylinder, const Vec3& p) {
    const double out = cylinder.radius - std::hypot(p.x, p.y), beyond = std::abs(p.z) - cylinder.halfLength;
    return out > 0 || beyond > 0 ? std::hypot(std::max(out, 0.0), std::max(beyond, 0.0)) : std::max(out, beyond);
}

TEST(OpenCylinders, AreAsFarAsTheirMantleRimOrEndIs) {
    const CylinderWall cylinder{.radius = 2, .halfLength = 1, .open = {false, true, true}};
    const Shape wall = cylinder;
    Random random(5, 1);
    for (int k = 0; k < 2000; ++k) {
        const Vec3 p = random.inBox({-3, -3, -2.5}, {3, 3, 2.5});
        const FaceDistance found = distanceToFace({&wall}, 0, p);
        EXPECT_NEAR(found.distance, distanceToMantle(cylinder, p), 1e-12);
        // The normal is the gradient.
        const Vec3 way = 1e-6 * random.inBox({-1, -1, -1}, {1, 1, 1});
        EXPECT_NEAR(distanceToFace({&wall}, 0, p + way).distance - found.distance, dot(way, found.normal), 1e-10);
    }
}

TEST(OpenCylinders, WithACapHaveAMantleWithoutEndThere) {
    const Shape wall = CylinderWall{.radius = 2, .halfLength = 1, .open = {false, false, true}};
    EXPECT_EQ(distanceToFace({&wall}, 0, {1, 0, -1.5}).distance, 1);
    EXPECT_EQ(distanceToFace({&wall}, 0, {1, 0, 2}).distance, std::sqrt(2.0));
}

TEST(OpenCylinders, TouchABallAlikeWhateverItsShapeIsCalled) {
    const Shape wall = CylinderWall{.radius = 2, .halfLength = 1, .open = {false, true, true}},
                ball = EllipsoidShape{{0.5, 0.5, 0.5}};
    Random random(6, 1);
    for (int k = 0; k < 200; ++k) {
        const double angle = random.uniform(0, 6.28), fromAxis = random.uniform(0.8, 1.9);
        const Vec3 centre{fromAxis * std::cos(angle), fromAxis * std::sin(angle), random.uniform(0.7, 1.8)};
        const double gap = distanceToFace({&wall}, 0, centre).distance - 0.5;
        const std::vector<ContactPoint> found = contactsOf({&ball, 1, {centre, {}}}, {&wall, 1, {}}, 0.3);
        if (gap < 0.29) {
            ASSERT_FALSE(found.empty());
            EXPECT_NEAR(samples::leastGap(found), gap, 1e-6);
        }
    }
}

// ---- planar scenes

double planarGap(const Shape& a, const Pose& at, const Shape& b) {
    return samples::leastGap(contactsOf({&a, 1, at}, {&b, 1, {}}, 10));
}

TEST(Polygons, DiscsAndSpheresMeetAsDiscs) {
    const Shape disc = makePolygon({{0, 0}}, 0.3).shape, sphere = SphereShape{};
    EXPECT_NEAR(planarGap(disc, {{1, 0, 0}, {}}, disc), 0.4, 1e-15);
    const auto points = contactsOf({&sphere, 0.2, {{0.4, 0.3, 0}, {}}}, {&disc, 1, {}}, 10);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, 0, 1e-15);
    EXPECT_NEAR(norm(points[0].normal - Vec3{0.8, 0.6, 0}), 0, 1e-15);
}

TEST(Polygons, SquaresStandOnTwoCorners) {
    const Shape square = makePolygon({{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}).shape;
    const auto points = contactsOf({&square, 1, {{0.2, 0.99, 0}, {}}}, {&square, 1, {}}, 0);
    ASSERT_EQ(points.size(), 2u);
    for (const ContactPoint& p : points) {
        EXPECT_NEAR(p.gap, -0.01, 1e-14);
        EXPECT_EQ(p.normal, (Vec3{0, 1, 0}));
    }
    EXPECT_EQ(contactsOf({&square, 1, {{0, 0.499, 0}, {}}},
                         {&plane, 1, {{}, rotationBy({-std::numbers::pi / 2, 0, 0})}}, 0.01)
                  .size(),
              2u);
}

TEST(Polygons, AgreeWithTheSupportFunctionsAndKeepTheirNormalInThePlane) {
    Random random(5, 1);
    const Shape shapes[] = {makePolygon({{0, 0}}, 0.3).shape, makePolygon({{-0.5, 0}, {0.5, 0}}, 0.2).shape,
                            makePolygon({{0, 0}, {1, 0}, {0.2, 0.8}}).shape,
                            makePolygon({{0, 0}, {1, 0}, {1.2, 0.5}, {0.5, 1}, {0, 0.8}}, 0.1).shape};
    for (const Shape& a : shapes) {
        for (const Shape& b : shapes) {
            for (int k = 0; k < 100; ++k) {
                const ShapeInPlace first{
                    &a, 1, {random.inBox({-1.5, -1.5, 0}, {1.5, 1.5, 0}), rotationBy({0, 0, random.uniform(-3, 3)})}};
                const ShapeInPlace second{&b, 0.8, {{}, rotationBy({0, 0, random.uniform(-3, 3)})}};
                double best = -1e300;
                for (int m = 0; m < 3000; ++m) {
                    const double angle = m * 2 * std::numbers::pi / 3000;
                    best = std::max(best, samples::separation(first, second, {std::cos(angle), std::sin(angle), 0}));
                }
                const auto points = contactsOf(first, second, 10);
                ASSERT_FALSE(points.empty());
                EXPECT_EQ(points[0].normal.z, 0);
                EXPECT_GT(samples::leastGap(points), best - 1e-9);
                EXPECT_LT(samples::leastGap(points), best + 3e-3);
            }
        }
    }
}

}  // namespace
}  // namespace talus
