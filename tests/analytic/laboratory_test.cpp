// Small versions of laboratory experiments with glass beads (Pazouki and others, Phys. Rev. E 96, 042905, 2017), from
// the scenes that users start from: flow out of a hopper, and a cone that falls into beads.
#include <gtest/gtest.h>

#include "source_folder.hpp"
#include "talus/simulation.hpp"

namespace talus {
namespace {

Scene example(const std::string& name, const std::vector<std::string>& overrides) {
    Scene scene = loadScene(sourceFolder() / "examples" / name, overrides);
    scene.run.threads = 1;
    return scene;
}

void advanceTo(Simulation& simulation, double time) {
    while (simulation.time() < time && !simulation.finished()) simulation.advance(50);
}

// kg/s through a slot of 2.5 mm, from 10 ms after the gate has gone. The few grains run out in 50 ms.
double hopperRate() {
    Simulation simulation(
        example("hopper.yaml", {"bodies[0].position=[-33.384 mm, 0, 29.116 mm]", "bodies[5].count=1200",
                                "bodies[5].region.high=[0, 4.699 mm, 10 mm]", "stages[0].time=0.05"}));
    advanceTo(simulation, 0.06);
    const double start = simulation.time(), before = simulation.measured("mass_through_outlet");
    advanceTo(simulation, 0.08);
    return (simulation.measured("mass_through_outlet") - before) / (simulation.time() - start);
}

// The laboratory has 4.23 g/s with a full hopper. These grains stand only two gaps high, and come somewhat slower.
TEST(Hopper, FlowsAboutAsFastAsInTheLaboratory) {
    const double rate = hopperRate();
    EXPECT_GT(rate, 0.65 * 4.23e-3);
    EXPECT_LT(rate, 1.1 * 4.23e-3);
}

// m, that a cone has gone into some 260 beads after 60 ms, with a velocity in m/s at the surface.
double depthOfCone(double speed) {
    Simulation simulation(example(
        "cone.yaml", {"bodies[0].radius=25 mm", "bodies[1].region.radius=25 mm", "bodies[1].region.length=60 mm",
                      "bodies[1].region.centre=[0, 0, 30 mm]", "stages[0].until=[]", "stages[0].time=0.16",
                      "stages[1].change[0].free.velocity=[0, 0, " + std::to_string(-speed) + "]"}));
    advanceTo(simulation, 0.16);
    simulation.advance(1);
    EXPECT_LT(simulation.measured("position_z_cone"), 0.1);  // it has been put on the beads
    advanceTo(simulation, 0.22);
    return -simulation.measured("displacement_z_cone");
}

TEST(Cone, IsHeldUpByBeadsAndGetsDeeperIfItIsFaster) {
    const double fall = 0.5 * 7.75 * 0.06 * 0.06;  // m, without beads
    const double slow = depthOfCone(0), fast = depthOfCone(0.5);
    EXPECT_GT(slow, 0.1 * fall);
    EXPECT_LT(slow, 0.9 * fall);
    EXPECT_GT(fast, 1.2 * slow);
    EXPECT_LT(fast, 0.9 * (fall + 0.5 * 0.06));
}

}  // namespace
}  // namespace talus
