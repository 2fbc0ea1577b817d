#include "measure/energy.hpp"

#include <gtest/gtest.h>

#include "unit/touching_world.hpp"

namespace talus {
namespace {

using test::addFloor;
using test::addSphere;
using test::findContacts;
using test::makeWorld;

TEST(Energy, OfTwoMovingSpheresIsThatOfTheirCentresAndSpins) {
    WorldState world = makeWorld();
    world.gravity = {0, 0, -10};
    addSphere(world, {0, 0, 3}, 0.1);
    addSphere(world, {5, 0, -1}, 0.2);
    world.bodies.velocity = {{1, 2, 2}, {0, 0, 4}};
    world.bodies.spin = {{0, 0, 10}, {6, 8, 0}};
    const double m0 = 2500 * 4.0 / 3 * M_PI * 1e-3, m1 = 8 * m0;
    const EnergyBalance e = measureEnergy(world, {});
    EXPECT_NEAR(e.translation, 0.5 * m0 * 9 + 0.5 * m1 * 16, 1e-10);
    EXPECT_NEAR(e.rotation, 0.2 * m0 * 0.01 * 100 + 0.2 * m1 * 0.04 * 100, 1e-10);
    EXPECT_NEAR(e.potential, m0 * 10 * 3 - m1 * 10, 1e-9);
    EXPECT_EQ(e.elastic.total(), 0);
    EXPECT_TRUE(e.closes);
    EXPECT_NEAR(e.mechanical(),
                kineticEnergy(world.bodies, 0) + kineticEnergy(world.bodies, 1) + potentialEnergy(world, 0) +
                    potentialEnergy(world, 1),
                1e-9);
}

TEST(Energy, OfASpinUsesTheInertiaAboutTheBodysOwnAxes) {
    WorldState world = makeWorld();
    addSphere(world, {}, 0.1);
    world.bodies.inverseInertia[0] = {1 / 2.0, 1 / 3.0, 1 / 5.0};
    // A third of a turn about the diagonal: the body's x axis (inertia 2) now points along the world's y.
    const double third = 2 * M_PI / 3 / std::sqrt(3.0);
    world.bodies.orientation[0] = rotationBy({third, third, third});
    world.bodies.spin[0] = {0, 4, 0};
    EXPECT_NEAR(measureEnergy(world, {}).rotation, 0.5 * 2 * 16, 1e-12);
}

TEST(Energy, OfFixedBodiesIsNotCounted) {
    WorldState world = makeWorld();
    world.gravity = {0, 0, -10};
    addSphere(world, {0, 0, 3}, 0.1, true);
    world.bodies.velocity[0] = {1, 0, 0};
    EXPECT_EQ(measureEnergy(world, {}).mechanical(), 0);
}

TEST(Energy, StoredInAHookeContactIsHalfKTimesOverlapSquared) {
    WorldState world = makeWorld({.stiffness = 800});
    addSphere(world, {0, 0, 0}, 1);
    addSphere(world, {0, 1.95, 0}, 1);
    findContacts(world);
    world.contacts.springs().tangent[0].stretch = {0.01, 0, 0};
    const EnergyBalance e = measureEnergy(world, sampleContacts(world));
    EXPECT_NEAR(e.elastic.normal, 0.5 * 800 * 0.05 * 0.05, 1e-12);
    EXPECT_NEAR(e.elastic.tangential, 0.5 * 800 * 2.0 / 7 * 1e-4, 1e-12);
}

TEST(Energy, StoredInAHertzContactIsTheWorkOfItsForce) {
    WorldState world = makeWorld({.normal = NormalLaw::hertz, .modulus = 1e5});
    addSphere(world, {0, 0, 0}, 1);
    addSphere(world, {0, 2.9, 0}, 2);
    const auto sampleAt = [&](double overlap) {
        world.bodies.position[1].y = 3 - overlap;
        findContacts(world);
        return sampleContacts(world);
    };
    // Closed form, and a second way: the force summed over the approach.
    const double overlap = 0.1, radius = 2.0 / 3;
    const double stored = measureEnergy(world, sampleAt(overlap)).elastic.total();
    EXPECT_NEAR(stored, 8.0 / 15 * 1e5 * std::sqrt(radius) * std::pow(overlap, 2.5), 1e-9);
    double work = 0;
    constexpr int parts = 2000;
    for (int k = 0; k < parts; ++k) {
        work += sampleAt(overlap * (k + 0.5) / parts).at(0).normalForce * overlap / parts;
    }
    EXPECT_NEAR(work, stored, 1e-6 * stored);
}

TEST(Energy, OfAnElasticBounceIsTheSameOnTheWayDownAndAtRestOnTheSpring) {
    // A ball released from rest at height H above first contact stops at overlap d with m g (H + d) = k d^2/2.
    WorldState world = makeWorld({.stiffness = 1e5});
    world.gravity = {0, 0, -9.81};
    addFloor(world, 0);
    addSphere(world, {0, 0, 0.3}, 0.1);
    findContacts(world);
    const EnergyBalance start = measureEnergy(world, sampleContacts(world));
    const double weight = 9.81 / world.bodies.inverseMass[0], height = 0.2, k = 1e5;
    const double deepest = (weight + std::sqrt(weight * weight + 2 * k * weight * height)) / k;
    world.bodies.position[0].z = 0.1 - deepest;
    findContacts(world);
    const EnergyBalance turn = measureEnergy(world, sampleContacts(world));
    EXPECT_GT(turn.elastic.normal, 1);
    EXPECT_NEAR(closure(start, turn), 0, 1e-11);
}

TEST(Energy, ClosesWhenLossesWallWorkAndInsertionsAreCounted) {
    EnergyBalance before, after;
    before.translation = 5;
    before.potential = 2;
    after.translation = 1;
    after.potential = 4;
    after.elastic.tangential = 0.5;
    after.dissipated.sliding = 3;
    after.dissipated.normalDamping = 1.5;
    after.wallWork = 2;
    after.inserted = 1;
    EXPECT_NEAR(closure(before, after), 0, 1e-14);
    after.wallWork = 2.25;  // more came in than is found
    EXPECT_NEAR(closure(before, after), -0.25, 1e-14);
    EXPECT_NEAR(turnover(before, after), 5 + 1 + 2 + 0.5 + 4.5 + 2.25 + 1, 1e-14);
}

TEST(Energy, HasNoClosureIfGravityActsAlongAPeriodicAxis) {
    WorldState world = makeWorld();
    world.gravity = {3, 0, -9};
    world.domain = {.low = {0, 0, 0}, .high = {1, 1, 1}, .periodic = {true, false, false}};
    addSphere(world, {0.5, 0.5, 0.5}, 0.1);
    const EnergyBalance e = measureEnergy(world, {});
    EXPECT_FALSE(e.closes);
    EXPECT_NEAR(e.potential * world.bodies.inverseMass[0], 9 * 0.5, 1e-12);  // the part that has a height
    EXPECT_TRUE(std::isnan(closure(e, e)));
    world.gravity.x = 0;
    EXPECT_TRUE(measureEnergy(world, {}).closes);
}

}  // namespace
}  // namespace talus
