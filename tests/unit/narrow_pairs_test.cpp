// Pairs of all convex solids against brute force and against what must hold for any pair.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "convex_samples.hpp"

namespace talus {
namespace {

using samples::convexSolids;
using samples::leastGap;
using samples::separation;

struct Pair {
    ShapeInPlace a, b;
};

// Two solids whose separation along some direction is `apart`: their distance is that or more.
Pair randomPair(const Shape& first, const Shape& second, double scale, double apart, Random& random) {
    Pair pair{{&first, 1, {random.inBox({-1, -1, -1}, {1, 1, 1}), samples::randomOrientation(random)}},
              {&second, scale, {random.inBox({-1, -1, -1}, {1, 1, 1}), samples::randomOrientation(random)}}};
    const Vec3 n = samples::randomDirection(random);
    pair.a.pose.position += (apart - separation(pair.a, pair.b, n)) * n;
    return pair;
}

std::vector<ContactPoint> contacts(const Pair& pair, double margin) {
    std::vector<ContactPoint> points;
    findContactPoints(pair.a, pair.b, margin, points);
    return points;
}

template <class Test>
void forEachPair(const Test& test) {
    for (const auto& first : convexSolids()) {
        for (const auto& second : convexSolids()) {
            SCOPED_TRACE(first.name + " and " + second.name);
            test(first.shape, second.shape);
        }
    }
}

TEST(ConvexPairs, AreAsFarApartAsBruteForceFinds) {
    Random random(1, 1);
    forEachPair([&](const Shape& first, const Shape& second) {
        for (const double apart : {0.2, 0.0, -0.02}) {
            const Pair pair = randomPair(first, second, 1.3, apart, random);
            const double gap = leastGap(contacts(pair, 10)), least = samples::bruteForceSeparation(pair.a, pair.b, 200);
            EXPECT_GT(gap, least - 2e-6);
            EXPECT_LT(gap, least + 0.02);  // brute force stops a little short on ridges
        }
    });
}

TEST(ConvexPairs, HaveTheGapThatTheSupportFunctionsGiveAlongTheNormal) {
    Random random(2, 1);
    forEachPair([&](const Shape& first, const Shape& second) {
        for (const double apart : {0.3, 0.01, -0.01, -0.2}) {
            const Pair pair = randomPair(first, second, 0.8, apart, random);
            const auto points = contacts(pair, 10);
            ASSERT_FALSE(points.empty());
            EXPECT_NEAR(norm(points[0].normal), 1, 1e-12);
            EXPECT_NEAR(separation(pair.a, pair.b, points[0].normal), leastGap(points), 2e-6);
        }
    });
}

// Places are half way between the surfaces: no farther from either body than half the overlap, 0.01.
TEST(ConvexPairs, OverlapWhereBothOfThemAre) {
    const Shape ball = SphereShape{};
    int places = 0, beside = 0;
    for (const std::uint64_t seed : {6, 7, 8, 9}) {
        Random random(seed, 1);
        forEachPair([&](const Shape& first, const Shape& second) {
            for (int k = 0; k < 10; ++k) {
                Pair pair = randomPair(first, second, 1.2, 0.1, random);
                const auto near = contacts(pair, 10);
                pair.a.pose.position -= (leastGap(near) + 0.01) * near[0].normal;
                for (const ContactPoint& p : contacts(pair, 0)) {
                    for (const ShapeInPlace& body : {pair.a, pair.b}) {
                        ++places;
                        if (leastGap(contacts({{&ball, 1e-6, {p.position, {}}}, body}, 10)) > 0.0051) ++beside;
                    }
                }
            }
        });
    }
    EXPECT_GT(places, 16000);
    EXPECT_EQ(beside, 0);
}

TEST(ConvexPairs, GiveTheSamePointsWhicheverComesFirst) {
    Random random(3, 1);
    forEachPair([&](const Shape& first, const Shape& second) {
        const Pair pair = randomPair(first, second, 1.1, -0.01, random);
        const auto there = contacts(pair, 0.5), back = contacts({pair.b, pair.a}, 0.5);
        ASSERT_EQ(there.size(), back.size());
        for (const ContactPoint& p : there) {
            const std::uint64_t turned = (p.feature << 32) | (p.feature >> 32);
            const auto same =
                std::find_if(back.begin(), back.end(), [&](const auto& q) { return q.feature == turned; });
            ASSERT_NE(same, back.end());
            EXPECT_EQ(p.position, same->position);
            EXPECT_EQ(p.normal, -same->normal);
            EXPECT_EQ(p.gap, same->gap);
            EXPECT_NEAR(p.radius, same->radius, 1e-12 * p.radius);
        }
    });
}

TEST(ConvexPairs, TouchWhenMovedTogetherByTheGap) {
    Random random(4, 1);
    forEachPair([&](const Shape& first, const Shape& second) {
        Pair pair = randomPair(first, second, 0.7, 0.1, random);
        const auto points = contacts(pair, 10);
        pair.a.pose.position -= leastGap(points) * points[0].normal;
        EXPECT_NEAR(leastGap(contacts(pair, 10)), 0, 1e-6);
    });
}

TEST(ConvexPairs, FarApartHaveNoContactsAndATrueLowerBound) {
    Random random(5, 1);
    forEachPair([&](const Shape& first, const Shape& second) {
        const Pair pair = randomPair(first, second, 0.9, 0.4, random);
        EXPECT_TRUE(contacts(pair, 0.1).empty());
        EXPECT_LE(leastDistance(pair.a, pair.b), leastGap(contacts(pair, 10)) + 1e-12);
    });
}

TEST(ConvexPairs, OfSizesAThousandToOneKeepTheirAccuracy) {
    Random random(6, 1);
    forEachPair([&](const Shape& first, const Shape& second) {
        const Pair pair = randomPair(first, second, 1000, -1e-3, random);
        const auto points = contacts(pair, 1);
        if (points.empty()) return;
        EXPECT_NEAR(separation(pair.a, pair.b, points[0].normal), leastGap(points), 2e-3);
    });
}

TEST(ConvexPairs, WithOneInsideTheOtherArePushedOut) {
    Random random(7, 1);
    forEachPair([&](const Shape& first, const Shape& second) {
        Pair pair{{&first, 0.01, {{0.01, 0.02, 0.015}, samples::randomOrientation(random)}}, {&second, 1, {}}};
        const auto points = contacts(pair, 0);
        ASSERT_FALSE(points.empty());
        EXPECT_LT(leastGap(points), -0.01);
        pair.a.pose.position -= (leastGap(points) - 1e-3) * points[0].normal;
        EXPECT_TRUE(contacts(pair, 0).empty());
    });
}

TEST(ConvexPairs, HaveFeaturesInOrderAndEachOnce) {
    Random random(8, 1);
    forEachPair([&](const Shape& first, const Shape& second) {
        const auto points = contacts(randomPair(first, second, 1, -0.05, random), 10);
        for (std::size_t k = 1; k < points.size(); ++k) EXPECT_LT(points[k - 1].feature, points[k].feature);
    });
}

// A rigid motion of both moves the contacts along.
RC_GTEST_PROP(ConvexPairs, MoveAlongWithBothBodies, ()) {
    const auto& solids = convexSolids();
    const auto pick = [&] { return *rc::gen::inRange<std::size_t>(0, solids.size()); };
    const Shape &first = solids[pick()].shape, &second = solids[pick()].shape;
    Random random(std::uint64_t(*rc::gen::inRange(1, 1000000)), 1);
    const Pair pair = randomPair(first, second, 1, random.uniform(-0.05, 0.2), random);
    const Quat turn = samples::randomOrientation(random);
    const Vec3 shift = random.inBox({-1, -1, -1}, {1, 1, 1});
    const auto moved = [&](const ShapeInPlace& body) {
        return ShapeInPlace{
            body.shape, body.scale, {shift + rotate(turn, body.pose.position), turn * body.pose.orientation}};
    };
    const auto before = contacts(pair, 10), after = contacts({moved(pair.a), moved(pair.b)}, 10);
    RC_ASSERT(!before.empty() && !after.empty());
    RC_ASSERT(std::abs(leastGap(before) - leastGap(after)) < 1e-6);
}

}  // namespace
}  // namespace talus
