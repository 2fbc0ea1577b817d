// Meshes on meshes and on walls.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "contacts/narrow/contact_points.hpp"
#include "geometry/mass/principal_axes.hpp"
#include "geometry/mesh/mesh.hpp"
#include "unit/found_contacts.hpp"

namespace talus {
namespace {

using samples::contactsOf;

const ContactPoint& deepest(const std::vector<ContactPoint>& points) {
    return *std::min_element(points.begin(), points.end(), [](const auto& p, const auto& q) { return p.gap < q.gap; });
}

MeshFile fineBox(const Vec3& half, int refinements) {
    MeshFile file = boxMesh(half);
    for (int n = 0; n < refinements; ++n) file = refined(file, [](const Vec3& p) { return p; });
    return file;
}

TEST(MeshOnWall, OfABoxHasTheContactsOfTheBox) {
    const MeshInPlace fine = makeMesh(fineBox({0.3, 0.2, 0.1}, 2));
    const Shape mesh = fine.shape, box = BoxShape{{0.3, 0.2, 0.1}}, plane = PlaneWall{};
    const Shape container = BoxWall{{1, 1, 1}}, drum = CylinderWall{1, 1};
    Random random(1, 0);
    int touching = 0;
    for (int n = 0; n < 300; ++n) {
        Pose pose{random.inBox({-0.9, -0.9, 0.05}, {0.9, 0.9, 0.3}), {}};
        if (n % 3 > 0) pose.orientation = rotationBy(random.inBox({-2, -2, -2}, {2, 2, 2}));
        for (const Shape* wall : {&plane, &container}) {
            const auto found = contactsOf({&mesh, 1, pose}, {wall}, 0.01);
            const auto expected = contactsOf({&box, 1, pose}, {wall}, 0.01);
            touching += !expected.empty();
            ASSERT_EQ(found.size(), expected.size());
            for (const ContactPoint& point : found) {
                const auto isSame = [&](const ContactPoint& other) {
                    return norm(point.position - other.position) < 1e-12 && std::abs(point.gap - other.gap) < 1e-12 &&
                           norm(point.normal - other.normal) < 1e-12;
                };
                EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), isSame));
            }
        }
        // In a drum: the corners that are beyond the mantle.
        std::size_t outside = 0;
        for (int k = 0; k < 8; ++k) {
            const Vec3 p = outOfFrame(pose, {k & 1 ? 0.3 : -0.3, k & 2 ? 0.2 : -0.2, k & 4 ? 0.1 : -0.1});
            outside += std::hypot(p.x, p.y) > 1 - 0.01;
            outside += std::abs(p.z) > 1 - 0.01;
        }
        EXPECT_EQ(contactsOf({&mesh, 1, pose}, {&drum}, 0.01).size(), outside);
    }
    EXPECT_GT(touching, 100);
}

TEST(MeshOnMesh, BoxOnATableStandsOnItsFourCorners) {
    const MeshInPlace table = makeMesh(fineBox({1, 1, 1}, 3)), box = makeMesh(fineBox({0.3, 0.2, 0.1}, 2));
    const Shape below = table.shape, above = box.shape;
    const auto found =
        contactsOf({&above, 1, {{0.2, 0.1, 1.099}, rotationBy({0, 0, 0.4})}}, {&below, 1, table.pose}, 0);
    ASSERT_EQ(found.size(), 4u);
    for (const ContactPoint& point : found) {
        EXPECT_NEAR(point.gap, -0.001, 1e-12);
        EXPECT_NEAR(point.normal.z, 1, 1e-12);
        EXPECT_NEAR(point.position.z, 0.9995, 1e-12);
    }
}

TEST(MeshOnMesh, BoxHangingOverATableIsAlsoHeldWhereEdgesCross) {
    const MeshInPlace table = makeMesh(boxMesh({1, 1, 1})), box = makeMesh(boxMesh({0.3, 0.2, 0.1}));
    const Shape below = table.shape, above = box.shape;
    const auto found =
        contactsOf({&above, 1, {{0.9, 0.1, 1.099}, rotationBy({0, 0, 0.1})}}, {&below, 1, table.pose}, 0);
    double farthest = 0;
    for (const ContactPoint& point : found) {
        EXPECT_NEAR(point.gap, -0.001, 1e-9);
        EXPECT_NEAR(point.normal.z, 1, 1e-9);
        farthest = std::max(farthest, point.position.x);
    }
    EXPECT_EQ(found.size(), 4u);
    EXPECT_NEAR(farthest, 1, 1e-9);
}

TEST(MeshOnMesh, EdgesThatCrossTouchAlongTheirCommonPerpendicular) {
    // Two long bars turned on edge, one above the other and across it.
    const MeshInPlace bar = makeMesh(boxMesh({1, 0.1, 0.1}));
    const Shape shape = bar.shape;
    const Quat onEdge = rotationBy({0.25 * 3.14159265358979, 0, 0});
    const double height = 2 * 0.1 * std::sqrt(2.0);
    const ShapeInPlace below{&shape, 1, {{0, 0, 0}, onEdge}};
    const ShapeInPlace above{&shape, 1, {{0.2, 0.1, height - 0.002}, rotationBy({0, 0, 1.3}) * onEdge}};
    const auto found = contactsOf(above, below, 0);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].gap, -0.002, 1e-9);
    EXPECT_NEAR(found[0].normal.z, 1, 1e-9);
    EXPECT_NEAR(found[0].position.y, 0, 1e-9);
}

TEST(MeshOnMesh, HasTheGapAndNormalOfTheConvexBodies) {
    const Vec3 halfA{0.4, 0.3, 0.2}, halfB{0.5, 0.5, 0.3};
    const MeshInPlace meshA = makeMesh(fineBox(halfA, 1)), meshB = makeMesh(fineBox(halfB, 2));
    const Shape a = meshA.shape, b = meshB.shape, boxA = BoxShape{halfA}, boxB = BoxShape{halfB};
    Random random(4, 0);
    int compared = 0, lost = 0;
    for (int n = 0; n < 3000; ++n) {
        const Pose pose{random.inBox({-1, -1, -0.8}, {1, 1, 0.8}), rotationBy(random.inBox({-3, -3, -3}, {3, 3, 3}))};
        const auto exact = contactsOf({&boxA, 1, pose}, {&boxB, 1, {}}, 0.01);
        if (exact.empty() || deepest(exact).gap < -0.01) continue;
        ++compared;
        const auto found = contactsOf({&a, 1, pose}, {&b, 1, {}}, 0.01);
        if (found.empty()) {
            ++lost;
            continue;
        }
        EXPECT_NEAR(deepest(found).gap, deepest(exact).gap, 2e-3) << n;
        EXPECT_GT(dot(deepest(found).normal, deepest(exact).normal), 0.9) << n;
    }
    EXPECT_GT(compared, 50);
    EXPECT_EQ(lost, 0);
}

TEST(MeshOnMesh, OnAnOpenSheetIsPushedToItsOwnSide) {
    samples::expectPushedToItsSideOfASheet(makeMesh(boxMesh({0.3, 0.2, 0.1})).shape, 12, {0.13, 0.05, 0.099});
}

TEST(LeastDistance, OfMeshesIsNeverMoreThanTheDistance) {
    const MeshInPlace hollow = makeSurface(fineBox({1, 1, 1}, 2)), ball = makeMesh(ballMesh(3));
    const Shape container = hollow.shape, full = ball.shape, sphere = SphereShape{};
    Random random(7, 0);
    int apart = 0;
    for (int n = 0; n < 500; ++n) {
        const Vec3 centre = random.inBox({-2, -2, -2}, {2, 2, 2});
        const ShapeInPlace grain{&sphere, 0.1, {centre, {}}};
        const double toHollow = nearestOnMesh(*hollow.shape.mesh, intoFrame(hollow.pose, centre), 10).distance - 0.1;
        EXPECT_LE(leastDistance(grain, {&container, 1, hollow.pose}), std::max(0.0, toHollow) + 1e-12);
        apart += leastDistance(grain, {&container, 1, hollow.pose}) > 0;
        EXPECT_LE(leastDistance({&full, 1, ball.pose}, grain), std::max(0.0, norm(centre) - 0.9) + 1e-12);
    }
    EXPECT_GT(apart, 300);
}

}  // namespace
}  // namespace talus
