// The mantle of a drum ends where the drum is open. Up to there it is a hollow cylinder; its rim is a round edge.
#include <gtest/gtest.h>

#include "analytic/solid_world.hpp"
#include "base/random.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.02, half = 0.05;  // m, of the drum, which lies about the origin

CylinderWall tube() { return {.radius = radius, .halfLength = half, .open = {false, true, true}}; }

Substance elastic() {
    return {.kinds = {.normal = NormalLaw::hooke},
            .elastic = {.youngsModulus = 1e7},
            .contact = {.friction = 0, .restitution = 1, .stiffness = 1e4}};
}

WorldState worldWithTube(const Substance& substance) {
    WorldState world = makeWorld(substance);
    addBody(world, {.shape = world.shapes.add(tube())});
    return world;
}

double kineticEnergy(const WorldState& world) {
    const Bodies& b = world.bodies;
    double sum = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        const Vec3 spin = rotateBack(b.orientation[i], b.spin[i]);
        sum += 0.5 / b.inverseMass[i] * normSquared(b.velocity[i]);
        for (int k = 0; k < 3; ++k) sum += 0.5 * spin[k] * spin[k] / b.inverseInertia[i][k];
    }
    return sum;
}

TEST(OpenDrum, IsPassedFreelyBelowItsEnd) {
    WorldState world = worldWithTube(elastic());
    addBody(world, {.radius = 0.005, .position = {0, 0, -half - 0.006}, .velocity = {0.2, 0, 0}});
    Trial trial(std::move(world), 1e-5);
    trial.advance(0.3);
    EXPECT_NEAR(trial.position(1).x, 0.06, 1e-9);
    EXPECT_EQ(trial.velocity(1), (Vec3{0.2, 0, 0}));
}

TEST(OpenDrum, HoldsWhatIsWithinItsLength) {
    WorldState world = worldWithTube(elastic());
    addBody(world, {.radius = 0.005, .position = {0, 0, -half + 0.006}, .velocity = {0.2, 0, 0}});
    Trial trial(std::move(world), 1e-5);
    trial.advance(0.1);
    EXPECT_NEAR(trial.velocity(1).x, -0.2, 1e-3);
}

// A ball meets the rim from below at an angle: a frictionless edge turns its velocity round along the normal alone.
TEST(OpenDrum, ThrowsABallBackFromItsRimWithoutLoss) {
    const double ball = 0.005;
    for (const double angle : {0.3, 0.8, 1.3}) {
        const Vec3 normal{-std::cos(angle), 0, -std::sin(angle)};  // from the rim at x = radius to the ball
        const Vec3 rim{radius, 0, -half}, velocity = -0.1 * normal + Vec3{0, 0.03, 0};
        for (const bool isSphere : {true, false}) {
            WorldState world = worldWithTube(elastic());
            const Vec3 start = rim + 1.2 * ball * normal - Vec3{0, 0.03 * 0.01, 0};
            if (isSphere) {
                addBody(world, {.radius = ball, .position = start, .velocity = velocity});
            } else {
                addSolid(world, EllipsoidShape{{ball, ball, ball}}, start, {}, velocity);
            }
            const double before = kineticEnergy(world);
            Trial trial(std::move(world), 2e-6);
            trial.advance(0.04);
            EXPECT_NEAR(kineticEnergy(trial.world) / before, 1, 2e-3) << angle << isSphere;
            EXPECT_GT(dot(trial.velocity(1), normal), 0.09) << angle << isSphere;
        }
    }
}

// Balls and boxes that fall through, over and past the end: no energy comes from anywhere.
TEST(OpenDrum, GivesNoEnergyToSolidsThatFallOverItsRim) {
    Random random(9, 1);
    const Shape shapes[] = {EllipsoidShape{{0.006, 0.004, 0.005}}, BoxShape{{0.005, 0.004, 0.006}}};
    for (const Shape& shape : shapes) {
        for (int k = 0; k < 8; ++k) {
            WorldState world = worldWithTube(wood(0.3, 0.5));
            world.gravity = {0, 0, gravity};  // out of the high end
            const Vec3 place{random.uniform(-0.01, 0.01), random.uniform(-0.01, 0.01), half - 0.012};
            addSolid(world, shape, place, rotationBy(random.inBox({-2, -2, -2}, {2, 2, 2})),
                     {random.uniform(-0.3, 0.3), 0.1, 0});
            const double mass = massOf(world, shape), start = place.z, before = kineticEnergy(world);
            Trial trial(std::move(world), 2e-6);
            double highest = 0;
            for (int part = 0; part < 30; ++part) {
                trial.advance(0.005);
                const double fallen = mass * gravity * (trial.position(1).z - start);
                highest = std::max(highest, (kineticEnergy(trial.world) - fallen) / before);
            }
            EXPECT_LE(highest, 1.01) << shapeName(shape) << " " << k;
            EXPECT_GT(trial.position(1).z, half) << shapeName(shape) << " " << k;
        }
    }
}

}  // namespace
}  // namespace talus
