// Forces of a program act like any other: against closed forms, and against gravity.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sample_worlds.hpp"
#include "talus/measure.hpp"

namespace talus {
namespace {

using std::numbers::pi;

// A mass on a spring of the program's own, from rest at x = 0.01 m, one period of 0.1 s; where it is then, m.
double afterOnePeriod(const StepMethod& method, EnergyState& energy) {
    World world({.gravity = {0, 0, 0}});
    const MaterialId glass = world.addMaterial();
    const BodyId ball = world.addBody(Sphere{0.01}, {.position = {0.01, 0, 0}, .material = glass});
    const double stiffness = world.mass(ball) * std::pow(2 * pi / 0.1, 2);
    Stepper stepper(method);
    stepper.addForce([=](const World& w, Forces& f) { f.add(ball, -stiffness * w.position(ball)); });
    while (world.time() < 0.1 - 1e-9) stepper.step(world);
    energy = energyOf(world);
    EXPECT_NEAR(world.position(ball).y, 0, 0);
    return world.position(ball).x;
}

TEST(OwnForces, ASpringOscillatesWithItsPeriod) {
    // Velocity Verlet: the phase is off by (2 pi h/T)^2/24 turns, 2 pi of them: cos of that, and far below 1e-9 m here.
    EnergyState energy;
    EXPECT_NEAR(afterOnePeriod(Penalty{.step = 1e-5}, energy), 0.01, 1e-9);
    // Its work is what the ball has: the spring is no part of the world. Trapezoidal rule, over one period: nothing.
    EXPECT_NEAR(energy.wallWork, energy.kinetic, 1e-12);
    // Semi-implicit Euler: x is off by at most half a step's way at the largest speed.
    EXPECT_NEAR(afterOnePeriod(ContactDynamics{.step = 1e-5}, energy), 0.01, 0.01 * 2 * pi / 0.1 * 1e-5);
}

TEST(OwnForces, GravityAsAForceOfTheProgramIsGravity) {
    for (const StepMethod& method : {StepMethod(Penalty{.step = 5e-6}), StepMethod(ContactDynamics{.step = 1e-3}),
                                     StepMethod(ContactDynamics{.step = 1e-3, .theta = 0.75})}) {
        const auto fall = [&](bool own) {
            World world({.gravity = own ? Vec3{} : Vec3{0, 0, -9.81}});
            const MaterialId glass = world.addMaterial({.restitution = 0.5});
            world.addWall(Plane{}, {.material = glass});
            const BodyId box = world.addBody(Box{{0.02, 0.02, 0.01}}, {.position = {0, 0, 0.02}, .material = glass});
            Stepper stepper(method);
            if (own) {
                stepper.addForce([=](const World& w, Forces& f) { f.add(box, {0, 0, -9.81 * w.mass(box)}); });
            }
            while (world.time() < 0.04) stepper.step(world);  // 7.8 mm, before it lands
            return world.position(box);
        };
        EXPECT_NEAR(norm(fall(true) - fall(false)), 0, 1e-14);
    }
}

TEST(OwnForces, ATorqueTurnsABodyAsItsInertiaSays) {
    for (const StepMethod& method : {StepMethod(Penalty{.step = 1e-4}), StepMethod(ContactDynamics{.step = 1e-4}),
                                     StepMethod(ContactDynamics{.step = 1e-4, .theta = 0.5})}) {
        World world({.gravity = {0, 0, 0}});
        const MaterialId steel = world.addMaterial({.density = 1000});
        const BodyId ball = world.addBody(Sphere{0.1}, {.material = steel});
        const BodyId box = world.addBody(Box{{0.1, 0.2, 0.3}}, {.position = {1, 0, 0}, .material = steel});
        Stepper stepper(method);
        stepper.addForce([=](const World&, Forces& f) {
            f.add(ball, {}, {0, 0, 0.02});
            f.add(box, {}, {0, 0, 0.02});
        });
        while (world.time() < 0.1 - 1e-9) stepper.step(world);
        const double ofBall = 0.4 * world.mass(ball) * 0.01, ofBox = world.mass(box) / 12 * (0.01 + 0.04);
        EXPECT_NEAR(world.spin(ball).z, 0.02 * 0.1 / ofBall, 1e-10);
        EXPECT_NEAR(world.spin(box).z, 0.02 * 0.1 / ofBox, 1e-10);
    }
}

TEST(OwnForces, ArePartOfWhatContactsBear) {
    // A ball pressed on a plane by five times its weight: contacts that are solved must know it in the step itself.
    BallWorld w;
    w.world.setPosition(w.ball, {0, 0, 5e-3});
    const double weight = 9.81 * w.world.mass(w.ball);
    Stepper stepper(ContactDynamics{.step = 1e-3, .tolerance = 1e-10});
    stepper.addForce([&](const World&, Forces& f) { f.add(w.ball, {0, 0, -4 * weight}); });
    for (int k = 0; k < 5; ++k) stepper.step(w.world);
    ASSERT_EQ(w.world.contacts().size(), 1u);
    EXPECT_NEAR(w.world.contacts()[0].force.z, 5 * weight, 1e-8 * weight);
    EXPECT_NEAR(w.world.position(w.ball).z, 5e-3, 1e-9);
}

TEST(OwnForces, AtAPointTurnABodyToo) {
    World world({.gravity = {0, 0, 0}});
    const MaterialId steel = world.addMaterial({.density = 1000});
    const BodyId ball = world.addBody(Sphere{0.1}, {.material = steel});
    Stepper stepper(ContactDynamics{.step = 1e-3});
    stepper.addForce([=](const World& w, Forces& f) { f.addAt(ball, w.position(ball) + Vec3{0.1, 0, 0}, {0, 1, 0}); });
    stepper.step(world);
    EXPECT_NEAR(world.velocity(ball).y, 1e-3 / world.mass(ball), 1e-15);
    EXPECT_NEAR(world.spin(ball).z, 0.1 * 1e-3 / (0.4 * world.mass(ball) * 0.01), 1e-13);
}

TEST(OwnForces, SeeTheTimeTheyActAt) {
    World world({.gravity = {0, 0, 0}});
    const MaterialId glass = world.addMaterial();
    world.addBody(Sphere{0.01}, {.material = glass});
    std::vector<double> times;
    Stepper stepper(Penalty{.step = 1e-3});
    stepper.addForce([&](const World& w, Forces&) { times.push_back(w.time()); });
    stepper.step(world);
    times.clear();
    stepper.step(world);
    EXPECT_EQ(times, (std::vector<double>{1e-3, 2e-3}));
}

}  // namespace
}  // namespace talus
