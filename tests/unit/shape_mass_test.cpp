#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "convex_samples.hpp"
#include "geometry/mass/moments.hpp"
#include "geometry/solids/make_solids.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using std::numbers::pi;

// Distance of a point from a convex solid along many directions tells whether it is inside: inside of the rounded solid
// means that no direction separates it. Directions of the net are refined by the caller's tolerance.
bool isInside(const Shape& solid, const Vec3& p) {
    const Shape point = SphereShape{};
    const ShapeInPlace ball{&point, 1e-12, {p, {}}}, body{&solid, 1, {}};
    std::vector<ContactPoint> points;
    findContactPoints(ball, body, 1e-11, points);
    return !points.empty() && points[0].gap < 0;
}

// Halton's sequence: digits of k mirrored at the point.
double mirrored(int k, int base) {
    double value = 0;
    for (double digit = 1.0 / base; k > 0; k /= base, digit /= base) value += digit * (k % base);
    return value;
}

// Quasi-random points of the box around the solid; the error falls almost like 1/points.
MassProperties byCounting(const Shape& solid, int points) {
    const double reach = boundingRadius(solid);
    MassProperties m;
    const double cell = 8 * reach * reach * reach / points;
    for (int k = 0; k < points; ++k) {
        const Vec3 p = reach * Vec3{2 * mirrored(k, 2) - 1, 2 * mirrored(k, 3) - 1, 2 * mirrored(k, 5) - 1};
        if (!isInside(solid, p)) continue;
        m.volume += cell;
        m.inertia += cell * Vec3{p.y * p.y + p.z * p.z, p.z * p.z + p.x * p.x, p.x * p.x + p.y * p.y};
    }
    return m;
}

void expectClose(const MassProperties& a, const MassProperties& b, double tolerance) {
    EXPECT_NEAR(a.volume, b.volume, tolerance * b.volume);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(a.inertia[k], b.inertia[k], tolerance * norm(b.inertia));
}

TEST(MassOfSolids, AgreesWithCountingPoints) {
    for (const auto& [name, shape] : samples::convexSolids()) {
        SCOPED_TRACE(name);
        // Hulls of random points have no principal axes here: their diagonal is compared all the same.
        expectClose(massProperties(shape), byCounting(shape, 20000), 2e-2);
    }
}

TEST(MassOfSolids, OfACylinderIsTheTextbookOne) {
    const double r = 0.3, h = 0.5, volume = pi * r * r * 2 * h, across = volume * (r * r / 4 + h * h / 3);
    expectClose(massProperties(CylinderShape{r, h}), {volume, {across, across, volume * r * r / 2}}, 1e-13);
}

TEST(MassOfSolids, OfAConeIsTheTextbookOne) {
    const double r = 0.3, h = 0.8, volume = pi * r * r * h / 3;
    const double across = volume * (3.0 / 20 * r * r + 3.0 / 80 * h * h);
    const ConeShape cone = makeCone(r, 0, h);
    EXPECT_NEAR(cone.low, -h / 4, 1e-15);
    expectClose(massProperties(cone), {volume, {across, across, 0.3 * volume * r * r}}, 1e-13);
}

TEST(MassOfSolids, OfACapsuleIsThatOfItsParts) {
    const double r = 0.3, h = 0.6, rod = pi * r * r * 2 * h, ball = 4.0 / 3 * pi * r * r * r;
    // Half balls are shifted by 3/8 r from the ends.
    const double across = rod * (r * r / 4 + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * h * r);
    expectClose(massProperties(CapsuleShape{r, h}),
                {rod + ball, {across, across, rod * r * r / 2 + 0.4 * ball * r * r}}, 1e-13);
}

TEST(MassOfSolids, SuperquadricsOfExponentTwoAreEllipsoids) {
    const Vec3 axes{0.9, 0.5, 0.3};
    expectClose(massProperties(SuperquadricShape{axes, 2, 2}), massProperties(EllipsoidShape{axes}), 1e-13);
    EXPECT_NEAR(boundingRadius(SuperquadricShape{axes, 2, 2}), 0.9, 1e-15);
}

TEST(MassOfSolids, SuperquadricsOfExponentOneAreOctahedra) {
    const double a = 0.5, volume = 4.0 / 3 * a * a * a, inertia = volume * a * a / 5;
    expectClose(massProperties(SuperquadricShape{{a, a, a}, 1, 1}), {volume, {inertia, inertia, inertia}}, 1e-13);
}

TEST(MassOfSolids, BoundingRadiiReachTheFarthestPointAndNoFarther) {
    Random random(5, 1);
    for (const auto& [name, shape] : samples::convexSolids()) {
        SCOPED_TRACE(name);
        double farthest = 0;
        for (int k = 0; k < 20000; ++k) {
            farthest = std::max(farthest, norm(supportPoint(shape, samples::randomDirection(random))));
        }
        const double radius = boundingRadius(shape);
        EXPECT_LE(farthest + roundingOf(shape), radius * (1 + 1e-12));
        EXPECT_GE(farthest + roundingOf(shape), radius * 0.99);
    }
}

TEST(RoundedHull, OfABoxHasTheMassOfTheRoundedBox) {
    const Vec3 half{0.5, 0.3, 0.8};
    const auto hull = samples::boxHull(half);
    for (const double rounding : {0.0, 0.05, 0.4, 3.0}) {
        expectClose(massProperties(HullShape{hull, rounding}), massProperties(BoxShape{half, rounding}), 1e-12);
    }
}

TEST(RoundedHull, HasTheVolumeOfSteinersFormula) {
    Random random(9, 1);
    const auto hull = samples::randomHull(random, 10);
    double area = 0, edges = 0;
    for (const auto& f : hull->faces) {
        for (std::size_t k = 2; k < f.corners.size(); ++k) {
            const Vec3 &a = hull->corners[f.corners[0]], &b = hull->corners[f.corners[k - 1]],
                       &c = hull->corners[f.corners[k]];
            area += 0.5 * norm(cross(b - a, c - a));
        }
    }
    for (const auto& e : hull->edges) {
        const double bend = std::acos(dot(hull->faces[e.left].normal, hull->faces[e.right].normal));
        edges += 0.5 * bend * norm(hull->corners[e.to] - hull->corners[e.from]);
    }
    const double r = 0.2, core = massProperties(HullShape{hull, 0}).volume;
    EXPECT_NEAR(massProperties(HullShape{hull, r}).volume, core + area * r + edges * r * r + 4.0 / 3 * pi * r * r * r,
                1e-12);
}

TEST(RoundedHull, HasMomentsThatDoNotDependOnTheOrigin) {
    Random random(11, 1);
    auto hull = *samples::randomHull(random, 9);
    const SolidMoments here = momentsOf(hull, 0.15);
    const Vec3 shift{0.3, -0.2, 0.1};
    for (Vec3& c : hull.corners) c -= shift;
    for (auto& f : hull.faces) f.distance -= dot(f.normal, shift);
    const SolidMoments moved = momentsOf(hull, 0.15), expected = here.about(shift);
    EXPECT_NEAR(moved.volume, expected.volume, 1e-13);
    EXPECT_NEAR(norm(moved.first - expected.first), 0, 1e-13);
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(moved.second.m[k], expected.second.m[k], 1e-12);
}

TEST(MakePolygon, CentresATriangleAndKeepsItsAxes) {
    const PolygonInPlace made = makePolygon({{1, 1}, {4, 1}, {1, 4}});
    EXPECT_NEAR(made.pose.position.x, 2, 1e-14);
    EXPECT_NEAR(made.pose.position.y, 2, 1e-14);
    const MassProperties mass = massProperties(made.shape);
    EXPECT_NEAR(mass.volume, 4.5, 1e-14);
    EXPECT_NEAR(mass.inertia.z, 4.5 * (9 + 9) / 18, 1e-13);
}

TEST(MakePolygon, RoundedSquareHasTheMomentsOfItsParts) {
    const double a = 0.5, r = 0.2;
    const PolygonInPlace made = makePolygon({{-a, -a}, {a, -a}, {a, a}, {-a, a}}, r);
    const double area = 4 * a * a + 8 * a * r + pi * r * r;
    // By x^2: square, strips, and quarters of a disc about the corners.
    const double squares = 4 * a * a * a * a / 3 + 2 * (2 * a) * ((a + r) * (a + r) * (a + r) - a * a * a) / 3 +
                           4 * a * r * a * a / 3 + pi * r * r * a * a + 8 * a * r * r * r / 3 + pi * r * r * r * r / 4;
    const MassProperties mass = massProperties(made.shape);
    EXPECT_NEAR(mass.volume, area, 1e-14);
    EXPECT_NEAR(mass.inertia.z, 2 * squares, 1e-13);
    EXPECT_NEAR(massProperties(made.shape, 2).inertia.z, 16 * mass.inertia.z, 1e-12);
}

TEST(MakePolygon, TurnsClockwiseCornersRound) {
    const PolygonInPlace made = makePolygon({{0, 0}, {0, 1}, {1, 0}});
    EXPECT_GT(massProperties(made.shape).volume, 0.49);
}

std::string messageOf(std::vector<PolygonShape::Corner> corners, double rounding) {
    try {
        makePolygon(std::move(corners), rounding);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(MakePolygon, RefusesWhatIsNoConvexPolygon) {
    EXPECT_NE(messageOf({{0, 0}, {2, 0}, {1, 0.2}, {1, 2}}, 0).find("bends inward"), std::string::npos);
    EXPECT_NE(messageOf({{0, 0}, {1, 0}, {2, 0}, {1, 2}}, 0).find("corners[1]: lies straight"), std::string::npos);
    EXPECT_NE(messageOf({{0, 0}, {1, 0}, {1, 0}, {1, 2}}, 0).find("same place"), std::string::npos);
    EXPECT_NE(messageOf({{0, 0}, {1, 0}}, 0).find("without a rounding"), std::string::npos);
    EXPECT_NE(messageOf({{0, 0}, {1, NAN}, {1, 1}}, 0).find("corners[1]"), std::string::npos);
    EXPECT_NE(messageOf({{0, 1}, {-0.6, -0.8}, {0.95, 0.3}, {-0.95, 0.3}, {0.6, -0.8}}, 0).find("winds round"),
              std::string::npos);
    EXPECT_NE(messageOf({{0, 0}, {1, 0}, {1, 1}}, -1).find("rounding"), std::string::npos);
}

TEST(MakeCone, PutsTheCentreOfMassAtTheOriginWithRoundingToo) {
    const ConeShape cone = makeCone(0.5, 0.1, 0.8, 0.2);
    EXPECT_NEAR(momentsOf(cone).centre().z, 0, 1e-15);
    EXPECT_NEAR(cone.high - cone.low, 0.8, 1e-15);
    EXPECT_THROW(makeCone(-1, 0, 1), InputError);
    EXPECT_THROW(makeCone(0, 0, 1), InputError);
    EXPECT_THROW(makeCone(1, 0, 0), InputError);
}

}  // namespace
}  // namespace talus
