// Rigid contacts with dilation that are wedged: the run says in how many steps.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "talus/simulation.hpp"
#include "unit/solver_results.hpp"

namespace talus {
namespace {

// A grain between two plates; `lid` says where the upper one is. Elsewhere a pendulum hangs on a joint.
std::string scene(const std::string& lid, bool joint) {
    const std::string pendulum = R"(  - {shape: sphere, name: bob, radius: 2 mm, position: [1, 0, 5 mm]}
joints:
  - {name: hook, type: spherical, between: [bob, world], point: [1, 0, 6 mm]}
)";
    return R"(method: contact-dynamics
contact_dynamics: {friction_law: associated, solver: auto}
materials: {glass: {friction: 0.5, dilation_angle: 0.1, density: 2500, restitution: 0}}
bodies:
  - {shape: plane, point: [0, 0, 0], normal: [0, 0, 1]}
  - {shape: plane, point: [0, 0, )" +
           lid + R"(], normal: [0, 0, -1]}
  - {shape: sphere, radius: 5 mm, position: [0, 0, 5 mm]}
)" + (joint ? pendulum : "") +
           "output: {frames: 0, plots: false}\nrun: {time: 5 ms, step: 1 ms}\n";
}

TEST(WedgedContacts, AreCountedInTheSummary) {
    for (const bool joint : {false, true}) {
        EXPECT_EQ(solverResults(scene("10 mm", joint)).value("wedged_steps", 0), 5) << joint;
        EXPECT_EQ(solverResults(scene("20 mm", joint)).value("wedged_steps", 0), 0) << joint;
    }
}

}  // namespace
}  // namespace talus
