// On which side of a plane a point lies, where doubles cannot tell.
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "geometry/solids/orientation.hpp"

namespace talus {
namespace {

// Whole numbers below 2^19, for which 64 bits hold the volume.
struct WholePoint {
    std::int64_t x, y, z;

    Vec3 scaled(double by) const { return by * Vec3{double(x), double(y), double(z)}; }
};
WholePoint somePoint(Random& random, double most) {
    const auto any = [&] { return std::int64_t(std::floor(random.uniform(-most, most + 1))); };
    return {any(), any(), any()};
}
std::int64_t volume(const WholePoint& p, const WholePoint& q, const WholePoint& r, const WholePoint& w) {
    const std::int64_t ax = q.x - p.x, ay = q.y - p.y, az = q.z - p.z, bx = r.x - p.x, by = r.y - p.y, bz = r.z - p.z;
    return (w.x - p.x) * (ay * bz - az * by) + (w.y - p.y) * (az * bx - ax * bz) + (w.z - p.z) * (ax * by - ay * bx);
}

TEST(SideOfPlane, IsThatOfWholeNumbersWhetherTheyAreFewOrMany) {
    Random random(21, 1);
    int flat = 0;
    for (int k = 0; k < 20000; ++k) {
        const double most = k % 2 == 0 ? 2 : 1 << 18, scale = std::pow(10, random.uniform(-9, 6));
        const WholePoint p = somePoint(random, most), q = somePoint(random, most), r = somePoint(random, most),
                         w = somePoint(random, most);
        const std::int64_t exact = volume(p, q, r, w);
        flat += exact == 0;
        // By a power of two: no rounding.
        const double two = std::exp2(std::round(std::log2(scale)));
        EXPECT_EQ(sideOfPlane(p.scaled(two), q.scaled(two), r.scaled(two), w.scaled(two)), (exact > 0) - (exact < 0));
    }
    EXPECT_GT(flat, 1000);
}

TEST(SideOfPlane, IsRightOneUnitInTheLastPlaceOffThePlane) {
    Random random(22, 1);
    for (int k = 0; k < 2000; ++k) {
        // The plane x = y, far from the origin; the triangle as thin as may be.
        const auto on = [&] {
            const double x = 1 + random.uniform();
            return Vec3{x, x, random.uniform(-5, 5)};
        };
        const Vec3 p = on(), q = on(), w = on();
        Vec3 r = q + 1e-15 * (p - q);
        r.y = r.x;
        if (r.x == q.x || r.z == q.z) continue;
        const int side = sideOfPlane(p, q, r, {w.x, std::nextafter(w.x, 10), w.z});
        EXPECT_EQ(sideOfPlane(p, q, r, w), 0);
        EXPECT_EQ(sideOfPlane(p, q, r, {w.x, std::nextafter(w.x, -10), w.z}), -side);
        const Vec3 normal = preciseCross(p, q, r);
        if (normal == Vec3{}) continue;
        EXPECT_EQ(side, normal.y > 0 ? 1 : -1);
        EXPECT_EQ(normal.x, -normal.y);
        EXPECT_EQ(normal.z, 0);
    }
}

}  // namespace
}  // namespace talus
