// Drums whose radius a servo moves by force, around rigid grains: solids as well as spheres, on mantle and caps.
#include <gtest/gtest.h>

#include <numbers>

#include "analytic/analytic_world.hpp"
#include "measure/wall_force.hpp"
#include "model/servo.hpp"
#include "model/sleeve.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.01, length = 0.05, dt = 1e-3;  // m, m, s
constexpr int count = 12;
const double sine = std::sin(std::numbers::pi / count);
const ContactDynamicsSettings rigid{.tolerance = 1e-10, .maxIterations = 100000};
const RadialServoMotion servo{.stress = 5e3, .maxSpeed = 0.05};

WorldState roughWorld(double friction) {
    return makeWorld({.kinds = {.normal = NormalLaw::hooke}, .contact = {.friction = friction, .restitution = 0}});
}

std::uint16_t addShape(WorldState& world, const Shape& shape) { return world.shapes.add(shape); }

double boundOf(const WorldState& world, std::uint16_t shape) {
    return shape == 0 ? radius : boundingRadius(world.shapes[shape]);
}

// Upright grains side by side along the mantle, which bear its stress as an arch; all as wide as a sphere.
WorldState archIn(const Shape& grain, const Vec3& gravity = {}) {
    WorldState world = roughWorld(0);
    world.gravity = gravity;
    world.linearFreedom = {1, 1, 0};
    world.angularFreedom = {0, 0, 1};
    const bool isBall = std::holds_alternative<SphereShape>(grain);
    const std::uint16_t shape = isBall ? std::uint16_t{0} : addShape(world, grain);
    const double start = 1.01 * radius / sine;
    for (int k = 0; k < count; ++k) {
        const double angle = 2 * std::numbers::pi * k / count;
        addBody(world, {.shape = shape,
                        .radius = boundOf(world, shape),
                        .position = {start * std::cos(angle), start * std::sin(angle), 0}});
    }
    addServo(world, CylinderWall{start + 1.1 * radius, 0.5 * length, {false, true, true}}, {}, servo);
    startServos(world, ServoDrive::force, dt);
    return world;
}

TEST(ClosingDrum, BearsItsStressOnRigidSolidsAsOnSpheres) {
    for (const Shape& grain : {Shape{SphereShape{}}, Shape{CapsuleShape{radius, 0.5 * radius}}}) {
        Trial trial(archIn(grain), dt, rigid);
        trial.advance(0.4);
        const double measured = measureWallStress(trial.world, sampleContacts(trial.world), {.group = 0});
        EXPECT_NEAR(measured, servo.stress, 0.01 * servo.stress) << shapeName(grain);
        EXPECT_NEAR(meanDrumRadius(trial.world, 0), radius / sine + radius, 1e-4) << shapeName(grain);
        Vec3 middle;
        for (std::size_t i = 0; i < trial.world.bodies.grainCount; ++i) middle += trial.world.bodies.position[i];
        EXPECT_NEAR(norm(middle) / count, 0, 1e-6) << "no grain is dragged along x: " << shapeName(grain);
    }
}

// Points of contact end a step where the radius has gone.
TEST(ClosingDrum, TakesThePointsOfSolidsAlong) {
    Trial trial(archIn(CapsuleShape{radius, 0.5 * radius}), dt, rigid);
    int seen = 0;
    for (int k = 0; k < 60; ++k) {
        trial.step();
        const WorldState& w = trial.world;
        const double drum = meanDrumRadius(w, 0);
        for (std::size_t p = 0; p < w.contacts.shapes.pair.size(); ++p) {
            const ShapePair& pair = w.contacts.shapes.pair[p];
            if (pair.b < w.bodies.grainCount) continue;
            for (std::uint32_t at = w.contacts.shapes.pointStart[p]; at < w.contacts.shapes.pointStart[p + 1]; ++at) {
                const Vec3 centre = w.bodies.position[pair.a];
                const double gap = drum - std::hypot(centre.x, centre.y) - radius;
                EXPECT_NEAR(w.contacts.shapes.point[at].gap, gap, 1e-9);
                ++seen;
            }
        }
    }
    EXPECT_GT(seen, 100);
}

// A grain that stands on the bottom, far from the mantle, is no part of it.
TEST(ClosingDrum, LeavesAloneWhatStandsOnItsCap) {
    for (const bool box : {false, true}) {
        WorldState world = roughWorld(0.5);
        world.gravity = {0, 0, -9.81};
        const Shape brick = BoxShape{{radius, radius, radius}};
        const std::uint16_t shape = box ? addShape(world, brick) : std::uint16_t{0};
        const Vec3 place{0.03, 0.01, radius - 0.5 * length};
        const std::uint32_t grain =
            addBody(world, {.shape = shape, .radius = boundOf(world, shape), .position = place});
        const std::uint32_t drum = addServo(world, CylinderWall{0.1, 0.5 * length, {false, false, true}}, {}, servo);
        startServos(world, ServoDrive::force, dt);
        Trial trial(std::move(world), dt, rigid);
        const double mass = 1 / trial.world.bodies.inverseMass[trial.at(drum)];
        for (int k = 0; k < 20; ++k) {
            const double speed = dt * targetForce(trial.world, trial.at(drum), 0) / mass;
            trial.step();
            EXPECT_NEAR(trial.velocity(drum).x, speed, 1e-9) << "nothing holds the radius up";
        }
        EXPECT_LT(norm(trial.position(grain) - place), 1e-7) << box;
        EXPECT_LT(norm(trial.velocity(grain)), 1e-7) << box;
    }
}

// The radius moves along no axis: gravity along x, which stands for it, does no work on it.
TEST(ClosingDrum, ClosesTheLedgerWhateverTheDirectionOfGravity) {
    for (const Vec3& gravity : {Vec3{0, 0, -9.81}, Vec3{-9.81, 0, 0}}) {
        Trial trial(archIn(SphereShape{}, gravity), dt, rigid);
        const std::size_t drum = trial.world.bodies.grainCount;
        const double grains = count * analytic::massOf(radius), mass = 1 / trial.world.bodies.inverseMass[drum];
        const EnergyBalance before = trial.energy();
        for (int k = 0; k < 5; ++k) trial.step();  // nothing is touched yet
        // Implicit steps count half of every change of speed too much. The drag of the servo takes all of its work.
        const double fall = dt * gravity.x, push = mass * servo.maxSpeed / dt;
        const double tooMuch = 0.5 * 5 * grains * fall * fall, scale = push * servo.maxSpeed * dt;
        const EnergyBalance after = trial.energy();
        EXPECT_NEAR(after.wallWork, 0, 1e-9 * scale) << gravity.x;
        EXPECT_NEAR(closure(before, after), -tooMuch, 1e-9 * scale) << gravity.x;
    }
}

// Rings behind the lid come out when it is drawn back.
TEST(ClosingRing, HasTheSameMassWhereverTheLidIs) {
    WorldState world = roughWorld(0);
    world.groupNames = {"grains", "lid"};
    RadialServoMotion confined = servo;
    confined.ends = {"lid"};
    for (const double height : {0.0, length}) {
        addServo(world, CylinderWall{0.1, 0.5 * length, {false, true, true}, true}, {{0, 0, height}, {}}, confined);
    }
    addBody(world, {.shape = addShape(world, PlaneWall{}),
                    .position = {0, 0, 0.4 * length},
                    .orientation = rotationBy({std::numbers::pi, 0, 0}),
                    .group = 1});
    startServos(world, ServoDrive::force, dt);
    ASSERT_EQ(targetForce(world, 1, 0), 0) << "the upper ring is bare";
    EXPECT_GT(world.bodies.inverseMass[0], 0);
    EXPECT_EQ(world.bodies.inverseMass[1], world.bodies.inverseMass[0]);
    Trial trial(std::move(world), dt, rigid);
    trial.advance(0.01);
    EXPECT_GT(trial.velocity(0).x, 0);
    EXPECT_EQ(trial.velocity(1).x, 0) << "a bare ring rests";
}

}  // namespace
}  // namespace talus
