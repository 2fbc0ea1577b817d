// Contacts between outlines against discs, squares, and all pairs of points of two curves.
#include "contacts/narrow/nurbs/outline_contacts.hpp"

#include <gtest/gtest.h>

#include "talus/error.hpp"
#include "unit/curve_samples.hpp"

namespace talus {
namespace {

using namespace test;

OutlineInPlace placed(const OutlineBody& outline, Vec2 position, double angle = 0, double scale = 1) {
    return {&outline, scale, {{position.x, position.y, 0.7}, rotationBy({0, 0, angle})}};
}

std::vector<ContactPoint> contacts(const OutlineInPlace& a, const OutlineInPlace& b, double margin) {
    std::vector<ContactPoint> points;
    findOutlineContacts(a, b, {margin}, points);
    return points;
}

const ContactPoint& nearest(const std::vector<ContactPoint>& points) {
    return *std::min_element(points.begin(), points.end(), [](const auto& a, const auto& b) { return a.gap < b.gap; });
}

TEST(OutlineKnots, FollowTheCurvatureWithinTheTolerance) {
    for (const auto& [name, definition] : manyCurves()) {
        for (const double tolerance : {1e-2, 1e-3, 1e-4}) {
            const OutlineBody o = makeOutline(definition, {.gapTolerance = tolerance});
            for (std::size_t k = 0; k < o.knots.size(); ++k) {
                const double from = o.knots[k].parameter;
                const double to = k + 1 < o.knots.size() ? o.knots[k + 1].parameter
                                                         : o.knots[0].parameter + o.curve.end() - o.curve.begin();
                for (int j = 1; j < 20; ++j) {
                    const double deviation =
                        distanceToSegment(o.curve.at(from + (to - from) * j / 20), o.curve.at(from), o.curve.at(to));
                    EXPECT_LT(deviation, 0.6 * tolerance) << name;
                }
            }
            for (const double corner : corners(o.curve)) {
                EXPECT_TRUE(std::any_of(o.knots.begin(), o.knots.end(),
                                        [&](const auto& knot) { return knot.corner && knot.parameter == corner; }));
            }
        }
    }
}

TEST(OutlineKnots, ThatWouldBeTooManyAreRefusedWithAToleranceThatFits) {
    NurbsDefinition wavy{.degree = 3};
    for (int k = 0; k < 400; ++k) {
        const double radius = k % 2 == 0 ? 1 : 0.9;
        wavy.points.push_back({radius * std::cos(k * pi / 200), radius * std::sin(k * pi / 200)});
    }
    wavy = closedUniform(wavy);
    const auto complaintAbout = [&](double tolerance) -> std::string {
        try {
            makeOutline(wavy, {.gapTolerance = tolerance});
        } catch (const InputError& error) {
            return error.what();
        }
        return "none";
    };
    const std::string complaint = complaintAbout(1e-7);
    const std::string before = "outline.gap_tolerance: 1e-07 m would need more than 100000 knots; at least ";
    ASSERT_EQ(complaint.substr(0, before.size()), before);
    EXPECT_EQ(complaintAbout(1.01 * std::stod(complaint.substr(before.size()))), "none");
}

TEST(OutlineKnots, OnADiscAreEven) {
    const OutlineBody o = makeOutline(circle(2));
    EXPECT_EQ(o.knots.size(), 50u);
    for (std::size_t k = 1; k < o.knots.size(); ++k) {
        EXPECT_NEAR(norm(o.knots[k].position - o.knots[k - 1].position), 4 * std::sin(pi / 50), 2e-3);
        EXPECT_NEAR(o.knots[k].curvature, 0.5, 1e-12);
    }
}

TEST(Outline, IsCentredAndHasTheMassOfADisc) {
    const OutlineBody o = makeOutline(circle(2, {5, 7}));
    EXPECT_NEAR(norm(o.moments.centroid), 0, 1e-14);
    EXPECT_NEAR(o.equivalentRadius, 2, 1e-14);
    EXPECT_GE(o.radius, 2);
    EXPECT_NEAR(massProperties(o).volume, 4 * pi, 1e-13);
    EXPECT_NEAR(massProperties(o).inertia.z, 8 * pi, 1e-12);
}

TEST(OutlineContacts, OfCirclesAreThoseOfDiscs) {
    Random random(4, 0);
    for (int k = 0; k < 200; ++k) {
        // Whatever the knots are.
        const OutlineBody one = makeOutline(circle(1), {.gapTolerance = std::pow(10, random.uniform(-5, -1))});
        const double scale = random.uniform(0.5, 2), angle = random.uniform(0, 2 * pi),
                     gap = random.uniform(-0.05, 0.05);
        const Vec2 direction{std::cos(angle), std::sin(angle)};
        const OutlineInPlace b = placed(one, {3, 4}, random.uniform(0, 6));
        const OutlineInPlace a = placed(one, Vec2{3, 4} + (1 + scale + gap) * direction, random.uniform(0, 6), scale);
        const std::vector<ContactPoint> points = contacts(a, b, 0.06);
        ASSERT_EQ(points.size(), 1u);
        const ContactPoint& c = points[0];
        EXPECT_NEAR(c.gap, gap, 1e-12);
        EXPECT_NEAR(norm(c.normal - Vec3{direction.x, direction.y, 0}), 0, 1e-9);
        const Vec2 middle = Vec2{3, 4} + (1 + 0.5 * gap) * direction;
        EXPECT_NEAR(norm(c.position - Vec3{middle.x, middle.y, 0.7}), 0, 1e-9);
        EXPECT_NEAR(c.radius, scale / (1 + scale), 1e-9);
    }
}

TEST(OutlineContacts, AreTheSameWhicheverBodyComesFirst) {
    const std::vector<NamedCurve> curves = manyCurves();
    Random random(5, 0);
    int found = 0;
    for (int k = 0; k < 300; ++k) {
        const OutlineBody one = makeOutline(curves[static_cast<std::size_t>(k) % curves.size()].definition);
        const OutlineBody two = makeOutline(curves[static_cast<std::size_t>(random.uniform() * 10)].definition);
        const OutlineInPlace a = placed(one, {0, 0}, random.uniform(0, 6)),
                             b = placed(two, {random.uniform(1, 2.5), 0.3}, random.uniform(0, 6), 1.2);
        const std::vector<ContactPoint> there = contacts(a, b, 0.1), back = contacts(b, a, 0.1);
        ASSERT_EQ(there.size(), back.size());
        for (const ContactPoint& point : there) {
            const auto isSame = [&](const ContactPoint& p) {
                return norm(p.position - point.position) < 1e-7 && norm(p.normal + point.normal) < 1e-6;
            };
            const auto same = std::find_if(back.begin(), back.end(), isSame);
            ASSERT_NE(same, back.end());
            EXPECT_NEAR(same->gap, point.gap, 1e-9);
            EXPECT_NEAR(same->radius, point.radius, 1e-3 * point.radius);
            ++found;
        }
        EXPECT_TRUE(std::is_sorted(there.begin(), there.end(),
                                   [](const auto& p, const auto& q) { return p.feature < q.feature; }));
    }
    EXPECT_GT(found, 200);
}

double brutalDistance(const OutlineInPlace& a, const OutlineInPlace& b) {
    const auto pointsOf = [](const OutlineInPlace& o) {
        std::vector<Vec3> points;
        for (int k = 0; k < 1500; ++k) {
            const NurbsCurve& c = o.outline->curve;
            const Vec2 p = c.at(c.begin() + (c.end() - c.begin()) * k / 1500);
            points.push_back(o.pose.position + o.scale * rotate(o.pose.orientation, {p.x, p.y, 0}));
        }
        return points;
    };
    double least = 1e300;
    const std::vector<Vec3> one = pointsOf(a), two = pointsOf(b);
    for (const Vec3& p : one) {
        for (const Vec3& q : two) least = std::min(least, normSquared(p - q));
    }
    return std::sqrt(least);
}

TEST(OutlineContacts, FindTheLeastGap) {
    const std::vector<NamedCurve> curves = manyCurves();
    Random random(6, 0);
    int checked = 0;
    for (int k = 0; k < 30; ++k) {
        const double tolerance = 2e-3;
        const OutlineBody one =
            makeOutline(curves[static_cast<std::size_t>(k) % 10].definition, {.gapTolerance = tolerance});
        const OutlineBody two = makeOutline(curves[static_cast<std::size_t>(random.uniform() * 10)].definition,
                                            {.gapTolerance = tolerance});
        const OutlineInPlace a = placed(one, {0, 0}, random.uniform(0, 6)),
                             b = placed(two, {one.radius + two.radius - 0.2, 0}, random.uniform(0, 6));
        const double exact = brutalDistance(a, b);
        if (exact < 0.02) continue;  // curves that cross have points this near
        ++checked;
        const std::vector<ContactPoint> points = contacts(a, b, exact + 0.05);
        ASSERT_FALSE(points.empty()) << k;
        EXPECT_GT(nearest(points).gap, exact - 1e-3) << k;
        EXPECT_LT(nearest(points).gap, exact + 1e-9) << k;
    }
    EXPECT_GT(checked, 15);
}

TEST(OutlineContacts, KeepTheirNameAsTheyRoll) {
    const OutlineBody one = makeOutline(circle(1));
    const std::uint64_t name = contacts(placed(one, {0, 0}), placed(one, {2.05, 0}), 0.2)[0].feature;
    for (int k = 0; k < 100; ++k) {
        const std::vector<ContactPoint> points = contacts(placed(one, {0, 0}, 0.1 * k), placed(one, {2.05, 0}), 0.2);
        ASSERT_EQ(points.size(), 1u);
        EXPECT_EQ(points[0].feature, name);
    }
}

TEST(OutlineContacts, BeyondTheMarginAreNone) {
    const OutlineBody one = makeOutline(circle(1));
    EXPECT_TRUE(contacts(placed(one, {0, 0}), placed(one, {2.2, 0}), 0.1).empty());
    EXPECT_FALSE(contacts(placed(one, {0, 0}), placed(one, {2.2, 0}), 0.21).empty());
    EXPECT_NEAR(leastDistance(placed(one, {0, 0}), placed(one, {5, 0})), 5 - 2 * one.radius, 1e-14);
}

TEST(OutlineContacts, OfFlatSidesCarryAMoment) {
    const OutlineBody box = makeOutline(square(2));
    const std::vector<ContactPoint> points = contacts(placed(box, {0.5, 2 - 1e-3}), placed(box, {0, 0}), 0.01);
    double left = 1e9, right = -1e9;
    EXPECT_EQ(points.size(), 2u);
    for (const ContactPoint& p : points) {
        EXPECT_NEAR(p.gap, -1e-3, 1e-12);
        EXPECT_NEAR(norm(p.normal - Vec3{0, 1, 0}), 0, 1e-9);
        left = std::min(left, p.position.x);
        right = std::max(right, p.position.x);
    }
    EXPECT_NEAR(left, -0.5, 1e-12) << "the corner of the upper box";
    EXPECT_NEAR(right, 1, 1e-12) << "the corner of the lower box";
}

TEST(OutlineContacts, OfInterlockedBodiesAreAtSeveralPlaces) {
    // A peg in a notch: floor and both sides touch.
    const NurbsDefinition corners = polygon({{-3, -2}, {3, -2}, {3, 2}, {1, 2}, {1, 0}, {-1, 0}, {-1, 2}, {-3, 2}});
    const OutlineBody notch = makeOutline(corners), peg = makeOutline(square(2));
    const Vec2 centre = areaMoments(NurbsCurve(corners)).centroid;
    const std::vector<ContactPoint> points = contacts(placed(peg, {0, 1 + 1e-3}), placed(notch, centre), 0.01);
    bool floor = false, left = false, right = false;
    for (const ContactPoint& p : points) {
        floor = floor || p.normal.y > 0.9;
        left = left || p.normal.x > 0.9;
        right = right || p.normal.x < -0.9;
    }
    EXPECT_TRUE(floor && left && right);
}

// The sum of forces of springs, as the corner of a square goes across the bottom of a groove whose sides turn by this
// angle each.
std::vector<Vec3> forcesAcross(double angle) {
    const double height = 3 * std::tan(angle);
    const NurbsDefinition corners = polygon({{-3, -2}, {3, -2}, {3, height}, {0, 0}, {-3, height}});
    const OutlineBody groove = makeOutline(corners), peg = makeOutline(square(2));
    const Vec2 centre = areaMoments(NurbsCurve(corners)).centroid;
    std::vector<Vec3> forces;
    for (double x = -0.02; x < 0.02; x += 1e-4) {
        Vec3 force;
        for (const ContactPoint& p :
             contacts(placed(peg, {x, std::numbers::sqrt2 - 0.01}, pi / 4), placed(groove, centre), 1e-3)) {
            force += std::max(0.0, -p.gap) * p.normal;
        }
        forces.push_back(force);
    }
    return forces;
}

TEST(OutlineContacts, OfACornerInAShallowGrooveActWithoutJumps) {
    for (const double angle : {0.02, 0.17, 0.35, 0.6}) {
        const std::vector<Vec3> forces = forcesAcross(angle);
        for (std::size_t k = 1; k < forces.size(); ++k) {
            EXPECT_GT(norm(forces[k]), 0.005) << angle;
            EXPECT_LT(norm(forces[k] - forces[k - 1]), 3e-4) << angle << " at step " << k;
        }
    }
}

TEST(OutlineContacts, WithAPlaneAreTwoOfAFlatSideAndOneOfARoundOne) {
    const Shape floor = PlaneWall{};
    // z of the plane upwards in y of the scene.
    const Quat up = rotationBy({-pi / 2, 0, 0});
    const ShapeInPlace wall{&floor, 1, {{0, 0.5, 0}, up}};
    const OutlineBody box = makeOutline(square(2)), round = makeOutline(circle(1), {.gapTolerance = 1e-3});
    std::vector<ContactPoint> points;
    findOutlineWallContacts(placed(box, {3, 1.5 - 1e-3}), wall, 0, {0.01}, points);
    ASSERT_EQ(points.size(), 2u);
    for (const ContactPoint& p : points) {
        EXPECT_NEAR(p.gap, -1e-3, 1e-12);
        EXPECT_NEAR(norm(p.normal - Vec3{0, 1, 0}), 0, 1e-12);
        EXPECT_NEAR(p.position.y, 0.5 - 0.5e-3, 1e-12);
    }
    points.clear();
    findOutlineWallContacts(placed(round, {0, 1.5 + 0.02}, 0.3), wall, 0, {0.03}, points);
    ASSERT_EQ(points.size(), 1u);
    EXPECT_NEAR(points[0].gap, 0.02, 1e-12);
    EXPECT_NEAR(points[0].position.x, 0, 1e-9);
    EXPECT_NEAR(points[0].radius, 1, 1e-9);
    points.clear();
    findOutlineWallContacts(placed(round, {0, 2}), wall, 0, {0.03}, points);
    EXPECT_TRUE(points.empty());
}

TEST(OutlineContacts, OfDeepOverlapsAreKept) {
    const OutlineBody one = makeOutline(circle(1));
    const ContactPoint c = nearest(contacts(placed(one, {0, 0}), placed(one, {1.4, 0}), 0.01));
    EXPECT_NEAR(c.gap, -0.6, 1e-12);
    EXPECT_NEAR(c.normal.x, -1, 1e-9);
    // A small one within a large one, and two bars that cross: none has a place that faces the other.
    EXPECT_LT(nearest(contacts(placed(one, {0.3, 0}, 0, 0.2), placed(one, {0, 0}), 0.01)).gap, -0.5);
    const OutlineBody bar = makeOutline(polygon({{-3, -0.5}, {3, -0.5}, {3, 0.5}, {-3, 0.5}}));
    EXPECT_LT(nearest(contacts(placed(bar, {0, 0}), placed(bar, {0, 0}, pi / 2), 0.01)).gap, -0.05);
}

TEST(OutlineContacts, OfBlocksWithTheirSidesInLineAreTwo) {
    const OutlineBody box = makeOutline(square(2));
    for (const double shift : {0.0, 1e-9, 1e-4, 1e-3, 2e-3, -1e-4}) {
        for (const double gap : {-1e-3, -1e-7, 1e-3}) {
            for (const double tilt : {0.0, 1e-6}) {
                const std::vector<ContactPoint> points =
                    contacts(placed(box, {shift, 2 + gap}, tilt), placed(box, {0, 0}), 0.01);
                double left = 1e9, right = -1e9;
                for (const ContactPoint& p : points) {
                    EXPECT_NEAR(p.gap, gap, 3e-6);
                    EXPECT_GT(p.normal.y, gap > 0 ? 0.5 : 1 - 1e-9) << shift << " " << gap << " " << tilt;
                    left = std::min(left, p.position.x);
                    right = std::max(right, p.position.x);
                }
                EXPECT_GE(points.size(), 2u) << shift << " " << gap << " " << tilt;
                EXPECT_LE(points.size(), 4u);
                EXPECT_NEAR(left, -1, 3e-3);
                EXPECT_NEAR(right, 1, 3e-3);
            }
        }
    }
}

TEST(OutlineContacts, OfARoundedBlockWithAFloorAreItsArcAndTheFarEndOfItsSide) {
    // Straight sides of 1.6 between arcs of radius 0.2.
    NurbsDefinition block{.degree = 2};
    const double w = std::sqrt(0.5), h = 0.8, r = 1;
    block.points = {{-h, -r}, {0, -r}, {h, -r}, {r, -r}, {r, -h}, {r, 0},   {r, h},   {r, r},  {h, r},
                    {0, r},   {-h, r}, {-r, r}, {-r, h}, {-r, 0}, {-r, -h}, {-r, -r}, {-h, -r}};
    block.weights = {1, 1, 1, w, 1, 1, 1, w, 1, 1, 1, w, 1, 1, 1, w, 1};
    block.knots = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 8};
    const OutlineBody rounded = makeOutline(block), floor = makeOutline(polygon({{-9, -2}, {9, -2}, {9, 2}, {-9, 2}}));
    for (const double tilt : {0.0, 1e-9, 0.01, -0.01, 0.3}) {
        // The centre of the lower arc, with the block turned.
        const double low = -h * std::cos(tilt) - h * std::sin(std::abs(tilt)) - 0.2, gap = -0.03;
        const std::vector<ContactPoint> points =
            contacts(placed(rounded, {0.4, 2 + gap - low}, tilt), placed(floor, {0, 0}), 0.01);
        ASSERT_EQ(points.size(), std::abs(tilt) < 0.02 ? 2u : 1u) << tilt;
        EXPECT_NEAR(nearest(points).gap, gap, 1e-9) << tilt;
        for (const ContactPoint& p : points) EXPECT_NEAR(p.normal.y, 1, 1e-9);
        const double apart = std::abs(points.front().position.x - points.back().position.x);
        EXPECT_NEAR(apart, points.size() > 1 ? 1.6 : 0, 0.01);
    }
}

// ---- guards

std::vector<ContactPoint> guarded(const OutlineInPlace& a, const OutlineInPlace& b, double margin) {
    std::vector<ContactPoint> points;
    findOutlineContacts(a, b, {margin, OutlinePlaces::guarded}, points);
    return points;
}

TEST(OutlineGuards, StandBesideTheContactsAndBearNothingYet) {
    const OutlineBody round = makeOutline(circle(1)), star = makeOutline(roundTrip(2, ring(24, 0.4, 6, 6)));
    for (const OutlineBody* outline : {&round, &star}) {
        for (const double depth : {-0.01, 0.01}) {
            const OutlineInPlace a = placed(*outline, {0, 0}, 0.3);
            const double apart = nearest(contacts(a, placed(round, {outline->radius + 1, 0}), 1)).gap;
            const OutlineInPlace b = placed(round, {outline->radius + 1 - apart - depth, 0});
            const std::vector<ContactPoint> alone = contacts(a, b, 0.1), all = guarded(a, b, 0.1);
            EXPECT_GT(all.size(), alone.size());
            std::size_t same = 0;
            for (std::size_t k = 0; k < all.size(); ++k) {
                EXPECT_TRUE(k == 0 || all[k - 1].feature < all[k].feature);
                const auto isSame = [&](const ContactPoint& p) {
                    return p.feature == all[k].feature && p.gap == all[k].gap;
                };
                if (std::any_of(alone.begin(), alone.end(), isSame)) {
                    ++same;
                } else {
                    EXPECT_GE(all[k].gap, 0);
                }
            }
            EXPECT_EQ(same, alone.size());
        }
    }
}

// The far corner of a tilted side is no contact, and a guard at its gap.
TEST(OutlineGuards, WatchTheFarCornerOfASteepSide) {
    const OutlineBody box = makeOutline(polygon({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}));
    const OutlineBody floor = makeOutline(polygon({{-5, -1}, {5, -1}, {5, 1}, {-5, 1}}));
    const double tilt = 0.1, height = 1 + std::cos(tilt) + std::sin(tilt);
    const OutlineInPlace a = placed(box, {0, height}, tilt), b = placed(floor, {0, 0});
    ASSERT_EQ(contacts(a, b, 0.3).size(), 1u);
    const std::vector<ContactPoint> all = guarded(a, b, 0.3);
    EXPECT_NEAR(nearest(all).gap, 0, 1e-12);
    const auto isFarCorner = [&](const ContactPoint& p) { return std::abs(p.gap - 2 * std::sin(tilt)) < 1e-12; };
    EXPECT_EQ(std::count_if(all.begin(), all.end(), isFarCorner), 1);
}

}  // namespace
}  // namespace talus
