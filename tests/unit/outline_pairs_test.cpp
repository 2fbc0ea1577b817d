// Outlines against discs, polygons, walls and each other through the one search for all shapes.
#include <gtest/gtest.h>

#include <map>

#include "contacts/narrow/ball_touches.hpp"
#include "contacts/narrow/contact_points.hpp"
#include "geometry/nurbs/outline.hpp"
#include "geometry/nurbs/outline_triangles.hpp"
#include "geometry/solids/make_solids.hpp"
#include "unit/curve_samples.hpp"
#include "unit/found_contacts.hpp"

namespace talus {
namespace {

using namespace test;

Shape outlineShape(const NurbsDefinition& definition, double tolerance = 0) {
    return makeOutlineShape(definition, {.gapTolerance = tolerance}).shape;
}

ShapeInPlace at(const Shape& shape, Vec2 position, double angle = 0, double scale = 1) {
    return {&shape, scale, {{position.x, position.y, 0}, rotationBy({0, 0, angle})}};
}

using samples::contactsOf;

double leastGap(const std::vector<ContactPoint>& points) {
    double least = 1e300;
    for (const ContactPoint& p : points) least = std::min(least, p.gap);
    return least;
}

// Distance of two curves by all pairs of many points of both.
double brutalDistance(const ShapeInPlace& outline, const std::vector<Vec3>& other) {
    const NurbsCurve& curve = std::get<OutlineShape>(*outline.shape).outline->curve;
    double least = 1e300;
    for (int k = 0; k < 4000; ++k) {
        const Vec2 p = curve.at(curve.begin() + (curve.end() - curve.begin()) * k / 4000);
        const Vec3 place = outline.pose.position + outline.scale * rotate(outline.pose.orientation, {p.x, p.y, 0});
        for (const Vec3& q : other) least = std::min(least, norm(place - q));
    }
    return least;
}

TEST(OutlineShape, HasTheMassAndTheSmallestCircleOfADisc) {
    const Shape disc = outlineShape(circle(2, {3, 4}));
    const Shape reference = PolygonShape{{{0, 0}}, 2};
    for (const double scale : {1.0, 0.5}) {
        EXPECT_NEAR(massProperties(disc, scale).volume, massProperties(reference, scale).volume, 1e-12);
        EXPECT_NEAR(massProperties(disc, scale).inertia.z, massProperties(reference, scale).inertia.z, 1e-12);
    }
    EXPECT_NEAR(equivalentRadius(disc), 2, 1e-12);
    EXPECT_GE(boundingRadius(disc), 2);
    EXPECT_LT(boundingRadius(disc), 2 * (1 + 2e-6));
    EXPECT_EQ(shapeName(disc), "outline");
}

TEST(OutlineShape, TellsWhereItsCentroidWas) {
    const OutlineInFrame made = makeOutlineShape(circle(2, {3, 4}));
    EXPECT_NEAR(made.centroid.x, 3, 1e-12);
    EXPECT_NEAR(made.centroid.y, 4, 1e-12);
}

TEST(OutlineShape, AsTrianglesHasItsArea) {
    for (const auto& [name, definition] : manyCurves()) {
        const OutlineBody o = makeOutline(definition, {.gapTolerance = 1e-4});
        const SurfaceTriangles surface = triangulate(o);
        double area = 0;
        for (const auto& [a, b, c] : surface.triangles) {
            const double part =
                0.5 * cross(surface.corners[b] - surface.corners[a], surface.corners[c] - surface.corners[a]).z;
            EXPECT_GT(part, 0) << name;
            area += part;
        }
        EXPECT_NEAR(area, o.moments.area, 2e-4 * o.curve.length()) << name;
    }
}

TEST(OutlineShape, HasNoMoreKnotsThanItIsAllowed) {
    for (const auto& [name, definition] : manyCurves()) {
        for (const std::uint64_t most : {50u, 200u}) {
            const OutlineBody o = makeOutline(definition, {.mostKnots = most});
            EXPECT_LE(o.knots.size(), most) << name;
            // Straight sides need no more than a few.
            EXPECT_GE(o.knots.size(), o.curve.definition().degree > 1 ? most * 6 / 10 : 16) << name;
            EXPECT_LE(makeOutline(definition, {.gapTolerance = 1.01 * o.gapTolerance}).knots.size(), most) << name;
        }
    }
}

TEST(OutlinePairs, ADiscIsAsFarFromAnOutlineAsItsCentreLessItsRadius) {
    const Shape sphere = SphereShape{}, disc = PolygonShape{{{0, 0}}, 1};
    Random random(11, 0);
    for (const auto& [name, definition] : manyCurves()) {
        const Shape grain = outlineShape(definition);
        const CurveTree& tree = std::get<OutlineShape>(grain).outline->tree;
        for (int k = 0; k < 20; ++k) {
            const ShapeInPlace b = at(grain, {0, 0}, random.uniform(0, 6), 1.3);
            const Vec2 centre{random.uniform(-3, 3), random.uniform(-3, 3)};
            const Vec3 local = rotateBack(b.pose.orientation, {centre.x, centre.y, 0}) / b.scale;
            const double exact = b.scale * tree.closestPoint({local.x, local.y}).gap - 0.4;
            for (const Shape* ball : {&sphere, &disc}) {
                const std::vector<ContactPoint> points = contactsOf(at(*ball, centre, 0, 0.4), b, 5);
                EXPECT_NEAR(leastGap(points), exact, 1e-12) << name;
                EXPECT_NEAR(leastGap(contactsOf(b, at(*ball, centre, 0, 0.4), 5)), exact, 1e-12) << name;
            }
        }
    }
}

TEST(OutlinePairs, ADiscInANotchTouchesBothSides) {
    const Shape notch = outlineShape(polygon({{-3, -2}, {3, -2}, {3, 2}, {1, 2}, {0, 0}, {-1, 2}, {-3, 2}}));
    const Vec2 centroid =
        makeOutlineShape(polygon({{-3, -2}, {3, -2}, {3, 2}, {1, 2}, {0, 0}, {-1, 2}, {-3, 2}})).centroid;
    const Shape ball = SphereShape{};
    // Sides rise with slope 2: a ball of this radius at height 1 just touches both.
    const double radius = 1 / std::sqrt(5.0);
    bool left = false, right = false;
    for (const ContactPoint& p : contactsOf(at(ball, {0, 1}, 0, radius), at(notch, centroid), 0.01)) {
        left = left || p.normal.x > 0.8;
        right = right || p.normal.x < -0.8;
    }
    EXPECT_TRUE(left && right);
}

TEST(OutlinePairs, NamesOfTheTwoSidesOfARightAngledHollowStayWithTheSides) {
    const NurbsDefinition hollow = polygon({{-3, -3}, {3, -3}, {3, 0}, {0, 0}, {0, 3}, {-3, 3}});
    const Shape angle = outlineShape(hollow), block = outlineShape(square(1));
    const Vec2 centroid = makeOutlineShape(hollow).centroid;
    std::map<bool, std::uint64_t> names;  // by whether the contact is on the floor
    // The corner of the block, turned by 45 degrees, is a little nearer to one side, to the other, or to none.
    for (const Vec2 beside : {Vec2{0, 0}, Vec2{1e-4, 0}, Vec2{0, 1e-4}}) {
        const Vec2 place = Vec2{1e-3, 1e-3} + beside + 0.5 * Vec2{1, 1};
        const std::vector<ContactPoint> points = contactsOf(at(block, place), at(angle, centroid), 5e-3);
        int corners = 0;
        for (const ContactPoint& p : points) {
            const Vec3 fromCorner = p.position - Vec3{place.x - 0.5, place.y - 0.5, 0};
            if (norm(fromCorner) > 0.01) continue;
            ++corners;
            const auto [known, isNew] = names.try_emplace(p.normal.y > 0.5, p.feature);
            EXPECT_TRUE(isNew || known->second == p.feature) << beside.x << " " << beside.y;
        }
        EXPECT_EQ(corners, 2);
    }
    ASSERT_EQ(names.size(), 2u);
    EXPECT_NE(names[false], names[true]);
}

TEST(OutlinePairs, AStadiumIsAsFarFromWhatLiesOnItsAxis) {
    // A corner of the outline lies on the axis of the stadium, beyond its end.
    const Shape stadium = PolygonShape{{{-1, 0}, {1, 0}}, 0.25};
    const Shape diamond = outlineShape(polygon({{1, 0}, {0, 1}, {-1, 0}, {0, -1}}));
    for (const double gap : {0.1, 0.001, -0.01}) {
        const std::vector<ContactPoint> points = contactsOf(at(stadium, {0, 0}), at(diamond, {2.25 + gap, 0}), 0.5);
        ASSERT_FALSE(points.empty());
        EXPECT_NEAR(leastGap(points), gap, 1e-12);
        for (const ContactPoint& p : points) EXPECT_LT(p.normal.x, -0.7);
    }
}

TEST(OutlinePairs, APolygonIsAsFarAsAllPairsOfPointsSay) {
    Random random(12, 0);
    int checked = 0;
    for (const double rounding : {0.0, 0.1}) {
        const Shape triangle = makePolygon({{0, 0}, {1, 0}, {0.3, 0.8}}, rounding).shape;
        const auto& corners = std::get<PolygonShape>(triangle).corners;
        for (const auto& [name, definition] : manyCurves()) {
            const double tolerance = 1e-3;
            const Shape grain = outlineShape(definition, tolerance);
            const ShapeInPlace a = at(triangle, {random.uniform(2, 3), random.uniform(-1, 1)}, random.uniform(0, 6));
            const ShapeInPlace b = at(grain, {0, 0}, random.uniform(0, 6));
            std::vector<Vec3> edges;
            for (std::size_t k = 0; k < 3; ++k) {
                const auto &from = corners[k], &to = corners[(k + 1) % 3];
                for (int j = 0; j < 400; ++j) {
                    const double t = j / 400.0;
                    edges.push_back(a.pose.position + rotate(a.pose.orientation, {from.x + t * (to.x - from.x),
                                                                                  from.y + t * (to.y - from.y), 0}));
                }
            }
            const double exact = brutalDistance(b, edges) - rounding;
            if (exact < 0.01) continue;
            ++checked;
            const std::vector<ContactPoint> points = contactsOf(a, b, exact + 0.05),
                                            back = contactsOf(b, a, exact + 0.05);
            ASSERT_FALSE(points.empty()) << name;
            EXPECT_GT(leastGap(points), exact - 2e-3) << name;
            EXPECT_LT(leastGap(points), exact + 1e-9) << name;
            ASSERT_EQ(points.size(), back.size());
            for (std::size_t k = 0; k < points.size(); ++k) {
                EXPECT_EQ(points[k].feature, back[k].feature);
                EXPECT_EQ(points[k].normal, -back[k].normal);
                EXPECT_EQ(points[k].position, back[k].position);
                EXPECT_EQ(points[k].gap, back[k].gap);
            }
        }
    }
    EXPECT_GT(checked, 12);
}

TEST(OutlinePairs, OverlapAsPolygonsDo) {
    const Shape box = outlineShape(square(2)), reference = makePolygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}).shape;
    for (const double gap : {-0.01, 0.02}) {
        const std::vector<ContactPoint> points = contactsOf(at(reference, {0.5, 2 + gap}), at(box, {0, 0}), 0.05);
        double left = 1e9, right = -1e9;
        for (const ContactPoint& p : points) {
            EXPECT_NEAR(p.gap, gap, 1e-12);
            EXPECT_NEAR(p.normal.y, 1, 1e-12);
            EXPECT_NEAR(p.position.y, 1 + 0.5 * gap, 1e-12);
            left = std::min(left, p.position.x);
            right = std::max(right, p.position.x);
        }
        EXPECT_NEAR(left, -0.5, 1e-12);
        EXPECT_NEAR(right, 1, 1e-12);
    }
}

TEST(OutlinePairs, OfPlanesThroughAnyPlaneOfTheSceneAreTheSame) {
    // The same two bodies in the xy plane and turned into the xz plane.
    const std::vector<NamedCurve> curves = manyCurves();
    const Shape one = outlineShape(curves[5].definition), two = outlineShape(curves[7].definition);
    const ShapeInPlace a = at(one, {0, 0}, 0.3), b = at(two, {1.6, 0.4}, 1);
    const Quat turn = rotationBy({pi / 2, 0, 0});
    const auto turned = [&](ShapeInPlace body) {
        body.pose = {rotate(turn, body.pose.position), turn * body.pose.orientation};
        return body;
    };
    const std::vector<ContactPoint> flat = contactsOf(a, b, 0.3), upright = contactsOf(turned(a), turned(b), 0.3);
    ASSERT_FALSE(flat.empty());
    ASSERT_EQ(flat.size(), upright.size());
    for (std::size_t k = 0; k < flat.size(); ++k) {
        EXPECT_EQ(flat[k].feature, upright[k].feature);
        EXPECT_NEAR(flat[k].gap, upright[k].gap, 1e-12);
        EXPECT_NEAR(norm(rotate(turn, flat[k].normal) - upright[k].normal), 0, 1e-12);
    }
}

TEST(OutlinePairs, ASphereIsADiscInWhateverPlaneTheSceneIs) {
    const Shape box = outlineShape(square(2)), sphere = SphereShape{}, disc = PolygonShape{{{0, 0}}, 1};
    const double half = std::sqrt(0.5), exact = half - 0.6;
    struct Plane {
        Quat turn;
        Vec3 beside, diagonal;  // where the sphere is; from the corner to it
    };
    for (const Plane& plane :
         {Plane{{}, {-1.5, 1.5, 0}, {-half, half, 0}}, Plane{{half, half, 0, 0}, {-1.5, 0, 1.5}, {-half, 0, half}},
          Plane{{0.5, 0.5, 0.5, 0.5}, {0, -1.5, 1.5}, {0, -half, half}}}) {
        const ShapeInPlace outline{&box, 1, {{}, plane.turn}};
        // Whatever the orientation of the sphere is; a disc lies in the plane.
        const ShapeInPlace balls[] = {{&sphere, 0.6, {plane.beside, {}}},
                                      {&sphere, 0.6, {plane.beside, rotationBy({0.4, -2, 1})}},
                                      {&disc, 0.6, {plane.beside, plane.turn}}};
        for (const ShapeInPlace& ball : balls) {
            const std::vector<ContactPoint> points = contactsOf(ball, outline, 0.2);
            ASSERT_FALSE(points.empty());
            EXPECT_NEAR(leastGap(points), exact, 1e-12);
            EXPECT_LT(norm(points.front().normal - plane.diagonal), 1e-12);
            EXPECT_NEAR(leastGap(contactsOf(outline, ball, 0.2)), exact, 1e-12);
        }
        EXPECT_FALSE(ballTouches(plane.beside, 0.6, outline));
        EXPECT_TRUE(ballTouches(plane.beside, 0.8, outline));
    }
}

TEST(OutlinePairs, TouchTheFacesOfABoxThatAreThere) {
    const Shape box = BoxWall{{2, 2, 2}, {false, false, true, false, true, true}}, grain = outlineShape(square(2));
    const ShapeInPlace wall{&box, 1, {}};
    bool left = false, bottom = false;
    for (const ContactPoint& p : contactsOf(at(grain, {-1 + 1e-3, -1 + 1e-3}), wall, 0.01)) {
        left = left || p.normal.x > 0.9;
        bottom = bottom || p.normal.y > 0.9;
    }
    EXPECT_TRUE(left);
    EXPECT_FALSE(bottom);
}

}  // namespace
}  // namespace talus
