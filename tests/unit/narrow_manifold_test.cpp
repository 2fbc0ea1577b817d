// Faces on faces: enough contacts to stand on, and none that come and go.
#include <gtest/gtest.h>

#include <numbers>

#include "convex_samples.hpp"
#include "unit/found_contacts.hpp"

namespace talus {
namespace {

using samples::contactsOf;

std::vector<std::uint64_t> featuresOf(const std::vector<ContactPoint>& points) {
    std::vector<std::uint64_t> features;
    for (const ContactPoint& p : points) features.push_back(p.feature);
    return features;
}

TEST(StackedBoxes, TouchAtTheCornersOfWhatTheyShare) {
    const Shape box = BoxShape{{0.5, 0.5, 0.5}};
    const auto points = contactsOf({&box, 1, {{0.3, 0.2, 0.99}, {}}}, {&box, 1, {}}, 0);
    ASSERT_EQ(points.size(), 4u);
    double lowX = 1, highX = -1, lowY = 1, highY = -1;
    for (const ContactPoint& p : points) {
        EXPECT_NEAR(p.gap, -0.01, 1e-14);
        EXPECT_NEAR(p.position.z, 0.495, 1e-14);
        lowX = std::min(lowX, p.position.x), highX = std::max(highX, p.position.x);
        lowY = std::min(lowY, p.position.y), highY = std::max(highY, p.position.y);
    }
    EXPECT_NEAR(lowX, -0.2, 1e-12);
    EXPECT_NEAR(highX, 0.5, 1e-12);
    EXPECT_NEAR(lowY, -0.3, 1e-12);
    EXPECT_NEAR(highY, 0.5, 1e-12);
}

TEST(StackedBoxes, TurnedByAnEighthTouchAtTheCornersOfAnOctagon) {
    const Shape box = BoxShape{{0.5, 0.5, 0.5}};
    const auto points =
        contactsOf({&box, 1, {{0, 0, 0.99}, rotationBy({0, 0, std::numbers::pi / 4})}}, {&box, 1, {}}, 0);
    ASSERT_EQ(points.size(), 8u);
    for (const ContactPoint& p : points) {
        EXPECT_NEAR(std::hypot(p.position.x, p.position.y), 0.5 / std::cos(std::numbers::pi / 8), 1e-12);
    }
}

// Small shakes of every kind leave the set of contacts as it is.
void expectSteady(const Shape& upper, const Shape& lower, const Pose& pose, double margin) {
    const auto still = featuresOf(contactsOf({&upper, 1, pose}, {&lower, 1, {}}, margin));
    ASSERT_GE(still.size(), 3u);
    Random random(1, 1);
    for (int k = 0; k < 300; ++k) {
        Pose shaken = pose;
        shaken.position += random.inBox({-1e-7, -1e-7, -1e-7}, {1e-7, 1e-7, 1e-7});
        shaken.orientation = rotationBy(random.inBox({-1e-7, -1e-7, -1e-7}, {1e-7, 1e-7, 1e-7})) * pose.orientation;
        EXPECT_EQ(featuresOf(contactsOf({&upper, 1, shaken}, {&lower, 1, {}}, margin)), still);
    }
}

TEST(RestingBodies, KeepTheirContactsWhileTheyShake) {
    const Shape box = BoxShape{{0.5, 0.4, 0.5}}, rounded = BoxShape{{0.4, 0.4, 0.4}, 0.1},
                can = CylinderShape{0.3, 0.5}, cone = ConeShape{0.4, 0.1, -0.5, 0.5},
                hull = HullShape{samples::boxHull({0.5, 0.4, 0.5})};
    for (const double overlap : {1e-5, -1e-5}) {
        const double z = 1 - overlap;
        expectSteady(box, box, {{0.2, 0.1, z}, rotationBy({0, 0, 0.2})}, 1e-3);
        expectSteady(rounded, box, {{0.2, 0.1, z}, rotationBy({0, 0, 0.2})}, 1e-3);
        expectSteady(can, box, {{0.05, 0.03, z}, rotationBy({0, 0, 0.2})}, 1e-3);
        expectSteady(can, can, {{0.05, 0.03, z}, rotationBy({0, 0, 0.2})}, 1e-3);
        expectSteady(cone, box, {{0.05, 0.03, z}, rotationBy({0, 0, 0.2})}, 1e-3);
        expectSteady(hull, box, {{0.2, 0.1, z}, rotationBy({0, 0, 0.2})}, 1e-3);
        expectSteady(hull, hull, {{0.2, 0.1, z}, rotationBy({0, 0, 0.2})}, 1e-3);
    }
}

TEST(RestingBodies, OfHullAndBoxOfTheSameFormHaveTheSameContacts) {
    const Vec3 half{0.5, 0.3, 0.4};
    const Shape box = BoxShape{half}, hull = HullShape{samples::boxHull(half)};
    Random random(4, 1);
    for (int k = 0; k < 200; ++k) {
        const Pose pose{random.inBox({-0.3, -0.3, 0.78}, {0.3, 0.3, 0.82}),
                        rotationBy(random.inBox({-0.01, -0.01, -1}, {0.01, 0.01, 1}))};
        const auto boxes = contactsOf({&box, 1, pose}, {&box, 1, {}}, 0.01);
        const auto hulls = contactsOf({&hull, 1, pose}, {&hull, 1, {}}, 0.01);
        if (boxes.empty() || hulls.empty()) continue;
        EXPECT_NEAR(samples::leastGap(boxes), samples::leastGap(hulls), 1e-6);
    }
}

// Between the rim and the chords of the eight points that stand for it there is room for a small box.
TEST(SmallBox, NearTheRimOfARoundTableTouchesWithAllItsCorners) {
    const Shape table = CylinderShape{0.5, 0.1}, box = BoxShape{{0.01, 0.01, 0.01}};
    for (int k = 0; k < 32; ++k) {
        const Quat turn = rotationBy({0, 0, k * std::numbers::pi / 16});
        const Vec3 place = rotate(turn, {0.484, 0, 0.1099});
        const auto points = contactsOf({&box, 1, {place, turn}}, {&table, 1, {}}, 1e-3);
        ASSERT_EQ(points.size(), 4u) << k;
        for (const ContactPoint& p : points) EXPECT_NEAR(p.gap, -1e-4, 1e-12);
    }
}

TEST(RestingBodies, KeepTheirContactsWhereChordsOfARimPassUnderThem) {
    const Shape table = CylinderShape{0.5, 0.1}, box = BoxShape{{0.02, 0.02, 0.02}};
    const double chord = 0.5 * std::cos(std::numbers::pi / 8);
    const Quat turn = rotationBy({0, 0, std::numbers::pi / 8});
    expectSteady(box, table, {rotate(turn, {chord + 0.003, 0, 0.1199}), turn}, 1e-3);
}

// A flat side of the difference of two bodies is several faces to the search: the contact belongs where its foot is.
TEST(SmoothBodies, OnAPlateTouchWhereTheyWouldTouchAPlane) {
    const Shape plane = PlaneWall{}, plate = BoxShape{{7, 7, 1}};
    const std::vector<Shape> smooth = {EllipsoidShape{{1, 1, 1.5}}, EllipsoidShape{{0.9, 0.5, 0.3}},
                                       SuperquadricShape{{1, 0.8, 0.6}, 3, 3}};
    Random random(4, 1);
    for (const Shape& shape : smooth) {
        for (int k = 0; k < 200; ++k) {
            Pose pose{random.inBox({-4, -4, 3}, {4, 4, 3}), samples::randomOrientation(random)};
            const auto high = contactsOf({&shape, 1, pose}, {&plane, 1, {{0, 0, 1}, {}}}, 10);
            pose.position.z -= high[0].gap + 0.01;
            const auto points = contactsOf({&shape, 1, pose}, {&plate, 1, {}}, 0);
            ASSERT_EQ(points.size(), 1u);
            EXPECT_NEAR(points[0].gap, -0.01, 1e-9);
            EXPECT_NEAR(points[0].position.x, high[0].position.x, 1e-4);
            EXPECT_NEAR(points[0].position.y, high[0].position.y, 1e-4);
        }
    }
}

TEST(LyingCylinder, OnABoxTouchesAtItsTwoEnds) {
    const Shape box = BoxShape{{2, 2, 0.5}}, can = CylinderShape{0.3, 0.5};
    const auto points =
        contactsOf({&can, 1, {{0, 0, 0.79}, rotationBy({0, std::numbers::pi / 2, 0})}}, {&box, 1, {}}, 0);
    ASSERT_EQ(points.size(), 2u);
    for (const ContactPoint& p : points) {
        EXPECT_NEAR(p.gap, -0.01, 1e-9);
        EXPECT_NEAR(std::abs(p.position.x), 0.5, 1e-9);
        EXPECT_NEAR(p.radius, 0.6, 1e-9);  // 1/(1/(2 r))
    }
}

// A can on a plate, pressed in by 1e-3 where it is lowest.
std::vector<ContactPoint> tiltedCan(const Shape& under, double top, double tilt, double towards) {
    const Shape can = CylinderShape{0.3, 0.5};
    const double low = 0.5 * std::cos(tilt) + 0.3 * std::sin(tilt);
    const Quat turn = rotationBy(tilt * Vec3{std::cos(towards), std::sin(towards), 0});
    return contactsOf({&can, 1, {{0, 0, top + low - 1e-3}, turn}}, {&under, 1, {}}, 1e-3);
}

// The eight points of a rim as good as parallel would miss it by up to 0.076 times radius and tilt, 2e-5 here.
TEST(NearlyLevelCan, TouchesWithTheLowestPointOfItsRim) {
    for (const double tilt : {0.0, 1e-9, 1e-6, 3e-5, 1e-4, 3e-4, 9e-4}) {
        for (double towards = 0; towards < 6.3; towards += 0.1) {
            for (const auto& points :
                 {tiltedCan(PlaneWall{}, 0, tilt, towards), tiltedCan(BoxShape{{2, 2, 0.5}}, 0.5, tilt, towards)}) {
                ASSERT_EQ(points.size(), 8u);
                EXPECT_NEAR(samples::leastGap(points), -1e-3, 4e-7) << tilt << " " << towards;
            }
        }
    }
}

TEST(NearlyLevelCan, KeepsItsContactsWhichMoveWithoutJumps) {
    const auto expectNear = [](const std::vector<ContactPoint>& before, const std::vector<ContactPoint>& after) {
        ASSERT_EQ(featuresOf(before), featuresOf(after));
        for (std::size_t k = 0; k < before.size(); ++k) {
            EXPECT_LT(norm(before[k].position - after[k].position), 2e-3);
        }
    };
    for (const double tilt : {3e-5, 5e-4}) {
        for (double towards = 0; towards < 6.3; towards += 0.002) {
            expectNear(tiltedCan(PlaneWall{}, 0, tilt, towards), tiltedCan(PlaneWall{}, 0, tilt, towards + 0.002));
        }
    }
    for (double tilt = 0; tilt < 9e-4; tilt += 1e-6) {
        expectNear(tiltedCan(PlaneWall{}, 0, tilt, 0.35), tiltedCan(PlaneWall{}, 0, tilt + 1e-6, 0.35));
    }
}

TEST(TiltedCan, TouchesWithTheLowestPointOfItsRimUnderAnyTurnAboutItsAxis) {
    const Shape box = BoxShape{{2, 2, 0.5}}, can = CylinderShape{0.3, 0.5};
    std::uint64_t feature = 0;
    for (double turn = 0; turn < 6; turn += 0.1) {
        const Quat q = rotationBy({0, 0.3, 0}) * rotationBy({0, 0, turn});
        const double low = 0.5 * std::cos(0.3) + 0.3 * std::sin(0.3);
        const auto points = contactsOf({&can, 1, {{0, 0, 0.5 + low - 1e-3}, q}}, {&box, 1, {}}, 1e-4);
        ASSERT_EQ(points.size(), 1u);
        EXPECT_NEAR(points[0].gap, -1e-3, 1e-9);
        if (feature == 0) feature = points[0].feature;
        EXPECT_EQ(points[0].feature, feature);
    }
}

}  // namespace
}  // namespace talus
