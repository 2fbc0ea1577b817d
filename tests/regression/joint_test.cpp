// A machine among grains: the same bits on any number of threads, when steps are left open, and after a resume.
#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "model/joint_state.hpp"
#include "regression/settling_world.hpp"
#include "step/step.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

enum class Method { penalty, contactDynamics };

class JointedGrains : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(BothMethods, JointedGrains, testing::Values(Method::penalty, Method::contactDynamics),
                         [](const testing::TestParamInfo<Method>& method) {
                             return method.param == Method::penalty ? "Penalty" : "ContactDynamics";
                         });

// Grains that fall in a box, some of them in a chain that a motor turns, with a spring and a stop.
WorldState machineAmongGrains(Method method) {
    test::FallingGrains choice;
    choice.perEdge = 6;
    WorldState world = test::makeFallingGrains(choice);
    const double radius = choice.radius;
    JointSettings joint{.name = "motor",
                        .kind = JointKind::revolute,
                        .point = world.bodies.position[0],
                        .axis = {0, 1, 0},
                        .drive = SpinDrive{.rate = {.constant = 20.0}}};
    addJoint(world, joint, 0, theWorld);
    addJoint(world, {.name = "ball", .kind = JointKind::spherical, .point = world.bodies.position[0]}, 1, 0);
    addJoint(world,
             {.name = "slide",
              .kind = JointKind::prismatic,
              .axis = {1, 0, 0},
              .limits = SlideLimits{.lower = -radius, .upper = radius},
              .spring = SlideSpring{.stiffness = 10, .damping = 0.01}},
             2, 1);
    addJoint(world, {.name = "rod", .kind = JointKind::distance}, 3, 2);
    if (method == Method::contactDynamics) world.contacts.memory = RigidMemory{};
    return world;
}

struct Runner {
    WorldState world;
    StepSettings settings;
    StepWorkspace workspace;

    explicit Runner(Method method) : world(machineAmongGrains(method)) {
        settings.dt = method == Method::penalty ? 2e-5 : 2e-4;
        settings.contactDynamics.solver = SolverKind::automatic;
        if (method == Method::contactDynamics) {
            workspace.solverSettings = solverSettings(settings.contactDynamics, world.seed);
        }
    }
    void advance(int steps) {
        for (int k = 0; k < steps; ++k) stepOf(world, settings)(world, settings, workspace);
        completeStep(world, settings, workspace);
    }
};

int stepsOf(Method method) { return method == Method::penalty ? 400 : 60; }

TEST_P(JointedGrains, HaveTheSameHashOnOneToFourThreads) {
    const int before = threadCount();
    std::uint64_t first = 0;
    for (int threads = 1; threads <= 4; ++threads) {
        setThreadCount(threads);
        Runner runner(GetParam());
        prepareStep(runner.world, runner.settings, runner.workspace);
        runner.advance(stepsOf(GetParam()));
        const std::uint64_t hash = stateHash(runner.world);
        if (threads == 1) first = hash;
        EXPECT_EQ(hash, first) << threads;
    }
    setThreadCount(before);
}

TEST_P(JointedGrains, HaveTheSameBitsWithOpenSteps) {
    Runner whole(GetParam()), open(GetParam());
    prepareStep(whole.world, whole.settings, whole.workspace);
    prepareStep(open.world, open.settings, open.workspace);
    whole.advance(stepsOf(GetParam()));
    open.settings.end = StepEnd::open;
    open.advance(stepsOf(GetParam()));
    EXPECT_EQ(stateHash(whole.world), stateHash(open.world));
}

TEST_P(JointedGrains, ResumeBitForBit) {
    const output_samples::TemporaryFolder folder;
    Runner whole(GetParam());
    prepareStep(whole.world, whole.settings, whole.workspace);
    whole.advance(stepsOf(GetParam()) / 2);
    saveCheckpoint(folder / "checkpoint.h5", whole.world, {});
    whole.advance(stepsOf(GetParam()) / 2);

    Runner resumed(GetParam());
    loadCheckpoint(folder / "checkpoint.h5", resumed.world);
    resumed.advance(stepsOf(GetParam()) / 2);
    EXPECT_EQ(stateHash(whole.world), stateHash(resumed.world));
    EXPECT_EQ(whole.world.ledger.wallWork, resumed.world.ledger.wallWork);
    EXPECT_EQ(whole.world.ledger.jointLoss, resumed.world.ledger.jointLoss);
}

TEST(JointHash, SeesWhatJointsRemember) {
    WorldState world = machineAmongGrains(Method::penalty);
    const std::uint64_t before = stateHash(world);
    world.joints.turn[0] += 1;
    EXPECT_NE(stateHash(world), before);
}

}  // namespace
}  // namespace talus
