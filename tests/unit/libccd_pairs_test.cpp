// Random pairs of convex solids against libccd (https://github.com/danfis/libccd), a peer that finds penetrations with
// an expanding polytope of its own. Its support functions are written here once more, so that nothing is shared. Built
// only where libccd is installed: ./dev check ccd.
#include <ccd/ccd.h>
#include <ccd/vec3.h>
#include <gtest/gtest.h>

#include "convex_samples.hpp"

namespace talus {
namespace {

using samples::leastGap;

// --- what libccd is told about a solid -----------------------------------------------------------------------------

double signOf(double x) { return x < 0 ? -1.0 : 1.0; }

// The point of each solid, of scale 1 and in its own frame, that lies farthest along a unit vector.
Vec3 farthest(const BoxShape& s, const Vec3& d) {
    return {signOf(d.x) * s.halfSize.x, signOf(d.y) * s.halfSize.y, signOf(d.z) * s.halfSize.z};
}
Vec3 farthest(const CylinderShape& s, const Vec3& d) {
    const double across = std::hypot(d.x, d.y), z = signOf(d.z) * s.halfLength;
    if (across < 1e-12) return {0, 0, z};
    return {s.radius * d.x / across, s.radius * d.y / across, z};
}
Vec3 farthest(const CapsuleShape& s, const Vec3& d) { return s.radius * d + Vec3{0, 0, signOf(d.z) * s.halfLength}; }
Vec3 farthest(const EllipsoidShape& s, const Vec3& d) {
    const Vec3 stretched = hadamard(s.semiAxes, d);
    return hadamard(s.semiAxes, stretched / norm(stretched));
}
Vec3 farthest(const HullShape& s, const Vec3& d) {
    Vec3 best = s.hull->corners[0];
    for (const Vec3& corner : s.hull->corners) {
        if (dot(corner, d) > dot(best, d)) best = corner;
    }
    return best;
}
Vec3 farthest(const SphereShape&, const Vec3& d) { return d; }
template <class Other>
Vec3 farthest(const Other&, const Vec3&) {
    ADD_FAILURE() << "no support function for this shape";
    return {};
}

Vec3 farthestInPlace(const ShapeInPlace& s, const Vec3& direction) {
    const Vec3 d = rotateBack(s.pose.orientation, direction / norm(direction));
    const Vec3 point = std::visit([&](const auto& shape) { return farthest(shape, d); }, *s.shape);
    return s.pose.position + rotate(s.pose.orientation, s.scale * point);
}

void supportForLibccd(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point) {
    const Vec3 p =
        farthestInPlace(*static_cast<const ShapeInPlace*>(object), {direction->v[0], direction->v[1], direction->v[2]});
    ccdVec3Set(point, p.x, p.y, p.z);
}

void centreForLibccd(const void* object, ccd_vec3_t* centre) {
    const Vec3& p = static_cast<const ShapeInPlace*>(object)->pose.position;
    ccdVec3Set(centre, p.x, p.y, p.z);
}

ccd_t settings() {
    ccd_t ccd;
    CCD_INIT(&ccd);
    ccd.support1 = ccd.support2 = supportForLibccd;
    ccd.center1 = ccd.center2 = centreForLibccd;
    ccd.max_iterations = 2000;
    ccd.epa_tolerance = ccd.mpr_tolerance = 1e-8;
    return ccd;
}

// m, by which the solids are apart along a unit vector out of the second.
double separationAlong(const Vec3& n, const ShapeInPlace& a, const ShapeInPlace& b) {
    return dot(n, farthestInPlace(a, -n) - farthestInPlace(b, n));
}

// Between which the depth of an overlap is: libccd gives the distance to a polytope inside of the difference body, and
// a direction along which the solids can surely be moved apart.
struct DepthBounds {
    bool overlap = false;
    double least = 0, most = 0;  // m
};
DepthBounds depthByLibccd(const ShapeInPlace& a, const ShapeInPlace& b) {
    const ccd_t ccd = settings();
    DepthBounds bounds;
    ccd_vec3_t direction, position;
    if (ccdGJKPenetration(&a, &b, &ccd, &bounds.least, &direction, &position) != 0) return bounds;
    const Vec3 n = normalized(Vec3{direction.v[0], direction.v[1], direction.v[2]});
    return {true, bounds.least, -std::max(separationAlong(n, a, b), separationAlong(-n, a, b))};
}

bool touchByLibccd(const ShapeInPlace& a, const ShapeInPlace& b) {
    const ccd_t ccd = settings();
    return ccdGJKIntersect(&a, &b, &ccd) == 1;
}

// Its other search; now and then one of them does not see a thin overlap.
bool touchByPortals(const ShapeInPlace& a, const ShapeInPlace& b) {
    const ccd_t ccd = settings();
    return ccdMPRIntersect(&a, &b, &ccd) == 1;
}

// --- pairs ---------------------------------------------------------------------------------------------------------

const std::vector<samples::NamedShape>& solids() {
    static const std::vector<samples::NamedShape> list = [] {
        Random random(23, 5);
        return std::vector<samples::NamedShape>{{"sphere", SphereShape{}},
                                                {"box", BoxShape{{0.5, 0.3, 0.8}}},
                                                {"plate", BoxShape{{1, 1, 0.05}}},
                                                {"cylinder", CylinderShape{0.5, 0.7}},
                                                {"disc", CylinderShape{0.9, 0.1}},
                                                {"capsule", CapsuleShape{0.3, 0.6}},
                                                {"ellipsoid", EllipsoidShape{{0.9, 0.5, 0.3}}},
                                                {"hull", HullShape{samples::randomHull(random, 12)}}};
    }();
    return list;
}

struct Pair {
    ShapeInPlace a, b;

    std::vector<ContactPoint> points() const {
        std::vector<ContactPoint> found;
        findContactPoints(a, b, 1e5, found);
        return found;
    }
    Pair moved(const Vec3& way) const {
        Pair there = *this;
        there.a.pose.position += way;
        return there;
    }
    // Until the gap that is found is this one.
    Pair withGap(double gap) const {
        const std::vector<ContactPoint> found = points();
        return moved((gap - leastGap(found)) * found[0].normal);
    }
};

// Separated by `apart` along a random direction.
Pair randomPair(const Shape& first, const Shape& second, double scale, double apart, Random& random) {
    const Pair pair{{&first, 1, {random.inBox({-1, -1, -1}, {1, 1, 1}), samples::randomOrientation(random)}},
                    {&second, scale, {random.inBox({-1, -1, -1}, {1, 1, 1}), samples::randomOrientation(random)}}};
    const Vec3 n = samples::randomDirection(random);
    return pair.moved((apart - separationAlong(n, pair.a, pair.b)) * n);
}

template <class Test>
void forEachPair(Test&& test) {
    for (const auto& first : solids()) {
        for (const auto& second : solids()) {
            SCOPED_TRACE(first.name + " and " + second.name);
            test(first.shape, second.shape);
        }
    }
}

// Brought together by their gap less a little they are apart, by a little more they overlap: for libccd, too. That is
// the distance if nothing is nearer, which the support functions along the normal prove. Touching, near and far pairs.
TEST(Libccd, FindsPairsTouchingOnceTheyHaveMovedByTheirGap) {
    Random random(1, 7);
    forEachPair([&](const Shape& first, const Shape& second) {
        for (const double apart : {0.0, 1e-3, 0.3, 5.0}) {
            for (const double scale : {0.001, 1.0, 30.0, 1000.0}) {
                const Pair pair = randomPair(first, second, scale, apart, random);
                const std::vector<ContactPoint> points = pair.points();
                ASSERT_FALSE(points.empty());
                const double gap = leastGap(points), size = std::max(1.0, scale), little = 2e-5 * size;
                EXPECT_NEAR(separationAlong(points[0].normal, pair.a, pair.b), gap, 3e-6 * size) << scale;
                const Pair apartStill = pair.withGap(little), together = pair.withGap(-little);
                EXPECT_FALSE(touchByLibccd(apartStill.a, apartStill.b)) << gap << " at scale " << scale;
                if (scale < 0.01) continue;  // the small one would be swallowed by what is little for the large one
                EXPECT_TRUE(touchByLibccd(together.a, together.b) || touchByPortals(together.a, together.b))
                    << gap << " at scale " << scale;
            }
        }
    });
}

TEST(Libccd, FindsTheSameDepths) {
    Random random(2, 7);
    int pairs = 0, sharp = 0;
    forEachPair([&](const Shape& first, const Shape& second) {
        for (const double depth : {0.003, 0.03, 0.1}) {
            const Pair pair = randomPair(first, second, 1.2, 0.1, random).withGap(-depth);
            const double ours = -leastGap(pair.points());
            const DepthBounds theirs = depthByLibccd(pair.a, pair.b);
            EXPECT_TRUE(theirs.overlap);
            EXPECT_GT(ours, theirs.least - 3e-6);
            EXPECT_LT(ours, theirs.most + 3e-6);
            ++pairs;
            if (theirs.most - theirs.least < 0.1 * depth) ++sharp;
        }
    });
    EXPECT_GT(sharp, 0.8 * pairs);  // the bounds say something
}

// Faces that are parallel but for a hair.
TEST(Libccd, FindsTheSameDepthsOfFacesThatAreNearlyParallel) {
    Random random(3, 7);
    const std::vector<Shape> flat = {BoxShape{{0.5, 0.3, 0.8}}, BoxShape{{1, 1, 0.05}}, CylinderShape{0.9, 0.1}};
    for (const Shape& first : flat) {
        for (const Shape& second : flat) {
            for (const double tilt : {0.0, 1e-9, 1e-6, 1e-5, 1e-4, 5e-4, 1e-3}) {
                const Pair level{{&first, 1, {{0.1, 0.05, 3}, rotationBy(tilt * samples::randomDirection(random))}},
                                 {&second, 1, {{}, rotationBy({0, 0, random.uniform(0, 3)})}}};
                const Pair pair = level.moved({0, 0, -0.01 - separationAlong({0, 0, 1}, level.a, level.b)});
                const double ours = -leastGap(pair.points());
                const DepthBounds theirs = depthByLibccd(pair.a, pair.b);
                EXPECT_GT(ours, theirs.least - 3e-6) << tilt;
                EXPECT_LT(ours, theirs.most + 3e-6) << tilt;
            }
        }
    }
}

}  // namespace
}  // namespace talus
