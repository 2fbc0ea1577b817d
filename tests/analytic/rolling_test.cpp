// A sphere on a plane: sliding, rolling, and what slows it down.
//
// The lever arm of the contact force is the radius less half the overlap; grains are stiff enough that this changes
// the answers by some 1e-4 only, which is what most tolerances stand for.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05;   // m
constexpr double gravity = 9.81;  // m/s^2
constexpr double dt = 5e-5;       // s, less than 1/100 of the period of the contact spring

struct Slope {
    double angle = 0;  // rad, down towards +x
    double speed = 0;  // m/s
    double spin = 0;   // rad/s about y, positive rolls towards +x
};

// The plane stays at z = 0; gravity is tilted instead.
Trial sphereOnPlane(const Substance& substance, const Slope& slope) {
    WorldState world = makeWorld(substance);
    world.gravity = gravity * Vec3{std::sin(slope.angle), 0, -std::cos(slope.angle)};
    const double load = massOf(radius) * gravity * std::cos(slope.angle);
    const double overlap = hertzOverlap(load, radius, lawOf(world).modulus);
    addBody(world, {.radius = radius,
                    .position = {0, 0, radius - overlap},
                    .velocity = {slope.speed, 0, 0},
                    .spin = {0, slope.spin, 0}});
    addFloor(world);
    return Trial(std::move(world), dt);
}

constexpr std::uint32_t ball = 0;  // id

Substance stiff(double friction) {
    return {.elastic = {1e9, 0.3}, .contact = {.friction = friction, .restitution = 0.5}};
}

double slipSpeed(const Trial& trial) { return trial.velocity(ball).x - radius * trial.spin(ball).y; }

TEST(SlidingSphere, RollsAtFiveSeventhsOfItsFirstSpeed) {
    for (const double friction : {0.1, 0.3}) {
        const double speed = 1;
        Trial trial = sphereOnPlane(stiff(friction), {.speed = speed});
        while (slipSpeed(trial) > 0) trial.step();
        const double time = 2 * speed / (7 * friction * gravity);
        EXPECT_NEAR(trial.world.time / time, 1, 2e-3);
        EXPECT_NEAR(trial.position(ball).x / (12 * speed * speed / (49 * friction * gravity)), 1, 2e-3);
        // Once the tangential spring is at rest, it rolls.
        trial.advance(0.3);
        EXPECT_NEAR(trial.velocity(ball).x, 5.0 / 7 * speed, 3e-4);
        EXPECT_NEAR(slipSpeed(trial), 0, 3e-4);
        EXPECT_NEAR(trial.position(ball).y, 0, 1e-12);
    }
}

TEST(SlidingSphere, WithBackspinComesBackIfItSpinsFastEnough) {
    // Angular momentum about the contact point: 7/5 v = v0 + 2/5 R w0.
    const double speed = 1, spin = -4 / radius;
    Trial trial = sphereOnPlane(stiff(0.3), {.speed = speed, .spin = spin});
    trial.advance(1);
    EXPECT_NEAR(trial.velocity(ball).x, (speed + 0.4 * radius * spin) * 5 / 7, 1e-3);
    EXPECT_LT(trial.velocity(ball).x, 0);
}

// Acceleration down the slope and of the spin, after the transient of the tangential spring.
std::pair<double, double> accelerations(Trial& trial) {
    trial.advance(0.2);
    const double v = trial.velocity(ball).x, w = trial.spin(ball).y;
    trial.advance(0.4);
    return {(trial.velocity(ball).x - v) / 0.4, (trial.spin(ball).y - w) / 0.4};
}

TEST(SphereOnASlope, RollsWhereFrictionIsEnough) {
    const double friction = 0.2;
    for (const double share : {0.2, 0.5, 0.95}) {
        const double angle = std::atan(share * 3.5 * friction);
        Trial trial = sphereOnPlane(stiff(friction), {.angle = angle});
        const auto [along, spin] = accelerations(trial);
        EXPECT_NEAR(along / (5.0 / 7 * gravity * std::sin(angle)), 1, 5e-4) << "share " << share;
        EXPECT_NEAR(spin * radius / along, 1, 5e-4);
    }
}

TEST(SphereOnASlope, SlipsWhereItIsNot) {
    const double friction = 0.2;
    for (const double share : {1.05, 1.5}) {
        const double angle = std::atan(share * 3.5 * friction);
        Trial trial = sphereOnPlane(stiff(friction), {.angle = angle});
        const auto [along, spin] = accelerations(trial);
        EXPECT_NEAR(along / (gravity * (std::sin(angle) - friction * std::cos(angle))), 1, 1e-5) << "share " << share;
        EXPECT_NEAR(spin / (2.5 * friction * gravity * std::cos(angle) / radius), 1, 5e-4);
    }
}

Substance withRollingResistance(RollingLaw law, double rollingFriction) {
    Substance s = stiff(0.5);
    s.kinds.rolling = law;
    s.contact.rollingFriction = rollingFriction;
    return s;
}

TEST(RollingResistance, OfConstantCoupleSlowsARollingSphereUniformly) {
    const double rolling = 0.02, speed = 1;
    Trial trial =
        sphereOnPlane(withRollingResistance(RollingLaw::constant, rolling), {.speed = speed, .spin = speed / radius});
    const auto [along, spin] = accelerations(trial);
    EXPECT_NEAR(along / (-5.0 / 7 * rolling * gravity), 1, 5e-4);
    EXPECT_NEAR(spin * radius / along, 1, 5e-4);
}

TEST(RollingResistance, OfConstantCoupleStopsTheSphereAfterTheKnownDistance) {
    const double rolling = 0.05, speed = 0.5, deceleration = 5.0 / 7 * rolling * gravity;
    Trial trial =
        sphereOnPlane(withRollingResistance(RollingLaw::constant, rolling), {.speed = speed, .spin = speed / radius});
    trial.advance(speed / deceleration + 0.3);
    EXPECT_NEAR(trial.position(ball).x / (0.5 * speed * speed / deceleration), 1, 2e-3);
    EXPECT_NEAR(trial.velocity(ball).x, 0, 1e-3 * speed);
}

TEST(RollingResistance, OfASpringStopsTheSphereAndHoldsItThere) {
    const double rolling = 0.05, speed = 0.5, deceleration = 5.0 / 7 * rolling * gravity;
    Trial trial =
        sphereOnPlane(withRollingResistance(RollingLaw::spring, rolling), {.speed = speed, .spin = speed / radius});
    trial.advance(speed / deceleration + 3);  // the spring swings, and loses e-fold by e-fold in 0.1 s
    const Vec3 rest = trial.position(ball);
    EXPECT_NEAR(rest.x / (0.5 * speed * speed / deceleration), 1, 5e-3);
    trial.advance(0.5);
    EXPECT_NEAR(norm(trial.velocity(ball)), 0, 1e-9);
    EXPECT_NEAR(norm(trial.position(ball) - rest), 0, 1e-9);
}

TEST(RollingResistance, OfASpringHoldsASphereOnASlopeBelowItsAngleOnly) {
    const double rolling = 0.1;
    Trial held = sphereOnPlane(withRollingResistance(RollingLaw::spring, rolling), {.angle = std::atan(0.8 * rolling)});
    held.advance(1.5);
    EXPECT_NEAR(norm(held.velocity(ball)), 0, 1e-6);
    EXPECT_LT(held.position(ball).x, 0.01 * radius);

    const double angle = std::atan(1.5 * rolling);
    Trial rolls = sphereOnPlane(withRollingResistance(RollingLaw::spring, rolling), {.angle = angle});
    const auto [along, spin] = accelerations(rolls);
    EXPECT_NEAR(along / (5.0 / 7 * gravity * (std::sin(angle) - rolling * std::cos(angle))), 1, 2e-3);
    EXPECT_NEAR(spin * radius / along, 1, 1e-3);
}

}  // namespace
}  // namespace talus
