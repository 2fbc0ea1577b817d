// The quick searches of boxes, polyhedra and ellipsoids against the general search for convex solids.
#include <gtest/gtest.h>

#include "contacts/narrow/convex/boxes.hpp"
#include "contacts/narrow/convex/hulls.hpp"
#include "contacts/narrow/ellipsoid/ellipsoid_batch.hpp"
#include "contacts/narrow/ellipsoid/ellipsoids.hpp"
#include "convex_samples.hpp"

namespace talus {
namespace {

struct Pair {
    ConvexCore a, b;
};

// Two solids that some direction separates by `apart`.
Pair randomPair(const Shape& first, const Shape& second, double apart, Random& random) {
    const double scale = random.uniform(0.5, 2);
    ShapeInPlace a{&first, 1, {{}, samples::randomOrientation(random)}},
        b{&second, scale, {random.inBox({-1, -1, -1}, {1, 1, 1}), samples::randomOrientation(random)}};
    const Vec3 n = samples::randomDirection(random);
    a.pose.position += (apart - samples::separation(a, b, n)) * n;
    return {ConvexCore(a), ConvexCore(b)};
}

// Polyhedra of six to fourteen corners or less, around the origin.
std::vector<Shape> someHulls(Random& random) {
    std::vector<Shape> hulls;
    for (int k = 0; k < 18; ++k) hulls.push_back(HullShape{samples::randomHull(random, 6 + k % 9)});
    return hulls;
}

double separationAlong(const Pair& pair, const Vec3& n) { return dot(n, pair.a.support(-n) - pair.b.support(n)); }

void expectSameAsTheGeneralSearch(const Pair& pair, const CoreDistance& found) {
    const double general = coreDistance(pair.a, pair.b, 1e300).distance;
    EXPECT_NEAR(found.distance, general, 3e-6 * (pair.a.size + pair.b.size));
    EXPECT_NEAR(separationAlong(pair, found.normal), found.distance, 1e-9);
    EXPECT_NEAR(dot(found.onA - found.onB, found.normal), found.distance, 1e-9);
}

TEST(HullAxes, FindTheDistanceOfTheGeneralSearch) {
    Random random(11, 1);
    const std::vector<Shape> hulls = someHulls(random);
    for (std::size_t k = 0; k < 4000; ++k) {
        const Shape &first = hulls[k % 18], &second = hulls[k / 18 % 18];
        const double apart = k % 4 == 0 ? random.uniform(0, 0.3) : -random.uniform(0, k % 4 == 1 ? 0.5 : 0.02);
        const Pair pair = randomPair(first, second, apart, random);
        ASSERT_TRUE(haveFewFaces(pair.a, pair.b));
        expectSameAsTheGeneralSearch(pair, hullDistance(pair.a, pair.b, 1e300));
        if (HasFailure()) FAIL() << "pair " << k;
    }
}

TEST(HullAxes, SayThatHullsBeyondTheLimitAreSo) {
    Random random(12, 1);
    const std::vector<Shape> hulls = someHulls(random);
    for (std::size_t k = 0; k < 1000; ++k) {
        const Shape &first = hulls[k % 18], &second = hulls[k / 18 % 18];
        const Pair pair = randomPair(first, second, random.uniform(-0.05, 0.1), random);
        const double exact = coreDistance(pair.a, pair.b, 1e300).distance,
                     found = hullDistance(pair.a, pair.b, 0).distance;
        EXPECT_EQ(found > 0, exact > 0) << exact;
        EXPECT_LT(found, exact + 1e-9);
    }
}

TEST(BoxAxes, FindTheDistanceOfTheGeneralSearch) {
    Random random(13, 1);
    for (int k = 0; k < 4000; ++k) {
        const auto halfSize = [&] { return random.inBox({0.2, 0.2, 0.2}, {1, 1, 1}); };
        const Shape first = BoxShape{halfSize()}, second = BoxShape{halfSize()};
        Pair pair = randomPair(first, second, random.uniform(-0.1, 0.2), random);
        if (k % 5 == 0) pair.b.axes = pair.a.axes;  // parallel faces
        expectSameAsTheGeneralSearch(pair, boxDistance(pair.a, pair.b, 1e300));
        if (HasFailure()) FAIL() << "pair " << k;
    }
}

TEST(EllipsoidPairs, FindTheSameFromAnyNormalNearAndStayThere) {
    Random random(14, 1);
    for (int k = 0; k < 4000; ++k) {
        const double thin = k % 3 == 0 ? 0.02 : 0.3;
        const auto semiAxes = [&] { return random.inBox({thin, thin, thin}, {1, 1, 1}); };
        const Shape first = EllipsoidShape{semiAxes()}, second = EllipsoidShape{semiAxes()};
        const Pair pair = randomPair(first, second, random.uniform(-0.002, 0.1), random);
        const CoreDistance cold = ellipsoidDistance(EllipsoidInPlace(pair.a), EllipsoidInPlace(pair.b), 1e300, nullptr);
        const Vec3 near = normalized(cold.normal + random.inBox({-1e-3, -1e-3, -1e-3}, {1e-3, 1e-3, 1e-3}));
        const CoreDistance warm = ellipsoidDistance(EllipsoidInPlace(pair.a), EllipsoidInPlace(pair.b), 1e300, &near);
        EXPECT_NEAR(warm.distance, cold.distance, 1e-12);
        const CoreDistance again =
            ellipsoidDistance(EllipsoidInPlace(pair.a), EllipsoidInPlace(pair.b), 1e300, &warm.normal);
        EXPECT_EQ(again.normal, warm.normal);
        EXPECT_EQ(again.distance, warm.distance);
        const Vec3 gradient = warm.onA - warm.onB - warm.distance * warm.normal;
        EXPECT_LT(norm(gradient), 1e-10 * (pair.a.size + pair.b.size));
    }
}

void put(const SymmetricOf<double>& e, EllipsoidBatch::Row* rows, int lane) {
    const double entries[6] = {e.xx, e.xy, e.xz, e.yy, e.yz, e.zz};
    for (int k = 0; k < 6; ++k) rows[k][lane] = entries[k];
}

TEST(EllipsoidPairs, FoundEightAtATimeHaveTheBitsOfEachAlone) {
    Random random(15, 1);
    const auto semiAxes = [&] { return random.inBox({0.2, 0.2, 0.2}, {1, 1, 1}); };
    const Shape first = EllipsoidShape{semiAxes()}, second = EllipsoidShape{semiAxes()};
    int lanes = 0, found = 0;
    for (int round = 0; round < 200; ++round) {
        EllipsoidBatch start{};
        std::vector<Pair> pairs;
        std::vector<Vec3> near;
        for (int lane = 0; lane < packLanes; ++lane) {
            pairs.push_back(randomPair(first, second, random.uniform(-0.01, 0.05), random));
            const Vec3 normal =
                ellipsoidDistance(EllipsoidInPlace(pairs[lane].a), EllipsoidInPlace(pairs[lane].b), 1e300, nullptr)
                    .normal;
            const double off = lane == 0 ? 0 : 1e-4;
            near.push_back(normalized(normal + off * samples::randomDirection(random)));
            const EllipsoidInPlace a(pairs[lane].a), b(pairs[lane].b);
            put(a.matrix, start.a, lane);
            put(b.matrix, start.b, lane);
            start.detA[lane] = a.determinant, start.detB[lane] = b.determinant;
            const Vec3 d = pairs[lane].a.centre - pairs[lane].b.centre;
            for (int k = 0; k < 3; ++k) start.d[k][lane] = d[k], start.normal[k][lane] = near[lane][k];
        }
        for (const EllipsoidVariant& variant : runnableEllipsoidVariants()) {
            EllipsoidBatch batch = start;
            variant.run(batch);
            for (int lane = 0; lane < packLanes; ++lane) {
                ++lanes;
                if ((batch.found >> lane & 1u) == 0) continue;
                ++found;
                const EllipsoidDistance alone = ellipsoidDistance(EllipsoidInPlace(pairs[lane].a),
                                                                  EllipsoidInPlace(pairs[lane].b), 1e300, &near[lane]);
                EXPECT_EQ(batch.distance[lane], alone.distance) << variant.name;
                EXPECT_EQ(batch.radius[lane], alone.radius) << variant.name;
                for (int k = 0; k < 3; ++k) EXPECT_EQ(batch.normal[k][lane], alone.normal[k]) << variant.name;
            }
        }
    }
    EXPECT_GT(found, 0.9 * lanes);  // the others need more than two steps
}

}  // namespace
}  // namespace talus
