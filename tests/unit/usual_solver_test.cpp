// What solves the contacts of scenes that name no solver.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "talus/simulation.hpp"
#include "unit/solver_results.hpp"

namespace talus {
namespace {

std::string sceneOf(const std::string& bodies, const std::string& contactDynamics = "{}") {
    return fmt::format(R"(method: contact-dynamics
contact_dynamics: {}
contact_law: {{normal: hooke}}
materials: {{stone: {{density: 2500, friction: 0.5, restitution: 0}}}}
bodies:
  - {{shape: plane, point: [0, 0, 0], normal: [0, 0, 1]}}
{}output: {{frames: 0, plots: false}}
run: {{time: 40 ms, step: 1 ms}}
)",
                       contactDynamics, bodies);
}

// Ten, each a little beside the one below.
std::string stackOf(const std::string& shape) {
    std::string bodies;
    for (int k = 0; k < 10; ++k) {
        bodies += fmt::format("  - {{{}, position: [{}, {}, {}]}}\n", shape, 0.003 * (k % 2), 0.002 * (k % 3),
                              0.05 + 0.1 * k);
    }
    return bodies;
}

const std::string boxes = stackOf("shape: box, size: [0.1, 0.1, 0.1]"),
                  spheres = stackOf("shape: sphere, radius: 0.05");

// Sweeps leave most of these steps above the tolerance after 1000 iterations.
TEST(UsualSolver, SolvesAStackOfBoxes) {
    const nlohmann::json solver = solverResults(sceneOf(boxes));
    EXPECT_EQ(solver["name"], "auto");
    EXPECT_EQ(solver["unconverged_steps"], 0);
    EXPECT_LT(solver["iterations"], 40 * 300);
}

TEST(UsualSolver, SweepsWhereBodiesAreSpheresOrContactsElasticOrIterationsFixed) {
    EXPECT_EQ(solverResults(sceneOf(spheres))["name"], "gauss-seidel");
    EXPECT_EQ(solverResults(sceneOf(boxes, "{fixed_iterations: 5}"))["name"], "gauss-seidel");
    EXPECT_EQ(solverResults(sceneOf(boxes, "{contacts: elastic, max_iterations: 5}"))["name"], "gauss-seidel");
    EXPECT_EQ(solverResults(sceneOf(boxes, "{solver: apgd}"))["name"], "apgd");
}

// Sweeps carry a push along a chain link by link.
TEST(UsualSolver, SolvesChainsOfSpheresToo) {
    const nlohmann::json solver = solverResults(R"(method: contact-dynamics
materials: {stone: {density: 2500}}
bodies:
  - {shape: sphere, name: a, radius: 1 cm, position: [2 cm, 0, 0]}
  - {shape: sphere, name: b, radius: 1 cm, position: [4 cm, 0, 0]}
joints:
  - {name: top, type: spherical, between: [a, world], point: [0, 0, 0]}
  - {name: next, type: spherical, between: [b, a], point: [3 cm, 0, 0]}
output: {frames: 0, plots: false}
run: {time: 40 ms, step: 1 ms}
)");
    EXPECT_EQ(solver["name"], "auto");
    EXPECT_EQ(solver["unconverged_steps"], 0);
}

TEST(AutomaticSolver, SweepsSpheresAndTakesGradientStepsForBoxes) {
    EXPECT_EQ(solverResults(sceneOf(spheres, "{solver: auto}"))["used"], (nlohmann::json{{"gauss-seidel", 40}}));
    EXPECT_EQ(solverResults(sceneOf(boxes, "{solver: auto}"))["used"], (nlohmann::json{{"apgd", 40}}));
    // A held box is a wall with edges; spheres on it are swept all the same.
    const std::string plate = "  - {shape: box, size: [1, 1, 0.1], position: [0, 0, -0.05], fixed: true}\n";
    EXPECT_EQ(solverResults(sceneOf(plate + spheres))["used"], (nlohmann::json{{"gauss-seidel", 40}}));
}

}  // namespace
}  // namespace talus
