// What contacts remember when the method changes.
#include "step/assembly/convert_memory.hpp"

#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"
#include "model/load.hpp"

namespace talus {
namespace {

using analytic::addFloor;
using analytic::makeWorld;
using analytic::massOf;
using analytic::Trial;

constexpr double radius = 0.01;  // m

// A ball that cannot roll, at rest on a floor under its weight and a push that friction holds.
Trial heldByFriction(NormalLaw normal) {
    WorldState world =
        makeWorld({.kinds = {.normal = normal}, .contact = {.friction = 0.5, .restitution = 0.1, .stiffness = 1e4}});
    world.gravity = {0, 0, -9.81};
    world.angularFreedom = {0, 0, 0};
    addFloor(world);
    world.loads.push_back(ConstantForce{{0.2 * massOf(radius) * 9.81, 0, 0}});
    addBody(world, {.radius = radius, .position = {0, 0, radius}, .load = 0});
    Trial trial(world, 2e-5);
    trial.advance(0.5);
    return trial;
}

Vec3 forceOf(const WorldState& world) {
    const std::vector<ContactSample> samples = sampleContacts(world);
    return samples.size() == 1 ? samples[0].force : Vec3{};
}

TEST(ContactMemory, KeepsTheForceFromSpringsToImpulsesAndBack) {
    for (const NormalLaw normal : {NormalLaw::hooke, NormalLaw::hertz}) {
        Trial trial = heldByFriction(normal);
        const Vec3 before = forceOf(trial.world);
        const double weight = massOf(radius) * 9.81;
        ASSERT_NEAR(before.z, weight, 1e-3 * weight);
        ASSERT_NEAR(before.x, -0.2 * weight, 1e-3 * weight);

        convertMemory(trial.world, RigidMemory{}, 1e-3);
        EXPECT_TRUE(trial.world.contacts.areRigid());
        EXPECT_LT(norm(forceOf(trial.world) - before), 1e-12 * weight);

        convertMemory(trial.world, SpringMemory{});
        EXPECT_TRUE(trial.world.contacts.keepsSprings());
        EXPECT_LT(norm(forceOf(trial.world) - before), 1e-9 * weight);
    }
}

// A rigid contact bears its load at any overlap, a soft one hardly any at a millionth of it: no more may be left to
// slip.
TEST(ContactMemory, TakesNoMoreShearThanFrictionHoldsAtTheOverlapOfTheContact) {
    for (const NormalLaw normal : {NormalLaw::hooke, NormalLaw::hertz}) {
        Trial trial = heldByFriction(normal);
        convertMemory(trial.world, RigidMemory{}, 1e-3);
        trial.world.bodies.position[0].z = radius * (1 - 1e-12);
        convertMemory(trial.world, SpringMemory{});
        const Vec3 force = forceOf(trial.world);
        EXPECT_GT(force.z, 0);
        EXPECT_LE(std::abs(force.x), (1 + 1e-9) * 0.5 * force.z);
        const double stretch = norm(trial.world.contacts.springs().tangent[0].stretch);
        EXPECT_LT(stretch, 1e-11 * radius) << "no further than it is deep";
    }
}

// Without the memory the spring would have to be stretched again, by a way of its own.
TEST(ContactMemory, LeavesABallAtRestWhenElasticContactsTakeOver) {
    Trial soft = heldByFriction(NormalLaw::hooke);
    const Vec3 place = soft.world.bodies.position[0];
    WorldState world = soft.world;
    convertMemory(world, ElasticMemory{}, 1e-3);
    Trial stiff(world, 1e-3, {.tolerance = 1e-12, .maxIterations = 1000, .contacts = ContactKind::elastic});
    stiff.advance(0.05);
    const double stretch = 0.2 * massOf(radius) * 9.81 / 1e4;
    EXPECT_LT(norm(stiff.world.bodies.position[0] - place), 0.02 * stretch);
}

TEST(ContactMemory, OfContactsThatDoNotOverlapIsEmpty) {
    Trial trial = heldByFriction(NormalLaw::hooke);
    convertMemory(trial.world, RigidMemory{}, 1e-3);
    trial.world.bodies.position[0].z = 1.001 * radius;
    convertMemory(trial.world, SpringMemory{});
    EXPECT_EQ(trial.world.contacts.springs().tangent[0].contactRadius, 0);
}

}  // namespace
}  // namespace talus
