// What a program changes between steps happens, and nothing else.
#include <gtest/gtest.h>

#include <cmath>

#include "sample_worlds.hpp"
#include "talus/measure.hpp"

namespace talus {
namespace {

TEST(World, ABallThatIsAddedInTheMiddleFallsFromThen) {
    BallWorld w;
    Stepper stepper(ContactDynamics{.step = 1e-3});
    for (int k = 0; k < 100; ++k) stepper.step(w.world);
    const BodyId second = w.world.addBody(Sphere{5e-3}, {.position = {0.05, 0, 1}, .material = w.glass});
    for (int k = 0; k < 100; ++k) stepper.step(w.world);
    EXPECT_NEAR(w.world.velocity(second).z, -9.81 * 0.1, 1e-12);
    EXPECT_NEAR(w.world.position(w.ball).z, 5e-3, 1e-5);  // lies where it lay
}

TEST(World, WhatLayOnARemovedBodyFalls) {
    BallWorld w;
    w.world.setPosition(w.ball, {0, 0, 5e-3});
    const BodyId upper = w.world.addBody(Sphere{5e-3}, {.position = {0, 0, 15e-3}, .material = w.glass});
    Stepper stepper(ContactDynamics{.step = 1e-3});
    for (int k = 0; k < 20; ++k) stepper.step(w.world);
    ASSERT_NEAR(w.world.position(upper).z, 15e-3, 1e-6);
    const double before = w.world.velocity(upper).z;
    w.world.remove(w.ball);
    EXPECT_FALSE(w.world.contains(w.ball));
    for (int k = 0; k < 20; ++k) stepper.step(w.world);
    EXPECT_NEAR(w.world.velocity(upper).z - before, -9.81 * 0.02, 1e-12);
}

TEST(World, IdsAreNeverUsedAgain) {
    BallWorld w;
    w.world.remove(w.ball);
    const BodyId next = w.world.addBody(Sphere{5e-3}, {.position = {0, 0, 0.02}, .material = w.glass});
    EXPECT_NE(next, w.ball);
    EXPECT_FALSE(w.world.contains(w.ball));
}

// Two balls on a rod that holds them 0.5 mm into each other; the upper one hangs on the world.
struct HangingBalls {
    World world{WorldSettings{}};
    MaterialId glass = world.addMaterial({.name = "glass"});
    BodyId upper = world.addBody(Sphere{5e-3}, {.position = {0, 0, 0.1}, .material = glass});
    BodyId lower = world.addBody(Sphere{5e-3}, {.position = {0, 0, 0.0905}, .material = glass});
    JointId hook = world.addJoint(upper, theWorldItself, {.kind = JointKind::fixed});
    JointId rod = world.addJoint(lower, upper, {.kind = JointKind::fixed});
};

TEST(World, ABodyFallsWhenTheJointThatHeldItIsRemoved) {
    HangingBalls w;
    Stepper stepper(ContactDynamics{.step = 1e-3});
    for (int k = 0; k < 20; ++k) stepper.step(w.world);
    ASSERT_NEAR(w.world.position(w.upper).z, 0.1, 1e-6);
    w.world.removeJoint(w.hook);
    for (int k = 0; k < 20; ++k) stepper.step(w.world);
    EXPECT_NEAR(w.world.velocity(w.upper).z, -9.81 * 0.02, 1e-6);
    EXPECT_NEAR(w.world.position(w.upper).z - w.world.position(w.lower).z, 9.5e-3, 1e-6) << "the other joint holds";
    EXPECT_NO_THROW(w.world.joint(w.rod));
    w.world.remove(w.world.addBody(Sphere{1e-3}, {.position = {1, 0, 0}, .material = w.glass}));
}

TEST(World, BodiesTouchAgainWhenTheJointThatKeptThemApartIsRemoved) {
    HangingBalls w;
    Stepper stepper(ContactDynamics{.step = 1e-3});
    stepper.step(w.world);
    EXPECT_TRUE(w.world.contacts().empty());
    w.world.removeJoint(w.rod);
    stepper.step(w.world);
    EXPECT_EQ(w.world.contacts().size(), 1u);
}

TEST(World, IdsOfJointsSourcesAndSinksAreNeverUsedAgain) {
    HangingBalls w;
    w.world.removeJoint(w.rod);
    EXPECT_THROW(w.world.joint(w.rod), InputError);
    EXPECT_THROW(w.world.removeJoint(w.rod), InputError);
    const JointId next = w.world.addJoint(w.lower, w.upper, {.kind = JointKind::fixed});
    EXPECT_NE(next, w.rod);
    const SinkSettings sink{.region = {{1, 1, 1}, {2, 2, 2}}};
    const SinkId first = w.world.addSink(sink);
    w.world.removeSink(first);
    EXPECT_NE(w.world.addSink(sink), first);
    EXPECT_THROW(w.world.removeSink(first), InputError);
}

TEST(World, ASourceThatIsRemovedMakesNoMoreGrainsAndASinkTakesNoMore) {
    World world({.gravity = {0, 0, 0}});
    const MaterialId glass = world.addMaterial();
    const SourceId source = world.addSource(
        {.region = {{0, 0, 0}, {0.1, 0.1, 0.1}}, .rate = 1e4, .radius = SingleSize{1e-3}, .limit = 1000},
        {.material = glass});
    Stepper stepper(ContactDynamics{.step = 1e-3});
    for (int k = 0; k < 5; ++k) stepper.step(world);
    const std::size_t made = world.grainCount();
    EXPECT_GT(made, 20u);
    world.removeSource(source);
    const SinkId sink = world.addSink({.region = {{0, 0, 0}, {0.1, 0.1, 0.05}}});
    stepper.step(world);
    const std::size_t left = world.grainCount();
    EXPECT_LT(left, made);
    EXPECT_GT(left, 0u);
    world.removeSink(sink);
    world.addBody(Sphere{1e-3}, {.position = {0.05, 0.05, 0.01}, .material = glass});
    for (int k = 0; k < 5; ++k) stepper.step(world);
    EXPECT_EQ(world.grainCount(), left + 1);
}

TEST(World, ASetVelocityIsThatOfTheNextStep) {
    World world({.gravity = {0, 0, 0}});
    const MaterialId glass = world.addMaterial();
    const BodyId ball = world.addBody(Sphere{1e-3}, {.material = glass});
    for (const StepMethod& method : {StepMethod(Penalty{.step = 1e-4}), StepMethod(ContactDynamics{.step = 1e-4})}) {
        Stepper stepper(method);
        const Vec3 start = world.position(ball);
        world.setVelocity(ball, {0, 2, 0});
        for (int k = 0; k < 10; ++k) stepper.step(world);
        EXPECT_NEAR(world.position(ball).y - start.y, 2e-3, 1e-15);
    }
}

TEST(World, ABodyThatGetsAMotionFollowsItAndStopsWhenItIsTakenAway) {
    BallWorld w;
    Stepper stepper(Penalty{.step = 1e-5});
    for (int k = 0; k < 10; ++k) stepper.step(w.world);
    const Vec3 start = w.world.position(w.ball);
    const double time = w.world.time();
    w.world.setMotion(w.ball, ConstantMotion{.velocity = {0.5, 0, 0}});
    for (int k = 0; k < 100; ++k) stepper.step(w.world);
    EXPECT_NEAR(w.world.position(w.ball).x - start.x, 0.5 * (w.world.time() - time), 1e-15);
    w.world.setMotion(w.ball, {});
    const Vec3 end = w.world.position(w.ball);
    for (int k = 0; k < 100; ++k) stepper.step(w.world);
    EXPECT_EQ(w.world.position(w.ball), end);
    w.world.release(w.ball);
    stepper.step(w.world);
    EXPECT_LT(w.world.velocity(w.ball).z, 0);
}

TEST(World, AChosenStepIsChosenAnewForSmallerBodies) {
    BallWorld w;
    Stepper stepper(Penalty{});
    stepper.step(w.world);
    const double before = stepper.stepLength();
    w.world.setVelocity(w.ball, {0.01, 0, 0});
    stepper.step(w.world);
    EXPECT_EQ(stepper.stepLength(), before);
    w.world.addBody(Sphere{5e-4}, {.position = {0.1, 0, 0.1}, .material = w.glass});
    stepper.step(w.world);
    EXPECT_LT(stepper.stepLength(), 0.2 * before);
}

TEST(World, ALoadThatIsSetPushesFromThen) {
    World world({.gravity = {0, 0, 0}});
    const MaterialId glass = world.addMaterial({.density = 1000});
    const BodyId ball = world.addBody(Sphere{0.01}, {.material = glass});
    Stepper stepper(ContactDynamics{.step = 1e-3});
    for (int k = 0; k < 10; ++k) stepper.step(world);
    // Set anew many times: laws that nobody follows any more make room.
    for (int k = 0; k < 10; ++k) {
        world.setLoad(ball, ConstantForce{{world.mass(ball) * (k + 1), 0, 0}});
        stepper.step(world);
    }
    EXPECT_NEAR(world.velocity(ball).x, 55e-3, 1e-12);
}

TEST(World, AMotorGoesForTheTargetThatIsSet) {
    World world({.gravity = {0, 0, 0}});
    const MaterialId steel = world.addMaterial({.density = 7800});
    const BodyId wheel = world.addBody(Cylinder{.radius = 0.1, .length = 0.02}, {.material = steel});
    JointSettings hinge{.kind = JointKind::revolute, .point = Vec3{0, 0, 0}, .axis = {0, 0, 1}};
    hinge.drive = SpinDrive{.rate = {.constant = 1}};
    const JointId joint = world.addJoint(wheel, theWorldItself, hinge);
    Stepper stepper(ContactDynamics{.step = 1e-3, .tolerance = 1e-9});
    for (int k = 0; k < 10; ++k) stepper.step(world);
    EXPECT_NEAR(world.joint(joint).turnSpeed, 1, 1e-6);
    world.setMotorTarget(joint, -3);
    for (int k = 0; k < 10; ++k) stepper.step(world);
    EXPECT_NEAR(world.joint(joint).turnSpeed, -3, 1e-5);
}

TEST(World, FrictionThatIsSetHoldsASlider) {
    const auto way = [](double friction) {
        World world({.gravity = {2, 0, -9.81}});  // a slope of tan 0.204
        const MaterialId ice = world.addMaterial({.friction = 0.1});
        world.addWall(Plane{}, {.material = ice});
        const BodyId box = world.addBody(Box{{0.02, 0.02, 0.01}}, {.position = {0, 0, 5e-3}, .material = ice});
        Stepper stepper(ContactDynamics{.step = 1e-3, .tolerance = 1e-8});
        stepper.step(world);
        world.setMaterial(ice, {.friction = friction});
        for (int k = 0; k < 100; ++k) stepper.step(world);
        return world.position(box).x;
    };
    EXPECT_LT(way(0.5), 1e-4);
    EXPECT_GT(way(0.1), 4e-3);
}

TEST(World, SpansShowTheStateAndIdsSayWhoIsWhere) {
    World world = settlingWorld();
    Stepper stepper(ContactDynamics{.step = 1e-3});
    for (int k = 0; k < 50; ++k) stepper.step(world);
    ASSERT_EQ(world.ids().size(), world.bodyCount());
    for (std::size_t i = 0; i < world.bodyCount(); ++i) {
        const BodyId id{world.ids()[i]};
        EXPECT_EQ(&world.position(id), &world.positions()[i]);
        EXPECT_EQ(&world.velocity(id), &world.velocities()[i]);
    }
}

TEST(World, ContactsCarryTheWeight) {
    World world = settlingWorld();
    Stepper stepper(ContactDynamics{.step = 2.5e-4, .tolerance = 1e-7});
    for (int k = 0; k < 2000; ++k) stepper.step(world);
    double weight = 0, carried = 0;
    for (const BodyId ball : world.group("grains")) weight += 9.81 * world.mass(ball);
    const BodyId box = world.group("container").front();
    for (const Contact& contact : world.contacts()) {
        if (contact.second == box) carried += contact.force.z;
        EXPECT_NEAR(dot(contact.slip, contact.normal), 0, 1e-9);
    }
    EXPECT_NEAR(carried, weight, 0.01 * weight);
    EXPECT_NEAR(measureColumn(world, "contacts"), static_cast<double>(world.contacts().size()), 0);
}

TEST(World, EnergyOfBodiesThatComeAndGoCountsAsInserted) {
    World world = settlingWorld();
    Stepper stepper(Penalty{.step = 5e-6});
    for (int k = 0; k < 500; ++k) stepper.step(world);
    const auto closure = [&] {
        const EnergyState e = energyOf(world);
        return e.kinetic + e.potential + e.elastic + e.dissipated - e.wallWork - e.inserted;
    };
    const double before = closure();
    const BodyId extra = world.addBody(Sphere{2e-3}, {.position = {0.02, 0.02, 0.2}, .velocity = {0, 0, 3}});
    world.setVelocity(world.group("grains").front(), {0.1, 0.2, 0.3});
    for (int k = 0; k < 100; ++k) stepper.step(world);
    world.remove(extra);
    for (int k = 0; k < 100; ++k) stepper.step(world);
    const EnergyState e = energyOf(world);
    EXPECT_NEAR(closure(), before, 1e-3 * (std::abs(e.inserted) + e.kinetic));
    EXPECT_NE(e.inserted, 0);
}

}  // namespace
}  // namespace talus
