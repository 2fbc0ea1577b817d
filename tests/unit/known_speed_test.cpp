// What is known of the speeds of a scene before its first step.
#include "step/known_speed.hpp"

#include <gtest/gtest.h>

#include "io/scene/build_world.hpp"
#include "step/time_step.hpp"
#include "talus/scene.hpp"

namespace talus {
namespace {

constexpr double radius = 0.1, mass = 2500 * 4.0 / 3 * M_PI * radius * radius * radius;  // m, kg

WorldState worldOf(const std::string& bodies, const std::string& more = "") {
    return buildWorld(parseScene(
        "gravity: [0, 0, 0]\nmaterials: {glass: {density: 2500}}\nrun: {time: 1}\n" + more + "bodies:\n" + bodies,
        "speeds.yaml", ""));
}

std::string ballAt(double x, const std::string& more = "") {
    return "  - {shape: sphere, radius: 0.1, position: [" + std::to_string(x) + ", 0, 0]" + more + "}\n";
}

const std::string wallAtZero = "  - {shape: plane, normal: [1, 0, 0]}\n";

TEST(ExpectedSpeed, IsThatOfTheFallOrOfTwoGrainsThatMeetWhicheverIsMore) {
    WorldState world = worldOf(ballAt(0) + ballAt(1, ", velocity: [0.5, 0, 0]"));
    EXPECT_NEAR(expectedSpeed(world), 2 * 0.5, 1e-12);
    world.gravity = {0, 0, -10};
    world.bodies.position[0].z = 5;
    EXPECT_NEAR(expectedSpeed(world), std::sqrt(2 * 10 * (5 + 2 * radius)), 1e-9);
}

TEST(ExpectedSpeed, OfABallThatAForceDrivesAtAWallIsThatOfTheWorkOnItsWay) {
    const WorldState world = worldOf(ballAt(2, ", force: [-50, 0, 0]") + wallAtZero);
    EXPECT_NEAR(expectedSpeed(world), std::sqrt(2 * 50 / mass * (2 - radius)), 1e-9);
}

TEST(ExpectedSpeed, OfAForceThatComesLaterIsThatOfItsPeak) {
    const std::string table = ", force: {type: table, points: [[0, 0, 0, 0], [1, 0, 0, 0], [2, -50, 0, 0]]}";
    const WorldState world = worldOf(ballAt(2, table) + wallAtZero);
    EXPECT_NEAR(expectedSpeed(world), std::sqrt(2 * 50 / mass * (2 - radius)), 1e-9);
    EXPECT_NEAR(largestKnownAcceleration(world), 50 / mass, 1e-12);
}

TEST(ExpectedSpeed, OfAShortKickIsItsImpulseOverTheMass) {
    const std::string kick = ", force: {type: table, points: [[0, 0, 0, 0], [1 ms, -9000, 0, 0], [3 ms, 0, 0, 0]]}";
    const WorldState world = worldOf(ballAt(2, kick) + wallAtZero);
    EXPECT_NEAR(expectedSpeed(world), 0.5 * 3e-3 * 9000 / mass, 1e-9);
}

TEST(ExpectedSpeed, CountsTheWayToTheNextBallInTheWay) {
    const std::string pushed = ballAt(2, ", force: [-50, 0, 0]");
    EXPECT_NEAR(expectedSpeed(worldOf(pushed + ballAt(1) + wallAtZero)), std::sqrt(2 * 50 / mass * (1 - 2 * radius)),
                1e-9);
    const std::string aside = "  - {shape: sphere, radius: 0.1, position: [1, 0.3, 0]}\n";
    EXPECT_NEAR(expectedSpeed(worldOf(pushed + aside + wallAtZero)), std::sqrt(2 * 50 / mass * (2 - radius)), 1e-9);
}

// A dead load presses; it makes nothing fast. Nor does a force that drives a ball away from all others.
TEST(ExpectedSpeed, IsNotChangedByALoadThatHasNoWayToGo) {
    EXPECT_EQ(expectedSpeed(worldOf(ballAt(radius, ", force: [-5000, 0, 0]") + wallAtZero)), 0);
    EXPECT_EQ(expectedSpeed(worldOf(ballAt(radius, ", force: [5000, 0, 0]") + wallAtZero)), 0);
}

TEST(ExpectedSpeed, OfAPistonIsThatOnTheWayToTheGrains) {
    const WorldState world =
        worldOf(ballAt(0.2) +
                "  - {shape: plane, normal: [-1, 0, 0], point: [1, 0, 0], free: {mass: 5, axes: [x]}, "
                "force: [-30, 0, 0]}\n");
    EXPECT_NEAR(expectedSpeed(world), std::sqrt(2 * 30 / 5.0 * (0.8 - radius)), 1e-9);
}

// One that pushes a whole bed is like gravity: the way is the length of the scene.
TEST(ExpectedSpeed, OfAForceOnManyIsThatOverTheLengthOfTheScene) {
    const WorldState world = worldOf(
        "  - {generate: lattice, lattice: sc, material: glass, radius: 0.1, origin: [0.1, 0, 0], count: [20, 1, 1], "
        "force: "
        "[-50, 0, 0]}\n" +
        wallAtZero);
    double low = 1e9, high = -1e9;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        low = std::min(low, world.bodies.position[i].x - world.bodies.radius[i]);
        high = std::max(high, world.bodies.position[i].x + world.bodies.radius[i]);
    }
    EXPECT_NEAR(expectedSpeed(world), std::sqrt(2 * 50 / mass * (high - low)), 1e-6);
}

TEST(ExpectedSpeed, OfAnArmIsThatOfItsTipAtTheSpeedOfItsDrive) {
    const WorldState world =
        worldOf("  - {name: arm, shape: box, size: [0.4, 0.2, 0.2], position: [0.2, 0, 0], material: glass}\n",
                "joints: [{name: hinge, type: revolute, between: [arm, world], point: [0, 0, 0], axis: [0, 0, 1], "
                "drive: {type: spin, rate: "
                "30}}]\n");
    EXPECT_NEAR(expectedSpeed(world), 30 * (0.2 + std::sqrt(0.04 + 2 * 0.01)), 1e-9);
}

TEST(ChosenStep, OfContactDynamicsKnowsAForceThatComesLater) {
    const std::string table = ", force: {type: table, points: [[0, 0, 0, 0], [0.1, -5000, 0, 0]]}";
    const WorldState world = worldOf(ballAt(2, table) + wallAtZero);
    const double dt = chooseRigidStep(world, 1).dt;
    EXPECT_LE(dt * std::sqrt(2 * 5000 / mass * (2 - radius)), 0.1 * radius);
    EXPECT_LE(0.5 * 5000 / mass * dt * dt, 0.01 * radius);
}

}  // namespace
}  // namespace talus
