// Springs, dampers, stops and drives of joints against closed forms, and the ledger of energy, for both methods.
#include <gtest/gtest.h>

#include "analytic/joint_world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05;  // m

class JointAction : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(BothMethods, JointAction, bothWays, nameOfWay);

// A sphere that can slide along x, without weight.
WorldState slider(JointSettings settings) {
    WorldState world = machineWorld();
    world.gravity = {};
    const std::uint32_t body = addBody(world, {.radius = radius});
    settings.name = "slide";
    settings.kind = JointKind::prismatic;
    settings.axis = {1, 0, 0};
    addJoint(world, settings, body, theWorld);
    return world;
}

// An arm of 1 m to a sphere, horizontal along x, that can turn about y; weight turns it forward.
WorldState arm(JointSettings settings) {
    WorldState world = machineWorld();
    const std::uint32_t body = addBody(world, {.radius = radius, .position = {1, 0, 0}});
    settings.name = "arm";
    settings.kind = JointKind::revolute;
    settings.point = Vec3{};
    settings.axis = {0, 1, 0};
    addJoint(world, settings, body, theWorld);
    return world;
}

double weightMoment() { return massOf(radius) * gravity; }  // N m, at an arm of 1 m

// Of what went round, J/J.
double closureError(const EnergyBalance& start, const Trial& trial) {
    return std::abs(closure(start, trial.energy())) / turnover(start, trial.energy());
}

TEST_P(JointAction, ASpringMakesAHarmonicOscillator) {
    const double stiffness = 200, rest = 0.1, dt = 1e-3;
    Trial trial = trialOf(slider({.spring = SlideSpring{.stiffness = stiffness, .rest = rest}}), GetParam(), dt);
    const double omega = std::sqrt(stiffness / massOf(radius));
    // Semi-implicit Euler leads by half a step.
    const double lead = GetParam() == Way::penalty ? 0.0 : 0.5 * dt;
    for (int k = 0; k < 50; ++k) {
        trial.advance(0.05);
        const double expected = rest * (1 - std::cos(omega * (trial.world.time + lead)));
        EXPECT_NEAR(coordinates(trial.world, 0).slide, expected, 1e-3 * rest);
    }
}

TEST_P(JointAction, ASpringThatStepsResolveKeepsItsEnergy) {
    const double stiffness = 200, rest = 0.1;
    Trial trial = trialOf(slider({.spring = SlideSpring{.stiffness = stiffness, .rest = rest}}), GetParam(), 1e-3);
    const EnergyBalance start = trial.energy();
    EXPECT_NEAR(start.springs, 0.5 * stiffness * rest * rest, 1e-12);
    double largest = 0;
    for (int k = 0; k < 20'000; ++k) {
        trial.step();
        if (k % 7 == 0) largest = std::max(largest, std::abs(trial.energy().mechanical() - start.mechanical()));
    }
    EXPECT_LT(largest, (GetParam() == Way::penalty ? 1e-4 : 1e-2) * start.springs);
    EXPECT_LT(std::abs(trial.world.ledger.jointLoss), 1e-12 * start.springs);
}

TEST_P(JointAction, ADampedSpringDecaysAsTheClosedFormSays) {
    const double stiffness = 200, damping = 4, rest = 0.1, mass = massOf(radius);
    Trial trial = trialOf(slider({.spring = SlideSpring{.stiffness = stiffness, .damping = damping, .rest = rest}}),
                          GetParam(), 1e-4);
    const EnergyBalance start = trial.energy();
    const double decay = damping / (2 * mass), omega = std::sqrt(stiffness / mass - decay * decay);
    for (int k = 0; k < 10; ++k) {
        trial.advance(0.05);
        const double t = trial.world.time;
        const double expected =
            rest - rest * std::exp(-decay * t) * (std::cos(omega * t) + decay / omega * std::sin(omega * t));
        EXPECT_NEAR(coordinates(trial.world, 0).slide, expected, 1e-3 * rest);
    }
    EXPECT_LT(closureError(start, trial), 1e-3);
    EXPECT_GT(trial.world.ledger.jointLoss, 0);
}

TEST_P(JointAction, AStiffSpringComesToRestWhereItBelongs) {
    // (h omega)^2 = 76: no explicit step would survive it.
    const double stiffness = 1e6;
    Trial trial = trialOf(slider({.spring = SlideSpring{.stiffness = stiffness, .rest = 0.01}}), GetParam(), 1e-2);
    const EnergyBalance start = trial.energy();
    trial.advance(1);
    EXPECT_NEAR(coordinates(trial.world, 0).slide, 0.01, 1e-9);
    // In the penalty method the force at the start counts by (h F)^2/8m.
    EXPECT_LT(closureError(start, trial), GetParam() == Way::penalty ? 1e-2 : 1e-6);
}

TEST_P(JointAction, ATorsionSpringBearsTheArmAtItsTurn) {
    const double stiffness = 50, damping = 20;
    Trial trial =
        trialOf(arm({.torsionSpring = TorsionSpring{.stiffness = stiffness, .damping = damping}}), GetParam(), 1e-3);
    trial.advance(20);
    const double turn = coordinates(trial.world, 0).turn;
    EXPECT_NEAR(stiffness * turn, weightMoment() * std::cos(turn), 1e-6);
    EXPECT_NEAR(trial.world.joints.turnCouple[0].y, -weightMoment() * std::cos(turn), 1e-6);
}

TEST_P(JointAction, AStopEndsAFall) {
    Trial trial = trialOf(arm({.turnLimits = TurnLimits{.upper = 0.5}}), GetParam(), 1e-3);
    const EnergyBalance start = trial.energy();
    double farthest = 0;
    for (int k = 0; k < 2000; ++k) {
        trial.step();
        farthest = std::max(farthest, coordinates(trial.world, 0).turn);
    }
    EXPECT_NEAR(farthest, 0.5, 1e-5);
    EXPECT_NEAR(coordinates(trial.world, 0).turn, 0.5, 1e-6);
    EXPECT_NEAR(trial.world.joints.turnCouple[0].x, -weightMoment() * std::cos(0.5), 1e-5);
    EXPECT_NEAR(trial.world.ledger.jointLoss, weightMoment() * std::sin(0.5), 2e-2);
    EXPECT_LT(closureError(start, trial), GetParam() == Way::penalty ? 1e-2 : 1e-6);
}

TEST_P(JointAction, ARopeIsSlackAndThenHolds) {
    WorldState world = machineWorld();
    const std::uint32_t body = addBody(world, {.radius = radius, .position = {0, 0, -0.2}});
    addJoint(world,
             {.name = "rope", .kind = JointKind::distance, .point2 = Vec3{}, .limits = SlideLimits{.upper = 0.5}}, body,
             theWorld);
    Trial trial = trialOf(world, GetParam(), 1e-3);
    trial.advance(0.2);
    EXPECT_EQ(trial.world.joints.force[0], Vec3{});
    EXPECT_NEAR(trial.velocity(body).z, -0.2 * gravity, 1e-9);
    trial.advance(0.8);
    EXPECT_NEAR(trial.position(body).z, -0.5, 1e-6);
    EXPECT_NEAR(trial.world.joints.force[0].z, weightMoment(), 1e-6);
}

TEST_P(JointAction, AMotorBearsTheWeightOfAnArm) {
    Trial trial = trialOf(arm({.drive = SpinDrive{.rate = {.constant = 0.0}}}), GetParam(), 1e-3);
    trial.advance(1);
    EXPECT_NEAR(coordinates(trial.world, 0).turn, 0, 1e-9);
    EXPECT_NEAR(trial.world.joints.turnCouple[0].z, -weightMoment(), 1e-6);
}

TEST_P(JointAction, AMotorDoesTheWorkOfLifting) {
    WorldState world = arm({.drive = SpinDrive{.rate = {.constant = -0.5}}});
    world.bodies.velocity[0] = world.bodies.midVelocity[0] = {0, 0, 0.5};
    world.bodies.spin[0] = world.bodies.midSpin[0] = {0, -0.5, 0};
    Trial trial = trialOf(world, GetParam(), 1e-3);
    const EnergyBalance start = trial.energy();
    trial.advance(2);
    EXPECT_NEAR(coordinates(trial.world, 0).turn, -1, 1e-3);
    EXPECT_NEAR(trial.world.joints.turnCouple[0].z, -weightMoment() * std::cos(1.0), 1e-2);
    EXPECT_NEAR(trial.world.ledger.wallWork, weightMoment() * std::sin(1.0), 5e-3);
    EXPECT_LT(closureError(start, trial), 1e-4);
}

TEST_P(JointAction, AServoFollowsATableAndThenRests) {
    const AngleDrive servo{.angle = {.time = {0, 1}, .value = {0, -0.8}}, .responseTime = 0.02};
    Trial trial = trialOf(arm({.drive = servo}), GetParam(), 1e-3);
    trial.advance(0.5);
    EXPECT_NEAR(coordinates(trial.world, 0).turn, -0.4, 1e-3);
    trial.advance(1);
    EXPECT_NEAR(coordinates(trial.world, 0).turn, -0.8, 1e-6);
}

TEST_P(JointAction, AForceAcceleratesASlide) {
    Trial trial = trialOf(slider({.drive = ForceDrive{.force = {.constant = 3.0}}}), GetParam(), 1e-3);
    trial.advance(0.5);
    const double speed = 0.5 * 3 / massOf(radius);
    EXPECT_NEAR(coordinates(trial.world, 0).slideSpeed, speed, 1e-9);
    EXPECT_NEAR(trial.world.joints.slideForce[0].z, 3, 1e-12);
    EXPECT_NEAR(trial.world.ledger.wallWork, 0.5 * massOf(radius) * speed * speed, 5e-3 * speed);
}

TEST_P(JointAction, ADriveWithALargestForceTakesItsTime) {
    const double most = 2, mass = massOf(radius), target = 0.5;
    Trial trial =
        trialOf(slider({.drive = SpeedDrive{.speed = {.constant = target}, .maxForce = most}}), GetParam(), 1e-3);
    trial.advance(0.1);
    EXPECT_NEAR(coordinates(trial.world, 0).slideSpeed, 0.1 * most / mass, 2e-3);
    EXPECT_NEAR(trial.world.joints.slideForce[0].z, most, 1e-6);
    trial.advance(1);
    EXPECT_NEAR(coordinates(trial.world, 0).slideSpeed, target, 1e-6);
    EXPECT_NEAR(trial.world.joints.slideForce[0].z, 0, 1e-5);
}

TEST_P(JointAction, AMotorTooWeakLetsTheArmSink) {
    Trial trial = trialOf(arm({.drive = SpinDrive{.rate = {.constant = 0.0}, .maxTorque = 0.5 * weightMoment()}}),
                          GetParam(), 1e-3);
    trial.advance(0.1);
    const double rate = 0.5 * weightMoment() / (massOf(radius) + inertiaOf(radius));
    EXPECT_NEAR(coordinates(trial.world, 0).turn, 0.5 * rate * 0.01, 3e-4);
    EXPECT_NEAR(trial.world.joints.turnCouple[0].z, -0.5 * weightMoment(), 1e-5);
}

}  // namespace
}  // namespace talus
