// Convex hulls: faces, edges and frames of known bodies, and the properties every hull has.
#include "geometry/solids/hull.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"
#include "geometry/mass/polyhedron_mass.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

std::vector<Vec3> boxCorners(const Vec3& half) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) {
        corners.push_back({(k & 1 ? 1 : -1) * half.x, (k & 2 ? 1 : -1) * half.y, (k & 4 ? 1 : -1) * half.z});
    }
    return corners;
}

std::vector<Vec3> onSphere(int count, std::uint32_t stream) {
    Random random(7, stream);
    std::vector<Vec3> points;
    for (int n = 0; n < count; ++n)
        points.push_back(normalized(Vec3{random.normal(), random.normal(), random.normal()}));
    return points;
}

std::vector<Vec3> moved(std::vector<Vec3> points, const Pose& pose) {
    for (Vec3& p : points) p = outOfFrame(pose, p);
    return points;
}

std::string messageOf(const std::vector<Vec3>& points, double rounding = 0) {
    try {
        makeHull(points, rounding);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

PrincipalFrame frameOf(const ConvexHull& hull) {
    std::vector<CornerTriple> triangles;
    for (const ConvexHull::Face& face : hull.faces) {
        for (std::size_t k = 2; k < face.corners.size(); ++k) {
            triangles.push_back({face.corners[0], face.corners[k - 1], face.corners[k]});
        }
    }
    return polyhedronFrame(hull.corners, triangles);
}

// What holds of every hull of the points.
void expectSound(const HullInPlace& made, const std::vector<Vec3>& points) {
    const ConvexHull& hull = *made.shape.hull;
    const double tolerance = 4 * hullFaceTolerance * hull.radius;
    ASSERT_EQ(hull.corners.size() + hull.faces.size(), hull.edges.size() + 2);
    for (const ConvexHull::Face& face : hull.faces) {
        EXPECT_NEAR(norm(face.normal), 1, 1e-14);
        for (const Vec3& p : points) EXPECT_LE(dot(face.normal, intoFrame(made.pose, p)), face.distance + tolerance);
        for (const std::uint32_t c : face.corners) {
            EXPECT_LE(dot(face.normal, hull.corners[c]), face.distance + 1e-15 * hull.radius);
            EXPECT_GE(dot(face.normal, hull.corners[c]), face.distance - tolerance);
        }
        for (std::size_t k = 0; k < face.corners.size(); ++k) {
            const ConvexHull::Face& other = hull.faces[face.neighbour[k]];
            const std::uint32_t next = face.corners[(k + 1) % face.corners.size()];
            EXPECT_NE(std::find(other.corners.begin(), other.corners.end(), face.corners[k]), other.corners.end());
            EXPECT_NE(std::find(other.corners.begin(), other.corners.end(), next), other.corners.end());
            EXPECT_NE(&face, &other);
        }
    }
    std::size_t joined = 0;
    for (const auto& partners : hull.around) joined += partners.size();
    EXPECT_EQ(joined, 2 * hull.edges.size());
    const PrincipalFrame frame = frameOf(hull);
    EXPECT_NEAR(norm(frame.pose.position), 0, 1e-12 * hull.radius);
}

TEST(Hull, OfTheCornersOfABoxHasSixFacesAndKeepsTheAxes) {
    const HullInPlace made = makeHull(moved(boxCorners({1, 2, 3}), {{10, 20, 30}, {}}));
    const ConvexHull& hull = *made.shape.hull;
    expectSound(made, {});
    EXPECT_EQ(hull.faces.size(), 6u);
    EXPECT_EQ(hull.edges.size(), 12u);
    EXPECT_EQ(hull.corners.size(), 8u);
    EXPECT_NEAR(hull.radius, std::sqrt(14.0), 1e-14);
    EXPECT_NEAR(norm(made.pose.position - Vec3{10, 20, 30}), 0, 1e-13);
    EXPECT_EQ(made.pose.orientation, Quat{});
    for (const ConvexHull::Face& face : hull.faces) EXPECT_EQ(face.corners.size(), 4u);
}

TEST(Hull, LeavesOutPointsWithinOnFacesAndOnEdges) {
    std::vector<Vec3> points = boxCorners({1, 1, 1});
    Random random(1, 0);
    for (int n = 0; n < 100; ++n) {
        Vec3 p = random.inBox({-1, -1, -1}, {1, 1, 1});
        points.push_back(p);
        p[n % 3] = 1;
        points.push_back(p);
        p[(n + 1) % 3] = -1;
        points.push_back(p);
        points.push_back(points[n % 8]);
    }
    const HullInPlace made = makeHull(points);
    expectSound(made, points);
    EXPECT_EQ(made.shape.hull->corners.size(), 8u);
    EXPECT_EQ(made.shape.hull->faces.size(), 6u);
}

TEST(Hull, OfATetrahedronHasItsCentreAndMoments) {
    // Corners 0, x, y, z of length 1: centre 1/4 each, volume 1/6, moments as derived below.
    const HullInPlace made = makeHull({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
    expectSound(made, {});
    EXPECT_NEAR(norm(made.pose.position - Vec3{0.25, 0.25, 0.25}), 0, 1e-15);
    const MassProperties mass = frameOf(*made.shape.hull).mass;
    EXPECT_NEAR(mass.volume, 1.0 / 6, 1e-15);
    // Integral of x^2 is 1/60, of xy 1/120, less V/16 each: 1/160 and -1/480. Eigenvalues 1/480 and 1/120 (twice);
    // moments of inertia are sums of two: 1/60 about (1, 1, 1), 1/96 across.
    std::array<double, 3> moments{mass.inertia.x, mass.inertia.y, mass.inertia.z};
    std::sort(moments.begin(), moments.end());
    EXPECT_NEAR(moments[0], 1.0 / 96, 1e-15);
    EXPECT_NEAR(moments[1], 1.0 / 96, 1e-15);
    EXPECT_NEAR(moments[2], 1.0 / 60, 1e-15);
}

TEST(Hull, OfRandomPointsIsSound) {
    for (std::uint32_t n = 0; n < 20; ++n) {
        Random random(9, n);
        std::vector<Vec3> points;
        for (int k = 0; k < 60; ++k) points.push_back(random.inBox({-1, -0.3, -2}, {1, 0.3, 5}));
        expectSound(makeHull(points), points);
    }
}

TEST(Hull, OfPointsOnASphereHasThemAllAsCorners) {
    const std::vector<Vec3> points = onSphere(500, 1);
    const HullInPlace made = makeHull(points);
    expectSound(made, points);
    EXPECT_EQ(made.shape.hull->corners.size(), 500u);
    EXPECT_EQ(made.shape.hull->faces.size(), 996u);
}

TEST(Hull, OfAPrismOfManySidesHasTwoLargeFaces) {
    std::vector<Vec3> points;
    for (int k = 0; k < 200; ++k) {
        const double angle = 0.01 * 3.14159265358979 * k;
        points.push_back({std::cos(angle), std::sin(angle), 0.5});
        points.push_back({std::cos(angle), std::sin(angle), -0.5});
    }
    const HullInPlace made = makeHull(moved(points, {{1, 2, 3}, rotationBy({0.5, 0.6, 0.7})}));
    expectSound(made, {});
    EXPECT_EQ(made.shape.hull->faces.size(), 202u);
}

TEST(Hull, HasOneFaceWhereDataOfSixDigitsMeanOne) {
    std::vector<Vec3> points;
    const double golden = 1.618034, inverse = 0.618034;
    for (const double a : {-1.0, 1.0}) {
        for (const double b : {-1.0, 1.0}) {
            for (const double c : {-1.0, 1.0}) points.push_back({a, b, c});
            points.push_back({0, a * inverse, b * golden});
            points.push_back({a * inverse, b * golden, 0});
            points.push_back({b * golden, 0, a * inverse});
        }
    }
    const HullInPlace made = makeHull(moved(points, {{0, 0, 0}, rotationBy({0.1, 0.2, 0.3})}));
    EXPECT_EQ(made.shape.hull->faces.size(), 12u);
    EXPECT_EQ(made.shape.hull->corners.size(), 20u);
}

TEST(Hull, IsTheSameBodyWhereverThePointsAreAndHoweverLarge) {
    const std::vector<Vec3> points = onSphere(40, 2);
    const HullInPlace plain = makeHull(points);
    const ConvexHull& hull = *plain.shape.hull;
    for (const double scale : {1e-6, 1.0, 1e5}) {
        std::vector<Vec3> large;
        for (const Vec3& p : points) large.push_back(scale * (p + Vec3{3, 2, 1}));
        const HullInPlace made = makeHull(large);
        ASSERT_EQ(made.shape.hull->faces.size(), hull.faces.size());
        for (std::size_t k = 0; k < hull.corners.size(); ++k) {
            EXPECT_NEAR(norm(made.shape.hull->corners[k] / scale - hull.corners[k]), 0, 1e-9);
        }
    }
}

TEST(Hull, KeepsItsRounding) { EXPECT_EQ(makeHull(boxCorners({1, 1, 1}), 0.1).shape.rounding, 0.1); }

TEST(Hull, RefusesPointsThatBoundNoBody) {
    EXPECT_NE(messageOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).find("at least 4 points, got 3"), std::string::npos);
    EXPECT_NE(messageOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).find("in a plane"), std::string::npos);
    EXPECT_NE(messageOf({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}).find("in a plane"), std::string::npos);
    EXPECT_NE(messageOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-6}}).find("in a plane"), std::string::npos);
    EXPECT_NE(messageOf(std::vector<Vec3>(9, {1, 2, 3})).find("of each other"), std::string::npos);
    EXPECT_NE(messageOf({{0, 0, 0}, {1, 0, 0}, {0, NAN, 0}, {1, 1, 1}}).find("point 3"), std::string::npos);
    EXPECT_NE(messageOf({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e10}}).find("point 4"), std::string::npos);
    EXPECT_NE(messageOf(boxCorners({1, 1, 1}), -1).find("rounding"), std::string::npos);
    EXPECT_EQ(messageOf(boxCorners({1, 1, 1e-4})), "");
}

}  // namespace
}  // namespace talus
