// What servos do to grains is what grains take up: the ledger of pushed blocks, of columns and of arches in drums.
#include <gtest/gtest.h>

#include <numbers>

#include "analytic/analytic_world.hpp"
#include "measure/wall_force.hpp"
#include "model/servo.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double half = 0.02;  // m, of the edge of a block
constexpr double friction = 0.3, gravity = 9.81, maxSpeed = 0.1;
const double mass = 2500 * 8 * half * half * half, slides = friction * mass * gravity;  // kg, N

ContactDynamicsSettings rigid(double theta) { return {.tolerance = 1e-10, .maxIterations = 100000, .theta = theta}; }

// A block on a rough floor with a smooth servo wall, or a plate, behind it that pushes along x.
struct PushedBlock {
    WorldState world =
        makeWorld({.kinds = {.normal = NormalLaw::hooke}, .contact = {.friction = friction, .restitution = 0}});
    std::uint32_t block = 0, pusher = 0;

    explicit PushedBlock(bool plate) {
        world.gravity = {0, 0, -gravity};
        world.linearFreedom = {1, 0, 1};
        world.angularFreedom = {0, 1, 0};
        PairLaw smooth = world.materials.laws.front();
        smooth.friction = 0;
        const PairLaw rough = world.materials.laws.front();
        world.materials.list.push_back(world.materials.list.front());
        world.materials.laws = {rough, smooth, smooth, smooth};
        addFloor(world);
        const std::uint16_t shape = addShape(BoxShape{{half, half, half}});
        block =
            addBody(world, {.shape = shape, .radius = boundingRadius(world.shapes[shape]), .position = {0, 0, half}});
        const ServoMotion servo{.force = 2 * slides, .direction = Vec3{1, 0, 0}, .maxSpeed = maxSpeed};
        const Quat alongX = rotationBy({0, 0.5 * std::numbers::pi, 0});
        const double thick = 0.25 * half;
        const Shape pushing = plate ? Shape{BoxShape{{thick, half, half}}} : Shape{PlaneWall{}};
        const Vec3 place{-half - (plate ? thick : 0.0) - 1e-4, 0, 2 * half};
        world.motionLaws.push_back(servo);
        const std::uint16_t motion = startMotion(world, 0, {place, plate ? Quat{} : alongX});
        const std::uint16_t kind = addShape(pushing);
        pusher = addBody(world, {.shape = kind,
                                 .radius = plate ? boundingRadius(pushing) : 0.0,
                                 .position = place,
                                 .orientation = plate ? Quat{} : alongX,
                                 .material = 1,
                                 .motion = motion});
    }
    std::uint16_t addShape(const Shape& shape) { return world.shapes.add(shape); }
};

// The block resists with half the target, so it goes at half the largest speed: F = T (1 - v / maxSpeed).
TEST(ServoWork, OnASlidingBlockBecomesTheHeatOfSliding) {
    for (const bool plate : {false, true}) {
        for (const double theta : {1.0, 0.5}) {
            PushedBlock pushed(plate);
            const double dt = 5e-4;
            startServos(pushed.world, ServoDrive::force, theta * dt);
            Trial trial(pushed.world, dt, rigid(theta));
            const EnergyBalance before = trial.energy();
            const double from = trial.position(pushed.block).x;
            trial.advance(0.5);
            const EnergyBalance after = trial.energy();
            const double way = trial.position(pushed.block).x - from, work = after.wallWork - before.wallWork;
            EXPECT_NEAR(trial.velocity(pushed.pusher).x, 0.5 * maxSpeed, 1e-6 * maxSpeed) << plate << theta;
            EXPECT_NEAR(trial.velocity(pushed.block).x, 0.5 * maxSpeed, 1e-6 * maxSpeed) << plate << theta;
            EXPECT_NEAR(after.dissipated.sliding - before.dissipated.sliding, slides * way, 1e-3 * work)
                << plate << theta;
            EXPECT_NEAR(work - after.kinetic(), slides * way, 2e-2 * work) << plate << theta;
            EXPECT_GT(after.dissipated.normalDamping, -1e-6 * work) << plate << theta;
            EXPECT_NEAR(closure(before, after), 0, 1e-3 * work) << plate << theta;
        }
    }
}

// Smooth grains side by side along the mantle, a little apart, which it drives together.
constexpr double radius = 0.01, length = 0.05;  // m
constexpr int count = 12;

WorldState archInADrum(bool ring) {
    WorldState world = makeWorld(
        {.kinds = {.normal = NormalLaw::hooke}, .contact = {.friction = 0, .restitution = 0.2, .stiffness = 1e5}});
    world.linearFreedom = {1, 1, 0};
    const double start = 1.05 * radius / std::sin(std::numbers::pi / count);
    for (int k = 0; k < count; ++k) {
        const double angle = 2 * std::numbers::pi * k / count;
        addBody(world, {.radius = radius, .position = {start * std::cos(angle), start * std::sin(angle), 0}});
    }
    addServo(world, CylinderWall{start + 1.01 * radius, 0.5 * length, {false, true, true}, ring}, {},
             RadialServoMotion{.stress = 5e3, .maxSpeed = 0.05});
    return world;
}

void expectClosedLedger(Trial trial, double share) {
    const EnergyBalance before = trial.energy();
    trial.advance(0.1);
    const EnergyBalance after = trial.energy();
    EXPECT_GT(after.wallWork, 0);
    EXPECT_GT(after.dissipated.normalDamping, 0);
    EXPECT_LE(after.dissipated.normalDamping, (1 + 1e-9) * after.wallWork);
    EXPECT_NEAR(closure(before, after), 0, share * after.wallWork);
    const double stress = measureWallStress(trial.world, sampleContacts(trial.world), {.group = 0});
    EXPECT_NEAR(stress, 5e3, 0.02 * 5e3);
}

TEST(ServoWork, OfAMantleThatClosesIsWhatItsGrainsTakeUp) {
    for (const bool ring : {false, true}) {
        WorldState springs = archInADrum(ring);
        startServos(springs, ServoDrive::speed, 5e-6);
        expectClosedLedger(Trial(springs, 5e-6), 0.01);
        WorldState implicit = archInADrum(ring);
        startServos(implicit, ServoDrive::speed, 5e-5);
        ContactDynamicsSettings elastic = rigid(1);
        elastic.contacts = ContactKind::elastic;
        expectClosedLedger(Trial(implicit, 5e-5, elastic), 0.02);
        WorldState hard = archInADrum(ring);
        startServos(hard, ServoDrive::force, 2e-4);
        expectClosedLedger(Trial(hard, 2e-4, rigid(1)), 0.01);
    }
}

}  // namespace
}  // namespace talus
