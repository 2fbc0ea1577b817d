// Convex solids on meshes: the contacts they have with planes and boxes, and none from the triangles' own edges.
#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "base/random.hpp"
#include "contacts/narrow/contact_points.hpp"
#include "geometry/mass/principal_axes.hpp"
#include "geometry/mesh/mesh.hpp"
#include "geometry/solids/hull.hpp"
#include "unit/convex_samples.hpp"
#include "unit/found_contacts.hpp"

namespace talus {
namespace {

using samples::contactsOf;

// Each point of one list is in the other.
void expectSamePoints(const std::vector<ContactPoint>& found, const std::vector<ContactPoint>& expected, double error) {
    ASSERT_EQ(found.size(), expected.size());
    for (const ContactPoint& point : found) {
        const auto isSame = [&](const ContactPoint& other) {
            return norm(point.position - other.position) < error && norm(point.normal - other.normal) < error &&
                   std::abs(point.gap - other.gap) < error;
        };
        EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), isSame))
            << point.position.x << " " << point.position.y << " " << point.position.z << " gap " << point.gap;
    }
}

std::vector<Shape> solids() {
    return {BoxShape{{0.2, 0.15, 0.1}},
            BoxShape{{0.2, 0.15, 0.1}, 0.02},
            CylinderShape{0.1, 0.2},
            ConeShape{0.15, 0.05, -0.1, 0.1},
            CapsuleShape{0.1, 0.2},
            EllipsoidShape{{0.2, 0.15, 0.1}},
            makeHull({{0, 0, 0}, {0.4, 0, 0}, {0, 0.4, 0}, {0, 0, 0.4}}).shape};
}

MeshFile fineBox(const Vec3& half, int refinements) {
    MeshFile file = boxMesh(half);
    for (int n = 0; n < refinements; ++n) file = refined(file, [](const Vec3& p) { return p; });
    return file;
}

TEST(SolidOnMesh, AtRidgesTheMeshCountsAsTheBallOfItsVolume) {
    const MeshInPlace roof = makeMesh(boxMesh({1, 0.5, 0.5}));
    const Shape mesh = roof.shape;
    // The box stands on one of its edges along x.
    const ShapeInPlace ridge{&mesh, 2, {{0, 0, 0}, roof.pose.orientation * rotationBy({std::numbers::pi / 4, 0, 0})}};
    const double top = std::sqrt(2.0), sharpness = 1 / (2 * equivalentRadius(mesh));
    const Shape box = BoxShape{{0.1, 0.2, 0.1}}, egg = EllipsoidShape{{0.2, 0.2, 0.1}},
                round = EllipsoidShape{{1, 1, 1}}, ball = SphereShape{};
    const auto radiusOf = [&](const Shape& solid, double scale, double height) {
        const auto points = contactsOf({&solid, scale, {{0.1, 0, top + height}, {}}}, ridge, 0.01);
        EXPECT_FALSE(points.empty());
        return points.empty() ? 0.0 : points.front().radius;
    };
    EXPECT_NEAR(radiusOf(box, 1, 0.1), 1 / (1 / equivalentRadius(box) + sharpness), 1e-9);
    EXPECT_NEAR(radiusOf(egg, 1, 0.1), 1 / (0.1 / 0.04 + sharpness), 1e-9);
    EXPECT_NEAR(radiusOf(round, 0.1, 0.1), radiusOf(ball, 0.1, 0.1), 1e-9);
}

TEST(SolidOnMesh, AShallowOverlapIsNeverLostAtCorners) {
    const Vec3 half{1, 0.6, 0.5};
    const MeshInPlace made = makeMesh(fineBox(half, 2));
    const Shape mesh = made.shape, twin = BoxShape{half};
    Random random(29, 0);
    int overlapping = 0;
    for (int k = 0; k < 4000; ++k) {
        const std::vector<Shape> all = solids();
        const Shape& solid = all[static_cast<std::size_t>(k) % all.size()];
        // Near a corner of the box, or anywhere on an edge.
        const Vec3 out = normalized(random.inBox({0.1, 0.1, 0.1}, {1, 1, 1}));
        const Vec3 near = half - (k % 2 == 0 ? 0.02 : 0.4) * random.inBox({0, 0, 0}, {0, 1, 0});
        ShapeInPlace a{&solid, 5, {near + 3.0 * out, rotationBy(random.inBox({-2, -2, -2}, {2, 2, 2}))}};
        const auto apart = contactsOf(a, {&twin, 1, {}}, 6);
        ASSERT_FALSE(apart.empty());
        const auto nearest =
            *std::min_element(apart.begin(), apart.end(), [](const auto& p, const auto& q) { return p.gap < q.gap; });
        a.pose.position -= (nearest.gap + 0.02) * nearest.normal;
        const auto deepest = [&](const ShapeInPlace& b) {
            double least = 1;
            for (const ContactPoint& p : contactsOf(a, b, 0.1)) least = std::min(least, p.gap);
            return least;
        };
        const double depth = deepest({&twin, 1, {}});
        if (depth > -0.005) continue;
        ++overlapping;
        // Where several edges are in the solid the one found may be less deep than the whole.
        const double found = deepest({&mesh, 1, {{}, made.pose.orientation}});
        EXPECT_LT(found, 0.02 * depth) << k;
        EXPECT_GT(found, 3 * depth) << k;
    }
    EXPECT_GT(overlapping, 3000);
}

TEST(SolidOnMesh, OnAFloorOfManyTrianglesHasTheContactsOfAPlane) {
    const MeshInPlace floor = makeSurface(sheetMesh(37, 2));
    const Shape sheet = floor.shape, plane = PlaneWall{};
    Random random(1, 0);
    for (const Shape& solid : solids()) {
        std::set<std::uint64_t> features, planeFeatures;
        for (int n = 0; n < 200; ++n) {
            // Upright, on its side, and any way.
            const Quat turn =
                n % 3 == 0 ? rotationBy({0, 0, 0.1 * n}) : rotationBy(random.inBox({-2, -2, -2}, {2, 2, 2}));
            ShapeInPlace body{&solid, 1, {random.inBox({-1, -1, 1}, {1, 1, 1}), turn}};
            const double least = contactsOf(body, {&plane}, 10).empty() ? 0 : [&] {
                double gap = 10;
                for (const ContactPoint& point : contactsOf(body, {&plane}, 10)) gap = std::min(gap, point.gap);
                return gap;
            }();
            body.pose.position.z -= least + 0.001;
            const auto found = contactsOf(body, {&sheet, 1, floor.pose}, 0.0005);
            const auto expected = contactsOf(body, {&plane}, 0.0005);
            ASSERT_GE(expected.size(), 1u);
            expectSamePoints(found, expected, 1e-9);
            for (const ContactPoint& point : found) features.insert(point.feature);
            for (const ContactPoint& point : expected) planeFeatures.insert(point.feature);
        }
        EXPECT_EQ(features.size(), planeFeatures.size()) << shapeName(solid);
    }
}

TEST(SolidOnMesh, HangingOverTheEdgeOfATableHasFourCorners) {
    const MeshInPlace table = makeMesh(fineBox({1, 1, 1}, 3));
    const Shape top = table.shape, exact = BoxShape{{1, 1, 1}}, box = BoxShape{{0.3, 0.2, 0.1}};
    const ShapeInPlace body{&box, 1, {{0.9, 0.12, 1.0995}, rotationBy({0, 0, 0.3})}};
    const auto found = contactsOf(body, {&top, 1, table.pose}, 0);
    expectSamePoints(found, contactsOf(body, {&exact, 1, table.pose}, 0), 1e-9);
    EXPECT_GE(found.size(), 4u);
}

TEST(SolidOnMesh, OfOneShapeHasTheGapAndNormalThatItHasWithTheConvexBody) {
    const Vec3 half{0.5, 0.4, 0.3};
    const MeshInPlace mesh = makeMesh(fineBox(half, 2));
    const Shape meshShape = mesh.shape, exactShape = BoxShape{half};
    Random random(2, 0);
    for (const Shape& solid : solids()) {
        int compared = 0;
        for (int n = 0; n < 300; ++n) {
            ShapeInPlace body{&solid, 1, {random.inBox({-0.8, -0.7, -0.6}, {0.8, 0.7, 0.6}), {}}};
            body.pose.orientation = rotationBy(random.inBox({-3, -3, -3}, {3, 3, 3}));
            const auto exact = contactsOf(body, {&exactShape, 1, mesh.pose}, 0.02);
            if (exact.empty()) continue;
            const auto least = [](const std::vector<ContactPoint>& points) {
                return *std::min_element(points.begin(), points.end(),
                                         [](const auto& p, const auto& q) { return p.gap < q.gap; });
            };
            // Shallow contacts only: deep ones are not told the same way.
            if (least(exact).gap < -0.02) continue;
            ++compared;
            const auto found = contactsOf(body, {&meshShape, 1, mesh.pose}, 0.02);
            ASSERT_FALSE(found.empty()) << shapeName(solid) << " gap " << least(exact).gap;
            EXPECT_NEAR(least(found).gap, least(exact).gap, 1e-4) << shapeName(solid) << n;
            EXPECT_GT(dot(least(found).normal, least(exact).normal), 0.98) << shapeName(solid) << n;
        }
        EXPECT_GT(compared, 10);
    }
}

TEST(SolidOnMesh, InTheCornerOfAContainerStandsOnAllItsCorners) {
    const MeshInPlace container = makeSurface(fineBox({1, 1, 1}, 3));
    const Shape walls = container.shape, box = BoxShape{{0.2, 0.2, 0.2}};
    const ShapeInPlace body{&box, 1, {{0.801, 0.802, -0.803}, {}}};
    const auto found = contactsOf(body, {&walls, 1, container.pose}, 0);
    int floor = 0, wallX = 0, wallY = 0;
    for (const ContactPoint& point : found) {
        floor += point.normal.z > 0.99;
        wallX += point.normal.x < -0.99;
        wallY += point.normal.y < -0.99;
    }
    EXPECT_EQ(floor, 4);
    EXPECT_EQ(wallX, 4);
    EXPECT_EQ(wallY, 4);
    EXPECT_EQ(found.size(), 12u);
}

TEST(SolidOnMesh, IsPushedToTheSideOfAnOpenSurfaceOnWhichItIs) {
    samples::expectPushedToItsSideOfASheet(BoxShape{{0.2, 0.2, 0.1}}, 9, {0.1, 0.1, 0.099});
}

TEST(SolidOnMesh, OnTheRimOfAPlateIsHeldByIt) {
    // A box pushed against the rim of a thin plate from the side.
    const MeshInPlace sheet = makeSurface(sheetMesh(4, 1));
    const Shape surface = sheet.shape, box = BoxShape{{0.1, 0.1, 0.1}};
    const auto found = contactsOf({&box, 1, {{1.099, 0.25, 0.03}, {}}}, {&surface, 1, sheet.pose}, 0);
    ASSERT_GE(found.size(), 2u);
    for (const ContactPoint& point : found) {
        EXPECT_NEAR(point.gap, -0.001, 1e-9);
        EXPECT_NEAR(point.normal.x, 1, 1e-9);
        EXPECT_NEAR(point.position.z, 0, 1e-9);
    }
}

// A triangle that is filled behind, deeper than the solids of these tests reach.
Shape prismBehind(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 back = -normalized(cross(b - a, c - a));
    return HullShape{samples::hullOf({a, b, c, a + back, b + back, c + back})};
}

TEST(SolidOnMesh, OverAWavySurfaceHasTheLeastGapOfAllTriangles) {
    const MeshInPlace waves =
        makeSurface(sheetMesh(14, 1, [](double x, double y) { return 0.2 * std::sin(5 * x) * std::cos(4 * y); }));
    const TriangleMesh& mesh = *waves.shape.mesh;
    const Shape surface = waves.shape;
    std::vector<Shape> prisms;
    for (const auto& [a, b, c] : mesh.triangles) {
        prisms.push_back(prismBehind(mesh.corners[a], mesh.corners[b], mesh.corners[c]));
    }
    Random random(6, 0);
    for (const Shape& solid : solids()) {
        int compared = 0;
        for (int n = 0; n < 60; ++n) {
            const Pose pose{random.inBox({-0.6, -0.6, 0.2}, {0.6, 0.6, 0.45}),
                            rotationBy(random.inBox({-3, -3, -3}, {3, 3, 3}))};
            double least = 1;
            for (const Shape& prism : prisms) {
                for (const ContactPoint& point : contactsOf({&solid, 1, pose}, {&prism, 1, waves.pose}, 0.05)) {
                    least = std::min(least, point.gap);
                }
            }
            if (least < 1e-4 || least > 0.049) continue;
            ++compared;
            const auto found = contactsOf({&solid, 1, pose}, {&surface, 1, waves.pose}, 0.05);
            ASSERT_FALSE(found.empty()) << shapeName(solid) << n;
            double gap = 1;
            for (const ContactPoint& point : found) gap = std::min(gap, point.gap);
            EXPECT_NEAR(gap, least, 1e-6) << shapeName(solid) << n;
        }
        EXPECT_GT(compared, 3) << shapeName(solid);
    }
}

TEST(SolidOnMesh, GivesOppositeNormalsTheOtherWayRound) {
    const MeshInPlace ball = makeMesh(ballMesh(2));
    const Shape mesh = ball.shape, box = BoxShape{{0.5, 0.5, 0.5}};
    const ShapeInPlace a{&box, 1, {{0.1, 0.05, 1.49}, {}}}, b{&mesh, 1, ball.pose};
    const auto there = contactsOf(a, b, 0.01);
    auto back = contactsOf(b, a, 0.01);
    ASSERT_FALSE(there.empty());
    for (ContactPoint& point : back) point.normal = -point.normal;
    expectSamePoints(there, back, 1e-12);
}

TEST(SolidOnMesh, FeelsAMeshOfAnotherScale) {
    const MeshInPlace floor = makeSurface(sheetMesh(10, 1));
    const Shape surface = floor.shape, box = BoxShape{{0.2, 0.2, 0.1}};
    const auto found = contactsOf({&box, 2, {{1, 2, 0.199}, {}}}, {&surface, 5, floor.pose}, 0);
    ASSERT_EQ(found.size(), 4u);
    for (const ContactPoint& point : found) EXPECT_NEAR(point.gap, -0.001, 1e-12);
}

}  // namespace
}  // namespace talus
