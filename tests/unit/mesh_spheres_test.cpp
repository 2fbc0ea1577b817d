// Spheres on meshes: the contacts of planes and boxes, no kicks at inner edges, and names that last.
#include "contacts/narrow/mesh/mesh_spheres.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "contacts/narrow/mesh/mesh_touches.hpp"
#include "geometry/mass/principal_axes.hpp"
#include "geometry/mesh/mesh.hpp"
#include "unit/sample_meshes.hpp"

namespace talus {
namespace {

const Shape sphere = SphereShape{};

std::vector<ContactPoint> contactsOf(const Vec3& centre, double radius, const MeshInPlace& made, double margin,
                                     double scale = 1) {
    const Shape shape = made.shape;
    std::vector<ContactPoint> points;
    findSphereMeshContacts({&sphere, radius, {centre, {}}}, {&shape, scale, made.pose}, margin, points);
    return points;
}

// The box |x| <= half: signed distance and nearest point.
struct BoxNearest {
    double distance;
    Vec3 point, normal;
};
BoxNearest nearestOnBox(const Vec3& half, const Vec3& p) {
    Vec3 q;
    for (int k = 0; k < 3; ++k) q[k] = std::clamp(p[k], -half[k], half[k]);
    if (q != p) return {norm(p - q), q, normalized(p - q)};
    int axis = 0;
    for (int k = 1; k < 3; ++k) {
        if (half[k] - std::abs(p[k]) < half[axis] - std::abs(p[axis])) axis = k;
    }
    BoxNearest result{std::abs(p[axis]) - half[axis], p, {}};
    result.normal[axis] = p[axis] < 0 ? -1 : 1;
    result.point[axis] = result.normal[axis] * half[axis];
    return result;
}

TEST(SphereOnMesh, OnAFloorOfManyTrianglesHasTheContactOfAPlane) {
    const MeshInPlace floor = makeSurface(sheetMesh(40, 1));
    Random random(1, 0);
    std::set<std::uint64_t> features;
    for (int n = 0; n < 2000; ++n) {
        Vec3 centre = random.inBox({-0.9, -0.9, 0.05}, {0.9, 0.9, 0.11});
        // Half of them exactly above edges and corners.
        if (n % 2 == 0) centre.x = 0.05 * std::round(centre.x / 0.05);
        if (n % 4 == 0) centre.y = 0.05 * std::round(centre.y / 0.05);
        const auto points = contactsOf(centre, 0.1, floor, 0.02);
        ASSERT_EQ(points.size(), 1u);
        EXPECT_EQ(points[0].normal, (Vec3{0, 0, 1}));
        EXPECT_NEAR(points[0].gap, centre.z - 0.1, 1e-16);
        EXPECT_NEAR(norm(points[0].position - Vec3{centre.x, centre.y, 0.5 * (centre.z - 0.1)}), 0, 1e-15);
        EXPECT_NEAR(points[0].radius, 0.1, 1e-16);
        features.insert(points[0].feature);
    }
    EXPECT_EQ(features.size(), 1u);
}

TEST(SphereOnMesh, OnATurnedFloorOfRoundedNumbersKeepsOneSmoothContact) {
    // Corners with the round-off of single precision: no plane any more.
    MeshFile file = movedMesh(sheetMesh(30, 1), {{3, 4, 5}, rotationBy({0.3, 0.2, 0.1})});
    for (Vec3& p : file.corners) p = {float(p.x), float(p.y), float(p.z)};
    const MeshInPlace floor = makeSurface(file);
    const Vec3 up = rotate(rotationBy({0.3, 0.2, 0.1}), {0, 0, 1});
    std::set<std::uint64_t> features;
    for (int n = 0; n < 2000; ++n) {
        const Vec3 place = Vec3{3, 4, 5} + rotate(rotationBy({0.3, 0.2, 0.1}), {-0.9 + 0.0009 * n, 0.3, 0.0999});
        const auto points = contactsOf(place, 0.1, floor, 0.001);
        ASSERT_EQ(points.size(), 1u);
        EXPECT_NEAR(norm(points[0].normal - up), 0, 2e-5);
        EXPECT_NEAR(points[0].gap, -0.0001, 1e-6);
        features.insert(points[0].feature);
    }
    EXPECT_EQ(features.size(), 1u);
}

TEST(SphereOnMesh, OnABoxHasTheContactOfTheBox) {
    const Vec3 half{1, 0.7, 0.5};
    MeshFile file = boxMesh(half);
    for (int n = 0; n < 2; ++n) file = refined(file, [](const Vec3& p) { return p; });
    const MeshInPlace box = makeMesh(file);
    Random random(2, 0);
    int found = 0;
    for (int n = 0; n < 5000; ++n) {
        const Vec3 centre = random.inBox({-1.3, -1.0, -0.8}, {1.3, 1.0, 0.8});
        const BoxNearest exact = nearestOnBox(half, centre);
        const auto points = contactsOf(centre, 0.2, box, 0);
        if (exact.distance >= 0.2 || exact.distance <= -0.2) continue;
        ++found;
        ASSERT_EQ(points.size(), 1u);
        EXPECT_NEAR(points[0].gap, exact.distance - 0.2, 1e-12);
        EXPECT_NEAR(norm(points[0].normal - exact.normal), 0, 1e-9);
    }
    EXPECT_GT(found, 1000);
}

TEST(SphereOnMesh, OnABallHasOneContactWithTheNearestPoint) {
    const MeshInPlace ball = makeMesh(ballMesh(4));
    Random random(3, 0);
    std::set<std::uint64_t> features;
    for (int n = 0; n < 500; ++n) {
        const Vec3 centre = 1.29 * normalized(random.inBox({-1, -1, -1}, {1, 1, 1}));
        const auto points = contactsOf(centre, 0.3, ball, 0);
        ASSERT_EQ(points.size(), 1u);
        const NearestOnMesh nearest = nearestOnMesh(*ball.shape.mesh, intoFrame(ball.pose, centre), 1);
        EXPECT_NEAR(points[0].gap, nearest.distance - 0.3, 1e-14);
        features.insert(points[0].feature);
    }
    EXPECT_EQ(features.size(), 1u);
}

TEST(SphereOnMesh, InACornerOfThreeWallsTouchesAllThree) {
    MeshFile file = boxMesh({1, 1, 1});
    for (int n = 0; n < 3; ++n) file = refined(file, [](const Vec3& p) { return p; });
    const MeshInPlace container = makeSurface(file);
    const auto points = contactsOf({0.75, 0.76, 0.77}, 0.3, container, 0);
    ASSERT_EQ(points.size(), 3u);
    std::set<double> gaps;
    for (const ContactPoint& point : points) {
        gaps.insert(std::round(100 * point.gap) / 100);
        EXPECT_NEAR(std::abs(point.normal.x) + std::abs(point.normal.y) + std::abs(point.normal.z), 1, 1e-14);
    }
    EXPECT_EQ(gaps, (std::set<double>{-0.05, -0.06, -0.07}));
}

TEST(SphereOnMesh, OnAThinPlateTouchesOneSideOnly) {
    const MeshInPlace plate = makeMesh(boxMesh({1, 1, 0.05}));
    const auto points = contactsOf({0.2, 0.1, 0.25}, 0.3, plate, 0);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, -0.1, 1e-14);
    EXPECT_NEAR(points[0].normal.z, 1, 1e-14);
}

TEST(SphereOnMesh, IsPushedToTheSideOfAnOpenSurfaceOnWhichItIs) {
    const MeshInPlace sheet = makeSurface(sheetMesh(8, 1));
    for (const double side : {-1.0, 1.0}) {
        const auto points = contactsOf({0.1, 0.2, 0.05 * side}, 0.1, sheet, 0);
        ASSERT_EQ(points.size(), 1u);
        EXPECT_NEAR(points[0].gap, -0.05, 1e-15);
        EXPECT_EQ(points[0].normal, (Vec3{0, 0, side}));
    }
}

TEST(SphereOnMesh, AtTheRimOfAnOpenSurfaceIsPushedOutward) {
    const MeshInPlace sheet = makeSurface(sheetMesh(8, 1));
    const auto points = contactsOf({1.06, 0.03, 0.08}, 0.2, sheet, 0);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, 0.1 - 0.2, 1e-14);
    EXPECT_NEAR(norm(points[0].normal - Vec3{0.6, 0, 0.8}), 0, 1e-12);
}

TEST(SphereOnMesh, RollingOverTheEdgeOfATableTurnsItsNormalSteadily) {
    const MeshInPlace table = makeMesh(refined(boxMesh({1, 1, 1}), [](const Vec3& p) { return p; }));
    Vec3 last{0, 0, 1};
    const double radius = 0.1;
    for (int n = 0; n <= 1000; ++n) {
        // On top, round the edge, down the side.
        const double way = -0.1 + 0.0004 * n, quarter = 0.5 * 3.14159265358979 * radius;
        const double angle = std::clamp(way / radius, 0.0, quarter / radius);
        const Vec3 out{std::sin(angle), 0, std::cos(angle)};
        const Vec3 foot{1 + std::min(way, 0.0), 0.013, 1 - std::max(way - quarter, 0.0)};
        const auto points = contactsOf(foot + 0.0999 * out, radius, table, 0);
        ASSERT_EQ(points.size(), 1u);
        EXPECT_NEAR(points[0].gap, -0.0001, 1e-12);
        EXPECT_LT(norm(points[0].normal - last), 0.005);
        last = points[0].normal;
    }
    EXPECT_NEAR(last.x, 1, 1e-9);
}

TEST(SphereOnMesh, RollingAlongAnEdgeOfManyPiecesKeepsItsName) {
    MeshFile file = boxMesh({1, 1, 1});
    for (int n = 0; n < 4; ++n) file = refined(file, [](const Vec3& p) { return p; });
    const MeshInPlace table = makeMesh(file);
    std::set<std::uint64_t> features;
    for (int n = 0; n < 200; ++n) {
        const auto points = contactsOf({1.06, -0.9 + 0.009 * n, 1.07}, 0.1, table, 0);
        ASSERT_EQ(points.size(), 1u);
        features.insert(points[0].feature);
    }
    EXPECT_EQ(features.size(), 1u);
}

TEST(SphereOnMesh, RollingInATubeKeepsTheNameOfItsDeepestContact) {
    // A gutter of 60 strips, a quarter of a circle of radius 1.
    const MeshInPlace gutter = makeSurface(sheetMesh(60, 0.7, [](double x, double) { return -std::sqrt(1 - x * x); }));
    std::set<std::uint64_t> deepest;
    for (int n = 0; n < 500; ++n) {
        const double angle = -0.6 + 0.0024 * n;
        const Vec3 centre = Vec3{0, 0.01, 0} + 0.901 * Vec3{std::sin(angle), 0, -std::cos(angle)};
        auto points = contactsOf(centre, 0.1, gutter, 0);
        ASSERT_GE(points.size(), 1u);
        std::set<std::uint64_t> names;
        for (const ContactPoint& point : points) names.insert(point.feature);
        EXPECT_EQ(names.size(), points.size());
        const auto least =
            std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
        deepest.insert(least->feature);
    }
    EXPECT_EQ(deepest.size(), 1u);
}

TEST(SphereOnMesh, FeelsAMeshOfAnotherScaleAndPose) {
    const MeshInPlace box = makeMesh(boxMesh({1, 1, 1}));
    const Shape shape = box.shape;
    const Pose pose{{5, 6, 7}, rotationBy({0.3, 0.4, 0.5})};
    std::vector<ContactPoint> points;
    findSphereMeshContacts({&sphere, 0.5, {outOfFrame(pose, {0.3, 0.2, 3.4}), {}}}, {&shape, 3, pose}, 0, points);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, -0.1, 1e-13);
    EXPECT_NEAR(norm(points[0].normal - rotate(pose.orientation, {0, 0, 1})), 0, 1e-14);
    EXPECT_NEAR(norm(points[0].position - outOfFrame(pose, {0.3, 0.2, 2.95})), 0, 1e-13);
}

// Local minima found by walking down from many points of the surface.
TEST(SphereOnMesh, FindsTheTouchesOfAWavySurfaceThatALookAtAllTrianglesFinds) {
    const MeshInPlace waves =
        makeSurface(sheetMesh(24, 1, [](double x, double y) { return 0.15 * std::sin(7 * x) * std::cos(6 * y); }));
    const TriangleMesh& mesh = *waves.shape.mesh;
    Random random(5, 0);
    for (int n = 0; n < 300; ++n) {
        const Vec3 centre = intoFrame(waves.pose, random.inBox({-0.8, -0.8, 0.1}, {0.8, 0.8, 0.4}));
        const double reach = 0.35;
        // A point is a local minimum if no sample point of the triangles around it is nearer.
        std::vector<Vec3> expected;
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            const NearestOnTriangle near = nearestOnTriangle(mesh, t, centre);
            if (norm(near.point - centre) >= reach) continue;
            bool isLeast = true;
            for (std::uint32_t other = 0; other < mesh.triangles.size() && isLeast; ++other) {
                const bool touches = norm(nearestOnTriangle(mesh, other, near.point).point - near.point) < 1e-12;
                if (!touches) continue;
                isLeast =
                    norm(nearestOnTriangle(mesh, other, centre).point - centre) > norm(near.point - centre) - 1e-12;
            }
            const auto isKnown = [&](const Vec3& p) { return norm(p - near.point) < 1e-9; };
            if (isLeast && std::none_of(expected.begin(), expected.end(), isKnown)) expected.push_back(near.point);
        }
        std::vector<MeshTouch> touches;
        findTouches(mesh, centre, reach, touches);
        ASSERT_EQ(touches.size(), expected.size());
        for (const MeshTouch& touch : touches) {
            const auto isThere = [&](const Vec3& p) { return norm(p - touch.point) < 1e-9; };
            EXPECT_TRUE(std::any_of(expected.begin(), expected.end(), isThere));
        }
    }
}

}  // namespace
}  // namespace talus
