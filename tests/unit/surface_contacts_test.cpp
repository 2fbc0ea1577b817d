// Contacts of NURBS surfaces against those of the solids they are, and against many points of the surfaces.
#include "contacts/narrow/nurbs/surface_contacts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "contacts/narrow/ball_touches.hpp"
#include "unit/sample_meshes.hpp"
#include "unit/surface_samples.hpp"

namespace talus {
namespace {

using namespace test;
using std::numbers::pi;

using Points = std::vector<ContactPoint>;

const ContactPoint& nearest(const Points& points) {
    return *std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
}

Points onWall(const PlacedSurface& a, const Shape& wall, const Pose& pose, double margin) {
    Points points;
    findSurfaceWallContacts(a, {&wall, 1, pose}, margin, points);
    return points;
}
Points onSolid(const PlacedSurface& a, const ShapeInPlace& solid, double margin) {
    Points points;
    findSurfaceSolidContacts(a, solid, margin, points);
    return points;
}
Points onSurface(const PlacedSurface& a, const PlacedSurface& b, double margin) {
    Points points;
    findSurfacePairContacts(a, b, margin, points);
    return points;
}

Quat randomTurn(Random& random) { return rotationBy(random.inBox({-3, -3, -3}, {3, 3, 3})); }
Vec3 randomDirection(Random& random) { return normalized(Vec3{random.normal(), random.normal(), random.normal()}); }

// Of an ellipsoid the frame of the body is that of its axes; bodies are used again.
const SurfaceBody& ballBody() {
    static const auto made = makeSurfaceBody(ellipsoidSurface({1, 1, 1}));
    return *made.body;
}
const SurfaceBody& ellipsoidBody() {
    static const auto made = makeSurfaceBody(ellipsoidSurface({1, 0.7, 1.4}));
    return *made.body;
}
const Shape& ballShape() {
    static const Shape shape = SurfaceShape{makeSurfaceBody(ellipsoidSurface({1, 1, 1})).body};
    return shape;
}
constexpr Vec3 axesOfEllipsoid{1, 0.7, 1.4};
const SurfaceBody& peanutBody() {
    static const auto made = makeSurfaceBody(peanut());
    return *made.body;
}

TEST(SurfaceContacts, OfABallOnAPlaneIsOneWithTheGapOfASphere) {
    Random random(1, 0);
    for (int k = 0; k < 200; ++k) {
        const double gap = random.uniform(-0.05, 0.05), scale = random.uniform(0.5, 2);
        // Every tenth stands on a pole.
        const Quat turn = k % 10 == 0 ? rotationBy({k % 20 == 0 ? pi : 0.0, 0, 0}) : randomTurn(random);
        const Points points = onWall({&ballBody(), scale, {{3, 4, scale + gap}, turn}}, PlaneWall{}, {}, 0.06);
        ASSERT_EQ(points.size(), 1u) << k;
        EXPECT_NEAR(points[0].gap, gap, 1e-12);
        EXPECT_LT(norm(points[0].position - Vec3{3, 4, 0.5 * gap}), 1e-8 * scale);
        EXPECT_LT(norm(points[0].normal - Vec3{0, 0, 1}), 1e-15);
        EXPECT_NEAR(points[0].radius, scale, 1e-6);
    }
}

TEST(SurfaceContacts, OfBallsAreThoseOfSpheres) {
    Random random(2, 0);
    for (int k = 0; k < 100; ++k) {
        const double gap = random.uniform(-0.05, 0.05), scale = random.uniform(0.5, 2);
        const Vec3 direction = k % 10 == 0 ? Vec3{0, 0, 1} : randomDirection(random), centre{3, 4, 5};
        const PlacedSurface a{&ballBody(), scale, {centre + (1 + scale + gap) * direction, randomTurn(random)}};
        const PlacedSurface b{&ballBody(), 1, {centre, k % 10 == 0 ? Quat{} : randomTurn(random)}};
        const Points points = onSurface(a, b, 0.06);
        ASSERT_EQ(points.size(), 1u) << k;
        EXPECT_NEAR(points[0].gap, gap, 1e-12);
        EXPECT_LT(norm(points[0].normal - direction), 1e-8);
        EXPECT_NEAR(points[0].radius, scale / (1 + scale), 1e-6);
        // The same with the bodies the other way round.
        const Points turned = onSurface(b, a, 0.06);
        ASSERT_EQ(turned.size(), 1u);
        EXPECT_NEAR(turned[0].gap, gap, 1e-12);
        EXPECT_LT(norm(turned[0].normal + direction), 1e-8);
        // And a sphere as the other body.
        const Shape sphere = SphereShape{};
        const Points ofSphere = onSolid(a, {&sphere, 1, b.pose}, 0.06);
        ASSERT_EQ(ofSphere.size(), 1u);
        EXPECT_NEAR(ofSphere[0].gap, gap, 1e-12);
        EXPECT_LT(norm(ofSphere[0].normal - direction), 1e-8);
    }
}

// Moves the solid away from the body along a direction until their ellipsoids are as far apart as wanted.
TEST(SurfaceContacts, OfAnEllipsoidAreThoseOfTheSolid) {
    const Shape ellipsoid = EllipsoidShape{axesOfEllipsoid};
    const std::vector<Shape> others{SphereShape{},
                                    BoxShape{{0.5, 0.4, 0.6}, 0.2},
                                    CapsuleShape{0.4, 0.5},
                                    CylinderShape{0.5, 0.6, 0.1},
                                    EllipsoidShape{{0.5, 1, 0.8}},
                                    SuperquadricShape{{0.6, 0.7, 0.8}, 3, 3}};
    Random random(3, 0);
    for (const Shape& other : others) {
        int compared = 0;
        for (int k = 0; k < 60; ++k) {
            const ShapeInPlace solid{&other, 1, {{1, 2, 3}, randomTurn(random)}};
            ShapeInPlace known{&ellipsoid, 1, {{1, 2, 3}, randomTurn(random)}};
            known.pose.position += random.uniform(1.2, 2.2) * randomDirection(random);
            Points wanted;
            findContactPoints(known, solid, 0.1, wanted);
            const Points points = onSolid({&ellipsoidBody(), 1, known.pose}, solid, 0.1);
            if (wanted.empty() || nearest(wanted).gap < -0.1) continue;
            ++compared;
            ASSERT_FALSE(points.empty()) << shapeName(other);
            // Edges inside of a solid are no smooth distance: there the knots say how well the gap is known.
            const double tolerance = nearest(wanted).gap > 0 ? 1e-6 : ellipsoidBody().gapTolerance;
            EXPECT_NEAR(nearest(points).gap, nearest(wanted).gap, tolerance) << shapeName(other);
            if (nearest(wanted).gap > 1e-3) {
                EXPECT_GT(dot(nearest(points).normal, nearest(wanted).normal), 0.999) << shapeName(other);
            }
        }
        EXPECT_GT(compared, 5) << shapeName(other);
    }
}

TEST(SurfaceContacts, KnowTheGapOfAnyTwoBodies) {
    const std::vector<NamedSurface> many = manySurfaces();
    const SurfaceBodyInPlace other = makeSurfaceBody(bumpyBody(11));
    Random random(4, 0);
    for (const auto& [name, definition] : many) {
        const SurfaceBodyInPlace one = makeSurfaceBody(definition);
        const NurbsSurface& s = one.body->tree.surface();
        int compared = 0;
        for (int k = 0; k < 16; ++k) {
            const PlacedSurface b{other.body.get(), 1, {{}, randomTurn(random)}};
            const PlacedSurface a{
                one.body.get(), 1, {random.uniform(1.5, 3) * randomDirection(random), randomTurn(random)}};
            if (leastSurfaceDistance(b, a.pose.position, one.body->radius) > 0.2) continue;
            // The least distance of many points of a from b.
            double least = 1e300;
            for (int i = 0; i < 1000; ++i) {
                const Vec3 p =
                    s.at(random.uniform(s.beginU(), s.endU()), random.uniform(s.beginV(), s.endV())).position;
                const Vec3 local = intoFrame(b.pose, outOfFrame(a.pose, p));
                least = std::min(least, b.body->tree.closestPoint(local).gap);
            }
            if (least > 0.2 || least < -0.2) continue;
            ++compared;
            const Points points = onSurface(a, b, 0.25);
            ASSERT_FALSE(points.empty()) << name;
            EXPECT_LE(nearest(points).gap, least + 1e-9) << name;
            // Of 1000 points one is near the nearest place.
            EXPECT_GE(nearest(points).gap, least - 0.05) << name;
        }
        EXPECT_GE(compared, 2) << name;
    }
}

TEST(SurfaceContacts, DoNotDependOnWhichBodyComesFirst) {
    const SurfaceBodyInPlace one = makeSurfaceBody(bumpyBody(21)), other = makeSurfaceBody(peanut());
    Random random(5, 0);
    int touching = 0;
    for (int k = 0; k < 40; ++k) {
        const PlacedSurface a{one.body.get(), 0.8, {{}, randomTurn(random)}};
        const PlacedSurface b{
            other.body.get(), 1, {random.uniform(1, 2.5) * randomDirection(random), randomTurn(random)}};
        const Points ab = onSurface(a, b, 0.05), ba = onSurface(b, a, 0.05);
        EXPECT_EQ(ab.empty(), ba.empty());
        if (ab.empty()) continue;
        ++touching;
        EXPECT_NEAR(nearest(ab).gap, nearest(ba).gap, 1e-9);
        EXPECT_GT(dot(nearest(ab).normal, -nearest(ba).normal), 0.99999);
    }
    EXPECT_GT(touching, 10);
}

TEST(SurfaceContacts, OfAPeanutOnItsSideAreTwo) {
    // The z axis of the peanut, its longest, lies in the plane.
    const PlacedSurface flat{&peanutBody(), 1, {{0, 0, 0}, rotationBy({pi / 2, 0, 0})}};
    double lowest = 0;
    for (const SurfaceCell& knot : peanutBody().knots())
        lowest = std::max(lowest, std::hypot(knot.middle.x, knot.middle.y));
    const Points points = onWall(flat, PlaneWall{}, {{0, 0, -lowest - 0.01}, {}}, 0.05);
    ASSERT_EQ(points.size(), 2u);
    EXPECT_NEAR(points[0].gap, points[1].gap, 1e-12);
    EXPECT_NEAR(std::abs(points[0].position.y - points[1].position.y), 2.5, 0.5);
}

TEST(SurfaceContacts, OfTwoPeanutsWaistToWaistAreSeveral) {
    // Crossed, the waist of each between the bulges of the other.
    const Quat lying = rotationBy({pi / 2, 0, 0});
    PlacedSurface a{&peanutBody(), 1, {{0, 0, 1.5}, rotationBy({0, 0, pi / 2}) * lying}};
    const PlacedSurface b{&peanutBody(), 1, {{}, lying}};
    while (onSurface(a, b, 0).empty()) a.pose.position.z -= 0.01;
    const Points points = onSurface(a, b, 0.02);
    EXPECT_GE(points.size(), 2u);
    for (const ContactPoint& p : points) EXPECT_GT(std::hypot(p.position.x, p.position.y), 0.05);
}

TEST(SurfaceContacts, OfFlatFacesCarryMoments) {
    // An octahedron on one of its faces.
    const SurfaceBodyInPlace made = makeSurfaceBody(octahedron());
    const Vec3 face = normalized(Vec3{1, 1, 1});
    const Vec3 axis = normalized(cross(face, Vec3{0, 0, -1}));
    const Quat turn = rotationBy(std::acos(dot(face, Vec3{0, 0, -1})) * axis);
    const Points points = onWall({made.body.get(), 1, {{0, 0, 1 / std::sqrt(3.0)}, turn}}, PlaneWall{}, {}, 0.01);
    ASSERT_GE(points.size(), 3u);
    // The middle of the face lies between them.
    double most = 1e300;
    for (int k = 0; k < 36; ++k) {
        const Vec3 direction{std::cos(k * pi / 18), std::sin(k * pi / 18), 0};
        double farthest = -1e300;
        for (const ContactPoint& p : points) farthest = std::max(farthest, dot(direction, p.position));
        most = std::min(most, farthest);
    }
    EXPECT_GT(most, 0.2);
    for (const ContactPoint& p : points) EXPECT_NEAR(p.gap, 0, 1e-12);
}

TEST(SurfaceContacts, PushASphereOutHoweverDeepItIs) {
    const Shape sphere = SphereShape{};
    Random random(8, 0);
    for (int k = 0; k < 100; ++k) {
        // From wholly outside to near the middle; each crosses the surface with its centre somewhere.
        const double height = random.uniform(0.02, 1.3), radius = random.uniform(0.05, 0.3);
        const Vec3 up = randomDirection(random);
        const PlacedSurface ball{&ballBody(), 1, {{}, randomTurn(random)}};
        const Points points = onSolid(ball, {&sphere, radius, {height * up, {}}}, 0);
        const double gap = height - 1 - radius;
        ASSERT_EQ(points.size(), gap < 0 ? 1u : 0u) << height << " " << radius;
        if (points.empty()) continue;
        EXPECT_NEAR(points[0].gap, gap, 1e-9);
        EXPECT_LT(norm(points[0].normal + up), 1e-6);
        EXPECT_TRUE(ballTouches(height * up, radius, {&ballShape(), 1, ball.pose}));
    }
}

TEST(SurfaceContacts, OfABodyWithinAnotherPushItOutAsAWhole) {
    const Shape box = BoxShape{{0.1, 0.1, 0.1}, 0}, largeBox = BoxShape{{5, 5, 1.5}, 0};
    const Shape mesh = makeMesh(boxMesh({0.1, 0.1, 0.1})).shape, largeMesh = makeMesh(boxMesh({5, 5, 1.5})).shape;
    Random random(9, 0);
    for (int k = 0; k < 6; ++k) {
        const PlacedSurface ball{&ballBody(), 1, {{1, 2, 3}, randomTurn(random)}};
        const Vec3 beside = random.uniform(0, 0.6) * randomDirection(random);
        const Pose within{ball.pose.position + beside, randomTurn(random)};
        for (const Shape* small : {&box, &mesh}) {
            const Points points = onSolid(ball, {small, 1, within}, 0);
            ASSERT_FALSE(points.empty());
            EXPECT_LT(nearest(points).gap, norm(beside) - 1 + 0.18);
            EXPECT_GT(nearest(points).gap, -2.2);
        }
        // Anywhere in a plate that is thicker than the ball.
        const Pose around{ball.pose.position + Vec3{3 * beside.x, 3 * beside.y, 0.5 * beside.z}, {}};
        for (const Shape* large : {&largeBox, &largeMesh}) {
            const Points points = onSolid(ball, {large, 1, around}, 0);
            ASSERT_FALSE(points.empty());
            EXPECT_LT(nearest(points).gap, -1.49) << shapeName(*large);
            EXPECT_GT(nearest(points).gap, -2.85) << shapeName(*large);
            EXPECT_GT(std::abs(nearest(points).normal.z), 0.99);
        }
        const Points inner = onSurface({&ballBody(), 0.2, within}, ball, 0);
        ASSERT_FALSE(inner.empty());
        EXPECT_LT(nearest(inner).gap, norm(beside) - 1);
        EXPECT_FALSE(onSurface(ball, {&ballBody(), 0.2, within}, 0).empty());
    }
}

TEST(SurfaceContacts, OfABodyInTheHollowOfAMeshAreNone) {
    const Shape hollow = makeSurface(boxMesh({2, 2, 2})).shape;
    EXPECT_TRUE(onSolid({&ballBody(), 1, {}}, {&hollow, 1, {}}, 0.1).empty());
    EXPECT_EQ(onSolid({&ballBody(), 1, {{0, 0, 0.99}, {}}}, {&hollow, 1, {}}, 0.1).size(), 1u);
}

TEST(SurfaceContacts, OfABallOnAnOpenMeshAreThoseOfAPlaneFromEitherSide) {
    const Shape sheet = makeSurface(sheetMesh(4, 5)).shape;
    for (const double side : {-1.0, 1.0}) {
        for (const double gap : {-0.02, 0.01}) {
            const Vec3 centre{0.3, 0.4, side * (1 + gap)};
            const Points points = onSolid({&ballBody(), 1, {centre, rotationBy({1, 2, 3})}}, {&sheet, 1, {}}, 0.05);
            ASSERT_EQ(points.size(), 1u);
            EXPECT_NEAR(points[0].gap, gap, 1e-9);
            EXPECT_LT(norm(points[0].normal - Vec3{0, 0, side}), 1e-6);
        }
    }
}

TEST(SurfaceContacts, KeepTheirFeatureWhileABallSlides) {
    const Points here = onWall({&ballBody(), 1, {{0, 0, 0.99}, {}}}, PlaneWall{}, {}, 0.01);
    const Points there = onWall({&ballBody(), 1, {{0.5, 0.2, 0.98}, {}}}, PlaneWall{}, {}, 0.01);
    ASSERT_EQ(here.size(), 1u);
    ASSERT_EQ(there.size(), 1u);
    EXPECT_EQ(here[0].feature, there[0].feature);
}

TEST(SurfaceContacts, InADentFindASmallSphereAtItsBottomAndALargeOneAtItsRim) {
    const SurfaceBodyInPlace made = makeSurfaceBody(dentedBall());
    const PlacedSurface b{made.body.get(), 1, {{}, conjugate(made.pose.orientation)}};
    const double bottom = 0.2 - made.pose.position.z;
    const Shape sphere = SphereShape{};
    const Points small = onSolid(b, {&sphere, 0.05, {{0, 0, bottom + 0.05 + 0.001}, {}}}, 0.002);
    ASSERT_EQ(small.size(), 1u);
    EXPECT_NEAR(small[0].gap, 0.001, 1e-9);
    Pose high{{0, 0, 3}, {}};
    while (onSolid(b, {&sphere, 0.8, high}, 0).empty()) high.position.z -= 0.01;
    const Points large = onSolid(b, {&sphere, 0.8, high}, 0);
    for (const ContactPoint& p : large) EXPECT_GT(std::hypot(p.position.x, p.position.y), 0.2);
}

}  // namespace
}  // namespace talus
