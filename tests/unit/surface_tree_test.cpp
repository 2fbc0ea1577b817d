// The closest point of a surface against all of its points, closed forms and winding numbers.
#include "geometry/nurbs/surface_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "geometry/nurbs/surface_body.hpp"
#include "talus/error.hpp"
#include "unit/surface_samples.hpp"

namespace talus {
namespace {

using namespace test;
using std::numbers::pi;

// Points of a surface on a fine grid of its parameters.
class FineGrid {
public:
    FineGrid(const NurbsSurface& s, int round, int up) : round_(round), up_(up) {
        std::vector<BoundingBox> boxes;
        for (int j = 0; j <= up; ++j) {
            for (int i = 0; i <= round; ++i) {
                points.push_back(s.at(s.beginU() + (s.endU() - s.beginU()) * i / round,
                                      s.beginV() + (s.endV() - s.beginV()) * j / up)
                                     .position);
                boxes.push_back({points.back(), points.back()});
            }
        }
        tree_ = buildTree(boxes);
    }

    std::vector<Vec3> points;

    // Of the points within this distance.
    double distanceTo(const Vec3& x, double within) const {
        double least = 1e300;
        forEachItemWithin(tree_, x, within, [&](std::uint32_t k) { least = std::min(least, norm(points[k] - x)); });
        return least;
    }

    // Solid angles of the triangles (A. van Oosterom, J. Strackee, IEEE Trans. Biomed. Eng. 30, 1983): 4 pi inside.
    bool holds(const Vec3& x) const {
        double angle = 0;
        for (int j = 0; j < up_; ++j) {
            for (int i = 0; i < round_; ++i) {
                const Vec3 a = at(i, j) - x, b = at(i + 1, j) - x, c = at(i + 1, j + 1) - x, d = at(i, j + 1) - x;
                angle += solidAngle(a, b, c) + solidAngle(a, c, d);
            }
        }
        return angle > 2 * pi;
    }

private:
    static double solidAngle(const Vec3& a, const Vec3& b, const Vec3& c) {
        const double la = norm(a), lb = norm(b), lc = norm(c);
        return 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    const Vec3& at(int i, int j) const { return points[static_cast<std::size_t>(j * (round_ + 1) + i)]; }

    int round_, up_;
    BoundingTree tree_;
};

// Half of the points anywhere, half near the surface.
Vec3 randomPoint(Random& random, const FineGrid& grid, int k) {
    const Vec3 x = random.inBox({-2.5, -2.5, -2.5}, {2.5, 2.5, 2.5});
    return k % 2 == 0 ? x : grid.points[static_cast<std::size_t>(random.uniform() * grid.points.size())] + 0.03 * x;
}

TEST(SurfaceClosestPoint, IsNeverFartherThanAnyPointOfTheSurface) {
    for (const auto& [name, definition] : manySurfaces()) {
        const NurbsSurface surface(definition);
        const SurfaceTree tree(surface, 0.01, 0.3);
        const FineGrid grid(surface, 240, 120);
        Random random(1, 0);
        double excess = 0, slip = 0;
        for (int k = 0; k < 17'000; ++k) {
            const Vec3 x = randomPoint(random, grid, k);
            const SurfaceFoot foot = tree.closestPoint(x);
            excess = std::max(excess, std::abs(foot.gap) - grid.distanceTo(x, std::abs(foot.gap) + 1e-12));
            slip = std::max(slip, norm(foot.point + foot.gap * foot.normal - x));
        }
        EXPECT_LE(excess, 1e-13) << name;
        // The last Newton step leaves the square of 1e-7 times the curvature, which is large near tips.
        EXPECT_LE(slip, 1e-9) << name;
    }
}

TEST(SurfaceClosestPoint, IsInsideWhereTheSurfaceGoesRoundIt) {
    for (const auto& [name, definition] : manySurfaces()) {
        const NurbsSurface surface(definition);
        const SurfaceTree tree(surface, 0.01, 0.3);
        const FineGrid grid(surface, 96, 48);
        Random random(2, 0);
        int wrong = 0;
        for (int k = 0; k < 600; ++k) {
            const Vec3 x = randomPoint(random, grid, k);
            const double gap = tree.closestPoint(x).gap;
            wrong += std::abs(gap) > 5e-3 && grid.holds(x) != (gap < 0);
        }
        EXPECT_EQ(wrong, 0) << name;
    }
}

TEST(SurfaceClosestPoint, OfABallIsOnTheRayFromItsCentre) {
    const SurfaceTree tree(NurbsSurface(ellipsoidSurface({2, 2, 2})), 0.02, 0.6);
    Random random(3, 0);
    for (int k = 0; k < 5000; ++k) {
        const Vec3 x = random.inBox({-4, -4, -4}, {4, 4, 4});
        const SurfaceFoot foot = tree.closestPoint(x);
        EXPECT_NEAR(foot.gap, norm(x) - 2, 1e-13);
        EXPECT_LT(norm(foot.normal - normalized(x)), 1e-11);
        const Mat3 bend = tree.bend(foot);
        EXPECT_NEAR(trace(bend), 2.0 / 2, 1e-9);  // twice the mean curvature
        EXPECT_LT(norm(bend * foot.normal), 1e-9);
    }
    // Straight above a pole, and in the middle.
    EXPECT_NEAR(tree.closestPoint({0, 0, 2.5}).gap, 0.5, 1e-14);
    EXPECT_NEAR(tree.closestPoint({0, 0, -1}).gap, -1, 1e-14);
    EXPECT_NEAR(tree.closestPoint({0, 0, 0}).gap, -2, 1e-14);
}

// Beyond a tip all of its cells have the same foot: how many they are and how wide must not matter.
TEST(SurfaceClosestPoint, BesideATipIsOutside) {
    const NurbsSurface surface(spindle());
    const SurfaceTree tree(surface, 0.01, 0.3);
    Random random(7, 0);
    int atTip = 0;
    for (int k = 0; k < 3000; ++k) {
        const Vec3 x = Vec3{0, 0, 1.6} + 0.3 * Vec3{random.normal(), random.normal(), random.normal()};
        const SurfaceFoot foot = tree.closestPoint(x);
        if (norm(foot.point - Vec3{0, 0, 1.6}) > 1e-12) continue;
        ++atTip;
        EXPECT_NEAR(foot.gap, norm(x - Vec3{0, 0, 1.6}), 1e-12);
    }
    EXPECT_GT(atTip, 1000);
}

TEST(SurfaceClosestPoint, KnowsTheNormalAtAPoleWhereRowsOfPointsCoincide) {
    const SurfaceTree tree(NurbsSurface(turnedSurface({{0, -1}, {0, -1}, {0.8, -1}, {1, 0}, {0.8, 1}, {0, 1}, {0, 1}})),
                           0.01, 0.3);
    for (const double side : {-1.0, 1.0}) {
        const SurfaceFoot outside = tree.closestPoint({0, 0, 1.5 * side}),
                          inside = tree.closestPoint({0, 0, 0.9 * side});
        EXPECT_NEAR(outside.gap, 0.5, 1e-9);
        EXPECT_LT(norm(outside.normal - Vec3{0, 0, side}), 1e-6);
        EXPECT_NEAR(inside.gap, -0.1, 1e-3);
    }
}

TEST(SurfaceBody, SaysWhichToleranceFitsIfTooManyKnotsWereNeeded) {
    const SurfaceDefinition needle = ellipsoidSurface({0.05, 0.05, 3});
    constexpr std::size_t most = 4000;
    const std::string before = "needle.gap_tolerance: 0.0003 m would need more than 4000 knots; at least ";
    std::string complaint = "none";
    try {
        makeSurfaceBody(needle, {.gapTolerance = 3e-4, .mostKnots = most}, "needle");
    } catch (const InputError& error) {
        complaint = error.what();
    }
    ASSERT_EQ(complaint.substr(0, before.size()), before);
    const double least = std::stod(complaint.substr(before.size())), widest = 0.3 * std::cbrt(0.0075);
    const NurbsSurface surface(needle);
    EXPECT_LE(SurfaceTree::cellsNeeded(surface, 1.01 * least, widest, most), most);
    EXPECT_GT(SurfaceTree::cellsNeeded(surface, 0.8 * least, widest, most), most);
}

TEST(SurfaceClosestPoint, DoesNotDependOnTheHint) {
    const NurbsSurface surface(bumpyBody(7));
    const SurfaceTree tree(surface, 0.01, 0.3);
    Random random(4, 0);
    for (int k = 0; k < 2000; ++k) {
        const Vec3 x = random.inBox({-2, -2, -2}, {2, 2, 2});
        const auto hint = static_cast<std::uint32_t>(random.uniform() * tree.cells().size());
        const SurfaceFoot alone = tree.closestPoint(x), hinted = tree.closestPoint(x, hint);
        EXPECT_NEAR(alone.gap, hinted.gap, 1e-13);
    }
}

TEST(SurfaceBend, IsTheDerivativeOfTheNormal) {
    for (const auto& [name, definition] : manySurfaces()) {
        if (name == "octahedron") continue;  // flat but at creases
        const NurbsSurface surface(definition);
        const SurfaceTree tree(surface, 0.01, 0.3);
        Random random(5, 0);
        for (int k = 0; k < 200; ++k) {
            const SurfaceFoot foot =
                tree.closestPoint(surface
                                      .at(random.uniform(surface.beginU(), surface.endU()),
                                          random.uniform(0.9 * surface.beginV() + 0.1 * surface.endV(),
                                                         0.1 * surface.beginV() + 0.9 * surface.endV()))
                                      .position);
            // To the side and back onto the surface, on both sides of the place.
            const Vec3 side = normalized(cross(foot.normal, random.inBox({-1, -1, -1}, {1, 1, 1})));
            const double h = 1e-5;
            const SurfaceFoot there = tree.closestPoint(foot.point + h * side, foot.cell);
            const SurfaceFoot back = tree.closestPoint(foot.point - h * side, foot.cell);
            EXPECT_LT(norm((there.normal - back.normal) / (2 * h) - tree.bend(foot) * side), 2e-3) << name;
        }
    }
}

TEST(SurfaceKnots, CoverTheSurfaceWithinTheTolerance) {
    for (const auto& [name, definition] : manySurfaces()) {
        const SurfaceBodyInPlace made = makeSurfaceBody(definition);
        const SurfaceBody& body = *made.body;
        Random random(6, 0);
        const NurbsSurface& s = body.tree.surface();
        for (int k = 0; k < 500; ++k) {
            const Vec3 p = s.at(random.uniform(s.beginU(), s.endU()), random.uniform(s.beginV(), s.endV())).position;
            const SurfaceFoot foot = body.tree.closestPoint(p);
            const SurfaceCell& knot = body.knots()[foot.cell];
            EXPECT_LE(norm(p - knot.middle), knot.radius) << name;
            // How much farther from a plane that touches here the knot is.
            EXPECT_LE(std::abs(dot(knot.middle - p, foot.normal)), body.gapTolerance) << name;
            EXPECT_LE(norm(p), body.radius) << name;
        }
    }
}

TEST(SurfaceBody, HasTheMassOfTheEllipsoidInItsPrincipalFrame) {
    SurfaceDefinition d = ellipsoidSurface({1, 2, 3});
    const Pose pose{{10, -20, 30}, rotationBy({0.3, -0.4, 0.9})};
    for (Vec3& p : d.points) p = outOfFrame(pose, p);
    const SurfaceBodyInPlace made = makeSurfaceBody(d);
    const MassProperties solid = massProperties(EllipsoidShape{{1, 2, 3}});
    EXPECT_NEAR(made.body->mass.volume / solid.volume, 1, 1e-12);
    std::array<double, 3> ours{made.body->mass.inertia.x, made.body->mass.inertia.y, made.body->mass.inertia.z};
    std::array<double, 3> theirs{solid.inertia.x, solid.inertia.y, solid.inertia.z};
    std::sort(ours.begin(), ours.end());
    std::sort(theirs.begin(), theirs.end());
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(ours[k] / theirs[k], 1, 1e-11);
    EXPECT_LT(norm(made.pose.position - pose.position), 1e-12);
    const MassMoments again = momentsOf(made.body->tree.surface());
    EXPECT_LT(norm(again.firstMoment), 1e-11);
    EXPECT_LT(std::abs(again.secondMoment(0, 1)) + std::abs(again.secondMoment(1, 2)), 1e-10);
}

}  // namespace
}  // namespace talus
