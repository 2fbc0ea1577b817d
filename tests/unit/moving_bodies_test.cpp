// Neighbour lists and bodies that are moved: what turns, slides or is carried must be listed before it touches.
//
// Each world is stepped twice: with lists renewed when they need it, and with lists renewed in every step. The grains
// meet nothing but the moving body, so the sums have one order and both runs must have the same bits.
#include <gtest/gtest.h>

#include "regression/settling_world.hpp"
#include "step/step.hpp"

namespace talus {
namespace {

struct Outcome {
    std::vector<Vec3> velocity;  // m/s, by id
    std::size_t hit = 0;         // grains that were set in motion
    std::uint64_t rebuilds = 0;
};

enum class Lists { whenNeeded, everyStep };

Outcome run(WorldState world, double dt, int steps, Lists lists) {
    const StepSettings settings{.dt = dt};
    StepWorkspace workspace;
    prepareStep(world, settings, workspace);
    for (int k = 0; k < steps; ++k) {
        if (lists == Lists::everyStep) world.contacts.stale = true;
        stepPenalty(world, settings, workspace);
    }
    Outcome outcome;
    outcome.rebuilds = world.contacts.rebuilds;
    for (std::uint32_t id = 0; id < world.nextId; ++id) {
        const std::size_t i = indexOf(world.bodies, id);
        outcome.velocity.push_back(world.bodies.velocity[i]);
        outcome.hit += world.bodies.inverseMass[i] > 0 && norm(world.bodies.velocity[i]) > 0;
    }
    return outcome;
}

void expectNoContactMissed(const WorldState& world, double dt, int steps, std::size_t hits) {
    const Outcome wanted = run(world, dt, steps, Lists::everyStep), got = run(world, dt, steps, Lists::whenNeeded);
    EXPECT_EQ(wanted.hit, hits);
    EXPECT_EQ(got.hit, hits);
    EXPECT_EQ(got.velocity, wanted.velocity);
    EXPECT_LT(got.rebuilds, static_cast<std::uint64_t>(steps) / 2)
        << "lists that are renewed all the time prove nothing";
}

WorldState restingGrains(const std::vector<Vec3>& places, double radius = 1e-3) {
    WorldState world;
    world.gravity = {};
    world.materials = test::makeGlass({}, 0.5);
    for (const Vec3& place : places) addBody(world, {.radius = radius, .position = place});
    world.contacts.skin = 0.2 * radius;
    return world;
}

void addMovingWall(WorldState& world, const Shape& shape, const Pose& pose, const MotionLaw& law) {
    const std::uint16_t shapeNumber = world.shapes.add(shape);
    world.motions.push_back({law, pose});
    addBody(world, {.shape = shapeNumber,
                    .position = pose.position,
                    .orientation = pose.orientation,
                    .motion = static_cast<std::uint16_t>(world.motions.size() - 1)});
}

// At these distances along x the far end of a wall that turns about y is up to a thousand times as fast as the near.
std::vector<Vec3> rowOfPlaces(double height) {
    std::vector<Vec3> places;
    for (const double x : {0.004, 0.02, 0.1, 0.4, 1.0, 2.0}) places.push_back({x, 0, height});
    return places;
}

TEST(TurningPlane, MissesNoGrainHoweverFarFromItsAxis) {
    WorldState world = restingGrains(rowOfPlaces(1.5e-3));
    addMovingWall(world, PlaneWall{}, {}, RotationMotion{{0, -1, 0}, {}, 1.0});
    // The near grain at 4 mm is reached after 0.125 rad, the far one after 0.25 mrad.
    expectNoContactMissed(world, 5e-6, 32000, 6);
}

// The same plane with its origin elsewhere: it slides along itself as it turns.
TEST(TurningPlane, MissesNoGrainIfItsOriginIsFarFromTheAxis) {
    for (const Vec3& origin : {Vec3{-3, 0, 0}, Vec3{0, 5, 0}, Vec3{4, -4, 0}}) {
        WorldState world = restingGrains(rowOfPlaces(1.5e-3));
        addMovingWall(world, PlaneWall{}, {origin, {}}, RotationMotion{{0, -1, 0}, {}, 1.0});
        expectNoContactMissed(world, 5e-6, 32000, 6);
    }
}

// Sliding along itself does not bring a plane nearer, but turning then lifts it the more the farther it has slid.
TEST(TurningPlane, MissesNoGrainWhileItSlidesAlongItself) {
    WorldState world = restingGrains({{0, 0, 1.3e-3}, {5e-3, 0, 1.3e-3}, {0, 4e-3, 1.3e-3}});
    addMovingWall(world, PlaneWall{}, {}, ConstantMotion{{-10, 0, 0}, {0, -1, 0}});
    expectNoContactMissed(world, 2e-6, 6000, 3);
}

TEST(TurningBox, MissesNoGrainHoweverFarFromItsAxis) {
    WorldState world = restingGrains({{0.5, 0, 0.0985}, {-0.2, 0, -0.0985}, {0.05, 0, 0.0985}, {-0.9, 0.05, -0.0985}});
    addMovingWall(world, BoxWall{.halfSize = {1, 0.1, 0.1}}, {}, RotationMotion{{0, 1, 0}, {}, 0.5});
    expectNoContactMissed(world, 5e-6, 20000, 4);
}

TEST(TurningDrum, MissesNoGrainIfItTurnsAboutAnotherAxisThanItsOwn) {
    WorldState world = restingGrains({{0.0985, 0, 0.5}, {-0.0985, 0, -0.4}, {0.0985, 0, 0.1}, {0, 0, 0.9}});
    addMovingWall(world, CylinderWall{.radius = 0.1, .halfLength = 1}, {}, RotationMotion{{0, 1, 0}, {}, -0.5});
    expectNoContactMissed(world, 5e-6, 4000, 3);
}

void addCarriedSphere(WorldState& world, const Vec3& start, const Vec3& velocity) {
    world.motions.push_back({ConstantMotion{velocity, {}}, {start, {}}});
    const auto motion = static_cast<std::uint16_t>(world.motions.size() - 1);
    addBody(world, {.radius = 1e-3, .position = start, .motion = motion, .fixed = true});
}

// A sphere that is moved comes to grains at rest, none of which would make the lists old.
TEST(CarriedSphere, MissesNoGrainAtRest) {
    WorldState world = restingGrains({{0.05, 0, 0}, {0, 0.08, 0}, {-5e-3, 0, 1.8e-3}});
    addCarriedSphere(world, {-0.01, 0, 0}, {1, 0, 0});
    addCarriedSphere(world, {0, -0.01, 0}, {0, 1, 0});
    expectNoContactMissed(world, 5e-6, 24000, 3);
}

// It starts just ahead of the grain and meets it when it has gone round; another goes round five times, far away.
TEST(CarriedSphere, ComesInAgainThroughAPeriodicBorderAnyNumberOfTimes) {
    WorldState world = restingGrains({{0.015, 1.8e-3, 0}});
    world.domain = {.low = {0, -1, -1}, .high = {0.02, 1, 1}, .periodic = {true, false, false}};
    addCarriedSphere(world, {0.0185, 0, 0}, {1, 0, 0});
    addCarriedSphere(world, {0.001, -0.5, 0}, {5, 0, 0});
    expectNoContactMissed(world, 2e-6, 10000, 1);
}

TEST(CarriedSphere, TouchesAGrainAfterManyRounds) {
    WorldState world = restingGrains({{0.015, 0.1, 0}});
    world.domain = {.low = {0, -1, -1}, .high = {0.02, 1, 1}, .periodic = {true, false, false}};
    addCarriedSphere(world, {0.001, 0, 0}, {5, 0.5, 0});
    // It rises to the grain in 0.2 s, within which it goes round fifty times.
    expectNoContactMissed(world, 5e-6, 42000, 1);
}

}  // namespace
}  // namespace talus
