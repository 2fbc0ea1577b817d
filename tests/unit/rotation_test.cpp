#include "step/rotation.hpp"

#include <gtest/gtest.h>

#include "step/integrate.hpp"

namespace talus {
namespace {

// A free body with three moments of inertia; a second shape that is no wall takes the general path.
WorldState spinningBody(const Vec3& inertia, const Vec3& spin) {
    WorldState world;
    world.gravity = {};
    world.materials.list = {{}};
    world.shapes.add(SphereShape{});
    addBody(world, {.shape = 1, .radius = 0.1, .orientation = rotationBy({0.3, -0.2, 0.5}), .spin = spin});
    world.bodies.inverseInertia[0] = inverseOf(inertia);
    return world;
}

Vec3 angularMomentum(const WorldState& w) {
    return applyInBodyFrame(w.bodies.orientation[0], inverseOf(w.bodies.inverseInertia[0]), w.bodies.spin[0]);
}

double energy(const WorldState& w) { return 0.5 * dot(angularMomentum(w), w.bodies.spin[0]); }

void advance(WorldState& world, double dt, int steps) {
    for (int k = 0; k < steps; ++k) {
        kickAndDrift(world, dt, SphereOrientation::tracked);
        kick(world, dt);
    }
}

TEST(FreeRotation, KeepsTheAngularMomentumOfATumblingBody) {
    WorldState world = spinningBody({1, 2, 3}, {0.1, 2, 0.3});  // near the middle axis: it tumbles
    const Vec3 before = angularMomentum(world);
    advance(world, 0.01, 1000);
    EXPECT_LT(norm(angularMomentum(world) - before), 1e-12 * norm(before));
}

TEST(FreeRotation, KeepsTheEnergyOfATumblingBodyToSecondOrder) {
    const auto error = [](double dt) {
        WorldState world = spinningBody({1, 2, 3}, {0.1, 2, 0.3});
        const double before = energy(world);
        double largest = 0;
        for (int k = 0; k < 20 / dt; ++k) {
            advance(world, dt, 1);
            largest = std::max(largest, std::abs(energy(world) / before - 1));
        }
        return largest;
    };
    EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), 2, 0.2);
    EXPECT_LT(error(0.01), 1e-3);
}

// The axis of a symmetric top goes around its angular momentum L at the rate L / I1.
TEST(FreeRotation, OfASymmetricTopPrecessesAtTheKnownRate) {
    const Vec3 inertia{2, 2, 0.5};
    WorldState world = spinningBody(inertia, {1, 0.5, 3});
    const Vec3 momentum = angularMomentum(world);
    const Vec3 start = rotate(world.bodies.orientation[0], Vec3{0, 0, 1});
    const int steps = 4000;
    const double dt = 1e-3;
    advance(world, dt, steps);
    const Vec3 wanted = rotate(rotationBy((steps * dt / inertia.x) * momentum), start);
    const Vec3 got = rotate(world.bodies.orientation[0], Vec3{0, 0, 1});
    EXPECT_LT(norm(got - wanted), 1e-5) << "of second order in dt";
    EXPECT_GT(norm(got - start), 0.1);
}

TEST(FreeRotation, OfASphereTurnsItAboutItsSpin) {
    WorldState world = spinningBody({1, 1, 1}, {0, 0, 2});
    world.bodies.shape[0] = 0;
    const Quat start = world.bodies.orientation[0];
    advance(world, 0.1, 10);
    const Quat wanted = rotationBy({0, 0, 2}) * start;
    EXPECT_NEAR(std::abs(wanted.w * world.bodies.orientation[0].w + wanted.x * world.bodies.orientation[0].x +
                         wanted.y * world.bodies.orientation[0].y + wanted.z * world.bodies.orientation[0].z),
                1, 1e-14);
}

TEST(Torque, ChangesTheAngularMomentumByItsImpulse) {
    WorldState world = spinningBody({1, 2, 3}, {0.1, 2, 0.3});
    const Vec3 before = angularMomentum(world), torque{0.3, -0.2, 0.1};
    world.bodies.torque[0] = torque;
    advance(world, 0.01, 500);
    EXPECT_LT(norm(angularMomentum(world) - before - 5.0 * torque), 1e-12 * norm(before));
}

}  // namespace
}  // namespace talus
