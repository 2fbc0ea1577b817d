// A grain that is round below and flatter above stands up like a roly-poly, with the period that its mass says.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sample_worlds.hpp"

namespace talus {
namespace {

// Below a half ball of radius R, above half an ellipsoid of height c. The centre of mass is e = 3 (R - c) / 8 below
// that of the ball, which rolls without slipping: (I + m (R - e)^2) angle'' = -m g e angle for small angles.
TEST(PolyEllipsoids, RockWithThePeriodOfTheirMassAndForm) {
    constexpr double R = 0.01, c = 0.005, g = 9.81, e = 0.375 * (R - c), tilt = 0.02;
    constexpr double aboutBall = (R * 2 * R * R + c * (R * R + c * c)) / (5 * (R + c)), inertia = aboutBall - e * e;
    const double period = 2 * std::numbers::pi * std::sqrt((inertia + (R - e) * (R - e)) / (g * e));

    World world;
    const MaterialId rough = world.addMaterial({.friction = 1});
    world.addWall(Plane{}, {.material = rough});
    const BodyId grain = world.addBody(
        PolyEllipsoid{{R, R, R}, {R, R, c}},
        {.position = {0, 0, R}, .orientation = {std::cos(0.5 * tilt), std::sin(0.5 * tilt), 0, 0}, .material = rough});
    EXPECT_NEAR(world.position(grain).z, R - e * std::cos(tilt), 1e-12);

    // It starts from rest, and is at rest again after half a period.
    Stepper stepper(ContactDynamics{.step = 2e-4, .tolerance = 1e-9});
    stepper.step(world);
    EXPECT_LT(world.spin(grain).x, 0) << "towards the upright";
    while (world.time() < period && world.spin(grain).x < 0) stepper.step(world);
    EXPECT_NEAR(world.time(), 0.5 * period, 0.005 * period);
}

TEST(PolyEllipsoids, OfEqualSidesAreEllipsoids) {
    World world;
    const MaterialId glass = world.addMaterial();
    const BodyId one = world.addBody(PolyEllipsoid{{0.03, 0.02, 0.01}, {0.03, 0.02, 0.01}}, {.material = glass});
    const BodyId other = world.addBody(Ellipsoid{{0.03, 0.02, 0.01}}, {.position = {0.1, 0, 0}, .material = glass});
    EXPECT_NEAR(world.mass(one), world.mass(other), 1e-14 * world.mass(other));
    EXPECT_NEAR(norm(world.position(one)), 0, 1e-17);
}

}  // namespace
}  // namespace talus
