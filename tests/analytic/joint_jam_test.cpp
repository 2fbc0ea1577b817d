// Drives without a largest force against bodies that cannot give way: the machine stands, and nothing flies off.
#include <gtest/gtest.h>

#include "analytic/joint_world.hpp"
#include "run/solve_statistics.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05, speed = 0.1, dt = 1e-3;  // m, m/s, s

// A sphere on a guide that a motor drives down to a floor 2 cm below it.
struct Press {
    WorldState world = machineWorld();
    std::uint32_t ram = 0;

    explicit Press(const TimedValue& wanted = {.constant = -speed}) {
        addFloor(world);
        ram = addBody(world, {.radius = radius, .position = {0, 0, radius + 0.02}});
        addJoint(
            world,
            {.name = "press", .kind = JointKind::prismatic, .axis = {0, 0, 1}, .drive = SpeedDrive{.speed = wanted}},
            ram, theWorld);
    }
};

class JammedDrives : public testing::TestWithParam<SolverKind> {};
INSTANTIATE_TEST_SUITE_P(Solvers, JammedDrives, testing::Values(SolverKind::automatic, SolverKind::interiorPoint));

ContactDynamicsSettings settingsOf(SolverKind solver) {
    return {.solver = solver, .tolerance = 1e-6, .maxIterations = 1000};
}

TEST_P(JammedDrives, StandStillAtTheObstacle) {
    const Press press;
    Trial trial(press.world, dt, settingsOf(GetParam()));
    SolveStatistics statistics;
    for (int k = 0; k < 1000; ++k) {
        const StepOutcome report = trial.step();
        checkSolve(trial.world, report);
        statistics.add(report, trial.diagnose(report), dt);
    }
    EXPECT_NEAR(trial.position(press.ram).z, radius, 1e-4);
    EXPECT_LT(norm(trial.velocity(press.ram)), 1e-3 * speed);
    // Those after the 0.2 s in which it reaches the floor.
    EXPECT_NEAR(static_cast<double>(statistics.jammed), 800, 2);
    EXPECT_EQ(statistics.infeasible, 0u);
    EXPECT_GT(statistics.worstJam.force, massOf(radius) * gravity);
    const std::string said = describeJams(statistics, trial.world);
    EXPECT_NE(said.find("that of 'press' most"), std::string::npos) << said;
    EXPECT_NE(said.find("could not give way"), std::string::npos) << said;
    EXPECT_NE(said.find("give it a max_force"), std::string::npos) << said;
}

TEST_P(JammedDrives, HoldWhatTheyPressAgainstTheObstacle) {
    Press press;
    const auto ball = addBody(press.world, {.radius = 0.2 * radius, .position = {0, 0, 0.2 * radius}});
    const auto i = indexOf(press.world.bodies, press.ram);
    press.world.bodies.position[i].z += 0.4 * radius;
    Trial trial(press.world, dt, settingsOf(GetParam()));
    trial.advance(1);
    EXPECT_NEAR(trial.position(press.ram).z, 1.4 * radius, 2e-4);
    EXPECT_NEAR(trial.position(ball).z, 0.2 * radius, 2e-4);
    EXPECT_LT(norm(trial.velocity(ball)), 1e-3 * speed);
}

TEST_P(JammedDrives, GoOnAtFullSpeedWhenTheyAreFree) {
    const Press press({.time = {0, 0.499, 0.5, 1}, .value = {-speed, -speed, speed, speed}});
    Trial trial(press.world, dt, settingsOf(GetParam()));
    trial.advance(0.6);
    const double start = trial.position(press.ram).z;
    for (int k = 0; k < 100; ++k) EXPECT_FALSE(trial.diagnose(trial.step()).jammed);
    EXPECT_NEAR(trial.position(press.ram).z - start, 0.1 * speed, 1e-6);
}

// An arm of 20 cm whose hinge is 19.8 cm above a floor. A motor without a limit turns it down until its tip touches,
// 8.7 cm aside of the hinge. With friction above 8.7/19.8 the tip is wedged: neither can it go on, nor could the floor
// push it back.
struct WedgedArm {
    WorldState world = machineWorld();
    std::uint32_t arm = 0;
    static constexpr double height = 0.198, half = 0.1, thin = 0.01;  // m

    explicit WedgedArm(double friction, double rate) {
        world.materials.laws[0].friction = friction;
        const std::uint16_t shapeNumber = world.shapes.add(BoxShape{{half, thin, thin}});
        const double angle = 0.6;
        arm = addBody(world, {.shape = shapeNumber,
                              .radius = boundingRadius(world.shapes[shapeNumber]),
                              .position = {half * std::cos(angle), 0, height - half * std::sin(angle)},
                              .orientation = rotationBy({0, angle, 0})});
        addFloor(world);
        addJoint(world,
                 {.name = "hinge",
                  .kind = JointKind::revolute,
                  .point = Vec3{0, 0, height},
                  .axis = {0, 1, 0},
                  .drive = SpinDrive{.rate = {.constant = rate}}},
                 arm, theWorld);
    }
};

// A motor that is stopped does no work, and nothing else is there to move: the arm stands within a thousandth of the
// speed its tip had.
TEST_P(JammedDrives, StandWhereTheyWedgeAnArmBetweenItsHingeAndTheFloor) {
    for (const double friction : {0.2, 0.8}) {
        for (const double step : {1e-3, 5e-3}) {
            const double rate = 5;
            const WedgedArm wedged(friction, rate);
            Trial trial(wedged.world, step, settingsOf(GetParam()));
            SCOPED_TRACE(testing::Message() << "friction " << friction << ", step " << step);
            double fastest = 0, deepest = 0;
            ShapeSizes sizes;
            for (long left = std::lround(0.3 / step); left > 0; --left) {
                trial.step();
                fastest = std::max(fastest, norm(trial.spin(wedged.arm)));
                deepest = std::max(deepest, findDeepestOverlap(trial.world, sizes).fraction);
            }
            EXPECT_LT(fastest, 1.001 * rate);
            EXPECT_LT(norm(trial.spin(wedged.arm)), 1e-3 * rate);
            EXPECT_LT(deepest, 0.01);
        }
    }
}

// A brake, a drive of no speed, that holds a heavy arm through steps that end short of their tolerance.
TEST(BrakesThatHoldTheirLoad, AreNotJammedWhenAStepMissesItsTolerance) {
    WorldState world = machineWorld();
    std::uint32_t last = theWorld;
    for (int k = 0; k < 6; ++k) {
        const auto link = addBody(world, {.radius = radius, .position = {0.3 * (k + 1), 0, 0}});
        addJoint(world,
                 {.name = "brake",
                  .kind = JointKind::revolute,
                  .point = Vec3{0.3 * k, 0, 0},
                  .axis = {0, 1, 0},
                  .drive = SpinDrive{.rate = {.constant = 0.0}}},
                 link, last);
        last = link;
    }
    ContactDynamicsSettings settings = settingsOf(SolverKind::apgd);
    settings.maxIterations = 3;
    Trial trial(world, dt, settings);
    for (int k = 0; k < 20; ++k) {
        const StepOutcome report = trial.step();
        EXPECT_NE(report.solve.status, SolveStatus::converged);
        EXPECT_FALSE(trial.diagnose(report).jammed);
    }
}

}  // namespace
}  // namespace talus
