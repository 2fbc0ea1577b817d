// Steps whose last half kick is made up by the next one give the same bits as complete ones, wherever they are stopped.
#include <gtest/gtest.h>

#include "model/load.hpp"
#include "regression/settling_world.hpp"
#include "step/step.hpp"

namespace talus {
namespace {

std::uint64_t hashAfter(WorldState world, std::uint64_t steps, std::uint64_t completeEvery) {
    const StepSettings settings{.dt = 2e-5, .end = StepEnd::open};
    StepWorkspace workspace;
    prepareStep(world, settings, workspace);
    for (std::uint64_t k = 1; k <= steps; ++k) {
        stepPenalty(world, settings, workspace);
        if (k % completeEvery == 0) completeStep(world, settings, workspace);
    }
    completeStep(world, settings, workspace);
    return stateHash(world);
}

TEST(OpenSteps, GiveTheBitsOfCompleteOnes) {
    WorldState world = test::makeFallingGrains({.perEdge = 4});
    world.loads.push_back(TableForce{{0, 0.01}, {{}, {0.001, 0, 0}}});
    world.bodies.load[7] = 0;
    setLoads(world, 0);
    const std::uint64_t complete = hashAfter(world, 300, 1);
    EXPECT_EQ(hashAfter(world, 300, 1000), complete);
    EXPECT_EQ(hashAfter(world, 300, 7), complete);
}

TEST(OpenSteps, GiveTheBitsOfCompleteOnesWhereGrainsComeAndGo) {
    WorldState world = test::makeFallingGrains({.perEdge = 4});
    world.sinks.push_back({{-1, -1, -1}, {1, 1, 1e-3}});
    EXPECT_EQ(hashAfter(world, 300, 1000), hashAfter(world, 300, 1));
}

}  // namespace
}  // namespace talus
