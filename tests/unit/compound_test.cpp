// Compounds: mass and frame of bodies made of parts, summed or as one union of spheres.
#include "geometry/solids/compound.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "base/random.hpp"
#include "geometry/mass/principal_axes.hpp"
#include "geometry/mass/sphere_union.hpp"
#include "geometry/mesh/mesh.hpp"
#include "talus/error.hpp"
#include "unit/sample_meshes.hpp"

namespace talus {
namespace {

using std::numbers::pi;

CompoundBody::Part sphereAt(const Vec3& centre, double radius) { return {SphereShape{}, radius, {centre, {}}}; }

std::string messageOf(const std::vector<CompoundBody::Part>& parts, MassMode mode = MassMode::sumOfParts) {
    try {
        makeCompound(parts, mode);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Compound, OfTwoHalvesIsTheWholeBox) {
    // A box of half sizes 2, 3, 5, cut at x = 0, in a turned frame.
    const Pose place{{7, 8, 9}, rotationBy({0.2, 0.3, -0.1})};
    std::vector<CompoundBody::Part> halves;
    for (const double side : {-1.0, 1.0}) {
        halves.push_back({BoxShape{{1, 3, 5}}, 1, {outOfFrame(place, {side, 0, 0}), place.orientation}});
    }
    const CompoundInPlace made = makeCompound(halves);
    const MassProperties whole = massProperties(BoxShape{{2, 3, 5}});
    EXPECT_NEAR(made.shape.parts->mass.volume, whole.volume, 1e-12 * whole.volume);
    EXPECT_NEAR(norm(made.shape.parts->mass.inertia - whole.inertia), 0, 1e-11 * norm(whole.inertia));
    EXPECT_NEAR(norm(made.pose.position - place.position), 0, 1e-13);
    EXPECT_NEAR(norm(rotate(made.pose.orientation, {1, 2, 3}) - rotate(place.orientation, {1, 2, 3})), 0, 1e-12);
    for (const CompoundBody::Part& part : made.shape.parts->parts) {
        EXPECT_NEAR(std::abs(part.pose.position.x), 1, 1e-13);
        EXPECT_NEAR(std::hypot(part.pose.position.y, part.pose.position.z), 0, 1e-13);
    }
}

TEST(Compound, OfSpheresApartHasTheSameMassEitherWay) {
    const std::vector<CompoundBody::Part> parts{sphereAt({0, 0, 0}, 1), sphereAt({3, 1, 0}, 1.5),
                                                sphereAt({0, 4, 2}, 0.7)};
    const CompoundInPlace sum = makeCompound(parts), together = makeCompound(parts, MassMode::unionOfSpheres);
    EXPECT_NEAR(sum.shape.parts->mass.volume, together.shape.parts->mass.volume, 1e-9);
    EXPECT_NEAR(norm(sum.shape.parts->mass.inertia - together.shape.parts->mass.inertia), 0, 1e-7);
    EXPECT_NEAR(norm(sum.pose.position - together.pose.position), 0, 1e-9);
    // Radius: the farthest point of any part.
    EXPECT_GE(sum.shape.parts->radius, 1.5);
}

TEST(SphereUnion, OfTwoBallsIsTheirSumLessALens) {
    for (const Vec3 d : {Vec3{0, 0, 1.2}, Vec3{1.2, 0, 0}, Vec3{0.7, -0.5, 0.8}}) {
        const double r = 1, distance = norm(d);
        const double lens =
            pi * std::pow(2 * r - distance, 2) * (distance * distance + 4 * distance * r) / (12 * distance);
        const MassMoments m = unionOfBalls({{{0, 0, 0}, r}, {d, r}});
        EXPECT_NEAR(m.volume, 8.0 / 3 * pi - lens, 1e-9);
        EXPECT_NEAR(norm(m.firstMoment - 0.5 * m.volume * d), 0, 1e-9);
    }
}

TEST(SphereUnion, CountsBallsWithinOthersAndEqualOnesOnce) {
    const MassMoments m = unionOfBalls({{{0, 0, 0}, 1}, {{0.2, 0, 0}, 0.5}, {{0, 0, 0}, 1}});
    EXPECT_NEAR(m.volume, 4.0 / 3 * pi, 1e-12);
    EXPECT_NEAR(m.secondMoment(2, 2), 4.0 / 15 * pi, 1e-12);
    EXPECT_NEAR(m.secondMoment(0, 0), 4.0 / 15 * pi, 1e-12);
    EXPECT_NEAR(m.secondMoment(0, 1), 0, 1e-12);
}

TEST(SphereUnion, OfManyBallsDoesNotDependOnTheDirectionInWhichItIsCut) {
    Random random(8, 0);
    std::vector<Ball> balls, turned;
    const Quat q = rotationBy({1.0, 0.7, -0.4});
    for (int k = 0; k < 12; ++k) {
        balls.push_back({random.inBox({-1, -1, -1}, {1, 1, 1}), random.uniform(0.3, 0.8)});
        turned.push_back({rotate(q, balls.back().centre), balls.back().radius});
    }
    const MassMoments a = unionOfBalls(balls), b = unionOfBalls(turned);
    EXPECT_NEAR(a.volume, b.volume, 1e-8 * a.volume);
    EXPECT_NEAR(norm(rotate(q, a.firstMoment) - b.firstMoment), 0, 1e-8);
    const PrincipalFrame p = principalFrame(a), s = principalFrame(b);
    EXPECT_NEAR(p.mass.inertia.x + p.mass.inertia.y + p.mass.inertia.z,
                s.mass.inertia.x + s.mass.inertia.y + s.mass.inertia.z, 1e-7);

    // And against random points: four standard errors.
    constexpr int count = 200'000;
    int inside = 0;
    for (int n = 0; n < count; ++n) {
        const Vec3 p2 = random.inBox({-2, -2, -2}, {2, 2, 2});
        for (const Ball& ball : balls) {
            if (norm(p2 - ball.centre) > ball.radius) continue;
            ++inside;
            break;
        }
    }
    const double share = static_cast<double>(inside) / count;
    EXPECT_NEAR(a.volume, 64 * share, 4 * 64 * std::sqrt(share * (1 - share) / count));
}

TEST(Compound, RefusesPartsThatCannotBe) {
    EXPECT_EQ(messageOf({}), "a compound needs at least one part");
    EXPECT_EQ(messageOf({sphereAt({0, 0, 0}, 1), {PlaneWall{}}}), "part 2 of the compound is a wall: parts fill space");
    EXPECT_EQ(messageOf({{makeSurface(sheetMesh(2, 1)).shape}}),
              "part 1 of the compound is an open surface: parts fill space");
    EXPECT_EQ(messageOf({{makeCompound({sphereAt({0, 0, 0}, 1)}).shape}}),
              "part 1 of the compound is a compound: give its parts instead");
    EXPECT_EQ(messageOf({sphereAt({0, 0, 0}, 0)}), "part 1 of the compound must have a scale > 0, got 0");
    EXPECT_EQ(messageOf({sphereAt({NAN, 0, 0}, 1)}), "part 1 of the compound is not within 1e+09 m of the origin");
    EXPECT_EQ(messageOf({{BoxShape{{1, 1, 1}}}}, MassMode::unionOfSpheres),
              "part 1 of the compound is a box: the space that parts fill together can be found only of spheres");
}

}  // namespace
}  // namespace talus
