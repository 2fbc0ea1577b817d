// What a run notices does not depend on what it writes, and nothing that is wrong ends as finished.
#include "run/watch.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "measure/overlap.hpp"
#include "run/course.hpp"
#include "run/energy_report.hpp"
#include "talus/simulation.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using nlohmann::json;
using output_samples::TemporaryFolder;

RunOutcome runOf(const std::string& text, const TemporaryFolder& folder,
                 const std::vector<std::string>& overrides = {}) {
    return runScene(parseScene(text, "test.yaml", folder.path(), overrides),
                    {.folder = folder / "out", .overwrite = true});
}

bool hasWarning(const RunOutcome& outcome, const std::string& words) {
    const json summary = json::parse(outcome.summary);
    for (const json& warning : summary.at("results").at("warnings")) {
        if (warning.get<std::string>().find(words) != std::string::npos) return true;
    }
    return false;
}

const std::string noOutput = "output: {series: 10, frames: 0, plots: false, checkpoint: 0}\n";

const std::string packed = R"(
materials: {m: {density: 2000, youngs_modulus: 1 MPa}, n: {density: 2000, youngs_modulus: 2 MPa}}
bodies:
  - {shape: container, centre: [0, 0, 0], size: [20 mm, 20 mm, 20 mm], material: m}
  - {generate: random, region: {low: [-10 mm, -10 mm, -10 mm], high: [10 mm, 10 mm, 10 mm]}, count: 200,
     radius: {distribution: uniform, low: 0.8 mm, high: 1.2 mm}, velocity: [0, 0, -1], random_velocity: 1, material: n}
run: {time: 20 ms}
)";

const std::string packedBoxes = R"(
materials: {m: {density: 2000, youngs_modulus: 1 MPa}}
bodies:
  - {shape: container, centre: [0, 0, 0], size: [20 mm, 20 mm, 20 mm]}
  - {generate: random, region: {low: [-10 mm, -10 mm, -10 mm], high: [10 mm, 10 mm, 10 mm]}, count: 40, velocity: [0, 0, -1],
     random_velocity: 1, grains: [{shape: box, size: [3 mm, 2 mm, 1 mm]}, {shape: sphere, radius: 1 mm}]}
run: {time: 20 ms}
)";

const std::string squeezed = R"(
contact_law: {normal: hooke}
materials: {m: {density: 2500, youngs_modulus: 10 MPa}}
bodies:
  - {shape: container, centre: [0, 0, 10 mm], size: [12 mm, 12 mm, 20 mm], open: ["+z"]}
  - {generate: lattice, lattice: sc, radius: 2 mm, origin: [-6 mm, -6 mm, 0], count: [3, 3, 2]}
  - {shape: plane, point: [0, 0, 8 mm], normal: [0, 0, -1], motion: {type: constant, velocity: [0, 0, -0.1]}}
run: {time: 0.4 ms, step: 0.1 ms}
)";

// The loops over contacts, by law and kind of body, against a look at all contacts.
TEST(Watch, FindsInTheLoopOverContactsWhatALookAtAllOfThemFinds) {
    for (const auto& [scene, override] :
         std::vector<std::pair<std::string, std::string>>{{packed, "contact_law.normal=hertz"},
                                                          {packed, "contact_law.normal=hooke"},
                                                          {packed, "contact_law.rolling=spring"},
                                                          {packedBoxes, "contact_law.normal=hertz"},
                                                          {packed, "method=contact-dynamics"},
                                                          {packedBoxes, "method=contact-dynamics"},
                                                          {squeezed, "method=quasi-static"}}) {
        Course course(parseScene(scene, "test.yaml", ".", {override}));
        double deepest = 0;
        while (!course.stageIsOver()) {
            const TakenStep taken = course.takeStep();
            course.complete();
            const double found = findDeepestOverlap(course.world()).fraction;
            ASSERT_NEAR(taken.found.overlap, found, 1e-12) << override << " in step " << course.world().step;
            deepest = std::max(deepest, found);
        }
        EXPECT_NEAR(course.largestOverlap(), deepest, 1e-12) << override;
        EXPECT_GT(deepest, 1e-4) << override << ": bodies have met";
    }
}

// A flake of 0.2 mm has the volume of a ball of 1.7 mm: half way through another one it is 0.1 of that deep.
TEST(Overlap, OfThinBodiesIsThatOfTheirThickness) {
    const BodySize size = sizeOfShape(BoxShape{.halfSize = {5e-3, 1e-4, 5e-3}});
    EXPECT_NEAR(size.radius, std::cbrt(20e-9 * 3 / 4 / M_PI), 1e-9);
    EXPECT_NEAR(size.halfWidth, 1e-4, 1e-12);
    EXPECT_EQ(sizeOfShape(SphereShape{}).halfWidth, 1);
    EXPECT_NEAR(sizeOfShape(EllipsoidShape{{3, 2, 1}}).halfWidth, std::sqrt(0.6), 1e-12) << "of the box like it";
}

// A ball that hits a floor at 1 m/s within a time that no row falls into.
const std::string impact = R"(
gravity: [0, 0, 0]
materials: {m: {density: 2000, youngs_modulus: 1 MPa, poisson_ratio: 0.3, restitution: 0.9}}
bodies:
  - {shape: plane, point: [0, 0, 0], normal: [0, 0, 1]}
  - {shape: sphere, radius: 5 mm, position: [0, 0, 8 mm], velocity: [0, 0, -1]}
run: {time: 10 ms}
)";

TEST(Watch, FindsTheDeepestOverlapOfARunHoweverFewRowsItWrites) {
    const TemporaryFolder folder;
    const json few = json::parse(runOf(impact + noOutput, folder).summary);
    const json many = json::parse(runOf(impact + "output: {series: 1 us, frames: 0, plots: false}\n", folder).summary);
    EXPECT_EQ(few.at("max_overlap"), many.at("max_overlap"));
    EXPECT_EQ(few.at("state_hash"), many.at("state_hash"));
    // Hertz: (15/16 m v^2 / (E* R^(1/2)))^(2/5), E* = E/2/(1 - nu^2); a damped impact reaches a little less.
    constexpr double nu = 0.3;
    const double mass = 2000 * 4.0 / 3 * M_PI * std::pow(5e-3, 3), modulus = 0.5e6 / (1 - nu * nu);
    const double depth = std::pow(15.0 / 16 * mass / (modulus * std::sqrt(5e-3)), 0.4) / 5e-3;
    EXPECT_LT(few.at("max_overlap").get<double>(), depth);
    EXPECT_GT(few.at("max_overlap").get<double>(), 0.9 * depth);
}

TEST(Watch, StopsABallThatFallsFasterThanItsContactsCanBeSeen) {
    const TemporaryFolder folder;
    const RunOutcome outcome = runOf(R"(
gravity: [0, 0, -1000]
materials: {m: {density: 2000, youngs_modulus: 1 MPa}}
bodies:
  - {shape: sphere, radius: 1 mm, position: [0, 0, 0], group: stone}
  - {shape: box, size: [10 mm, 10 mm, 0.1 mm], position: [0, 0, -1.6], fixed: true}
run: {time: 0.1 s, step: 10 us}
)" + noOutput,
                                     folder);
    EXPECT_EQ(outcome.status, "failed");
    for (const char* words : {"body 0 (group 'stone')", "t = 0.05", "half width", "run.step", "domain"}) {
        EXPECT_NE(outcome.message.find(words), std::string::npos) << words << " in: " << outcome.message;
    }
    // Half a radius per step of 10 us is 50 m/s, reached after 50 ms; the plate 6.6 ms later, not before.
    EXPECT_NEAR(json::parse(outcome.summary).at("time").get<double>(), std::sqrt(2 * 1.6 / 1000), 2e-4);
}

// A ball between hard floors, by a step of a third of the time that an impact lasts: each bounce makes energy.
const std::string creates = R"(
gravity: [0, 0, 0]
contact_law: {normal: hooke}
materials: {m: {density: 2000, stiffness: 1000, restitution: 1, friction: 0}}
bodies:
  - {shape: container, centre: [0, 0, 0], size: [12 mm, 12 mm, 12 mm]}
  - {shape: sphere, radius: 5 mm, position: [0.1 mm, 0.2 mm, 0], velocity: [0.11, 0.17, 0.23]}
run: {time: 0.2 s, step: 0.7 ms, max_overlap: 1}
)";

TEST(Watch, LetsNoRunFinishWhoseEnergiesDoNotAddUp) {
    const TemporaryFolder folder;
    const RunOutcome broken = runOf(creates + noOutput, folder);
    EXPECT_EQ(broken.status, "failed") << broken.summary;
    for (const char* words : {"energy balance is off", "run.step", "max_energy_error"}) {
        EXPECT_NE(broken.message.find(words), std::string::npos) << broken.message;
    }
    const RunOutcome allowed = runOf(creates + noOutput, folder, {"run.max_energy_error=1000"});
    EXPECT_EQ(allowed.status, "finished") << allowed.message;
    EXPECT_TRUE(hasWarning(allowed, "energy balance is off"));
    const RunOutcome sound = runOf(creates + noOutput, folder, {"run.step=5 us"});
    EXPECT_EQ(sound.status, "finished") << sound.message;
    EXPECT_FALSE(hasWarning(sound, "energy balance"));
}

// A ball in free flight has been given n g dt and gone n (n + 1)/2 g dt^2: the difference is no error that grows.
TEST(Watch, FindsNoErrorInTheEnergyOfAThrowBySteps) {
    for (const char* theta : {"1", "0.75", "0.5"}) {
        Simulation sim(parseScene(R"(
method: contact-dynamics
contact_dynamics: {restitution: none}
materials: {m: {}}
bodies:
  - {shape: plane, point: [0, 0, 0], normal: [0, 0, 1]}
  - {shape: sphere, radius: 5 mm, position: [0, 0, 50 mm], velocity: [1, 0, 2]}
run: {time: 1 s, step: 0.25 ms}
)",
                                  "test.yaml", ".", {std::string("contact_dynamics.theta=") + theta}));
        for (int k = 0; k < 5; ++k) {
            sim.advance();
            EXPECT_NEAR(sim.measured("energy_error"), 0, 1e-12) << theta;
        }
        while (!sim.finished()) sim.advance(100);
        EXPECT_NEAR(sim.measured("energy_error"), 0, 1e-3) << theta << ": when it lies still";
    }
}

TEST(Watch, TakesNoRoundOffOfAHeapAtRestForEnergy) {
    const TemporaryFolder folder;
    const RunOutcome outcome = runOf(R"(
method: contact-dynamics
materials: {m: {restitution: 0}}
bodies: [{generate: pyramid, base: 4, radius: 1 cm, fixed_base: true}]
run: {time: 3 ms, step: 1 ms}
)" + noOutput,
                                     folder);
    EXPECT_EQ(outcome.status, "finished") << outcome.message;
    EXPECT_FALSE(hasWarning(outcome, "energy"));
}

TEST(OpenLedger, IsToldFromAHundredthOnAndFailsBeyondWhatIsAllowed) {
    EXPECT_EQ(describeOpenLedger(0.009, 0.1), "");
    EXPECT_NE(describeOpenLedger(0.02, 0.1).find("off by 2 % of"), std::string::npos);
    EXPECT_EQ(describeOpenLedger(0.2, 0.1), "") << "the failure says it";
    EXPECT_EQ(describeBrokenLedger(0.09, 0.1), "");
    EXPECT_NE(describeBrokenLedger(0.2, 0.1).find("off by 20 % of"), std::string::npos);
}

TEST(Watch, SaysThatASourceCouldNotKeepToItsRate) {
    const TemporaryFolder folder;
    const std::string scene = R"(
gravity: [0, 0, 0]
materials: {m: {}}
bodies: [{shape: container, centre: [0, 0, 0], size: [20 mm, 20 mm, 20 mm]}]
sources: [{region: {low: [-8 mm, -8 mm, -8 mm], high: [8 mm, 8 mm, 8 mm]}, rate: 1e9, radius: 1 mm}]
run: {time: 1 ms, step: 20 us}
)" + noOutput;
    EXPECT_TRUE(hasWarning(runOf(scene, folder), "sources[0] made "));
    EXPECT_FALSE(hasWarning(runOf(scene, folder, {"sources[0].rate=1e4"}), "sources[0]"));
    EXPECT_FALSE(hasWarning(runOf(scene, folder, {"sources[0].limit=20"}), "sources[0]")) << "all are there";
}

const std::string overTheEdge = R"(
materials: {m: {youngs_modulus: 1 MPa}}
bodies:
  - {shape: box, size: [20 mm, 20 mm, 2 mm], position: [0, 0, 0], fixed: true}
  - {shape: sphere, radius: 1 mm, position: [0, 0, 2.1 mm]}
  - {shape: sphere, radius: 1 mm, position: [11.5 mm, 0, 2.1 mm]}
run: {time: 0.1 s}
)";

TEST(Watch, NoticesGrainsThatFallAwayWithoutADomain) {
    const TemporaryFolder folder;
    const RunOutcome fallen = runOf(overTheEdge + noOutput, folder);
    EXPECT_EQ(fallen.status, "finished") << fallen.message;
    EXPECT_TRUE(hasWarning(fallen, "1 of 3 grains have fallen past everything")) << fallen.summary;
    EXPECT_TRUE(hasWarning(fallen, "body 2 (group 'grains')"));
    std::string above = overTheEdge;
    above.insert(above.find("  - {shape: sphere"), "  - {shape: plane, point: [0, 0, -1], normal: [0, 0, 1]}\n");
    EXPECT_FALSE(hasWarning(runOf(above + noOutput, folder), "fallen")) << "a plane will stop it";
    EXPECT_FALSE(hasWarning(
        runOf(overTheEdge + "sinks: [{region: {low: [-1, -1, -2], high: [1, 1, -1]}}]\n" + noOutput, folder), "fallen"))
        << "a sink waits for it";
}

TEST(MaxSpeed, IsThatOfBodiesThatMoveFreely) {
    Simulation sim(parseScene(R"(
gravity: [0, 0, 0]
materials: {m: {}}
bodies:
  - {shape: plane, point: [0, 0, 0], normal: [0, 0, 1]}
  - {shape: plane, group: lid, point: [0, 0, 1], normal: [0, 0, -1], free: {mass: 1, axes: [z], velocity: [0, 0, 3 mm/s]}}
  - {shape: sphere, radius: 5 mm, position: [0, 0, 20 mm], velocity: [0, 0, 2 mm/s]}
  - {shape: box, size: [1 cm, 1 cm, 1 cm], position: [10 cm, 0, 10 cm], group: plate,
     motion: {type: constant, velocity: [0, 0, 70 mm/s]}}
run: {time: 1 s}
)",
                              "test.yaml", "."));
    EXPECT_DOUBLE_EQ(sim.measured("max_speed"), 3e-3);
}

// The stage would never end if what a motion moves counted.
TEST(MaxSpeed, LetsAStageEndWhileAPlateIsMoved) {
    const TemporaryFolder folder;
    const RunOutcome outcome = runOf(R"(
gravity: [0, 0, 0]
materials: {m: {}}
bodies:
  - {shape: sphere, radius: 5 mm, position: [0, 0, 20 mm]}
  - {shape: box, size: [1 cm, 1 cm, 1 cm], position: [10 cm, 0, 10 cm], group: plate,
     motion: {type: constant, velocity: [0, 0, 70 mm/s]}}
stages: [{name: rest, time: 5 ms, until: [{quantity: max_speed, below: 10 mm/s}]}]
)" + noOutput,
                                     folder);
    EXPECT_EQ(outcome.status, "finished") << outcome.message;
}

const std::string crushed = R"(
gravity: [0, 0, 0]
materials: {m: {density: 1000, youngs_modulus: 100 kPa}}
bodies:
  - {shape: sphere, radius: 1 mm, position: [-1.01 mm, 0, 0], velocity: [5, 0, 0]}
  - {shape: sphere, radius: 1 mm, position: [1.01 mm, 0, 0], velocity: [-5, 0, 0]}
run: {time: 10 ms}
)";

TEST(AFailedRun, LeavesItsLastGoodCheckpointItsLastFrameAndAPictureHoweverEarlyItFails) {
    const TemporaryFolder folder;
    const RunOutcome outcome = runOf(crushed, folder);
    ASSERT_EQ(outcome.status, "failed") << outcome.summary;
    ASSERT_LT(json::parse(outcome.summary).at("steps").get<int>(), 100);
    for (const char* file : {"checkpoint.h5", "frames.pvd", "picture.png", "summary.json"}) {
        EXPECT_TRUE(std::filesystem::exists(folder / "out" / file)) << file;
    }
    EXPECT_NE(output_samples::contentOf(folder / "out" / "frames.pvd").find("bodies_000001"), std::string::npos)
        << "the start, and the state that went wrong";
    // The checkpoint is good: the way from it leads to the same failure.
    const RunOutcome again = resumeRun({.folder = folder / "out"});
    EXPECT_EQ(again.message, outcome.message);
    EXPECT_EQ(json::parse(again.summary).at("state_hash"), json::parse(outcome.summary).at("state_hash"));
}

// 20 iterations cannot balance a grain that rolls to its place.
TEST(QuasiStatic, IncrementsThatEndOutOfBalanceAreToldAsSuch) {
    const TemporaryFolder folder;
    const RunOutcome outcome = runOf(R"(
method: quasi-static
contact_law: {normal: hooke}
quasi_static: {tolerance: 1e-9, max_iterations: 3, proceed: true}
materials: {m: {density: 2500, youngs_modulus: 10 MPa, friction: 0.3}}
bodies:
  - {shape: container, centre: [0, 0, 10 mm], size: [12 mm, 12 mm, 20 mm], open: ["+z"]}
  - {generate: lattice, lattice: sc, radius: 2 mm, origin: [-6 mm, -6 mm, 0], count: [3, 3, 2]}
  - {shape: plane, group: lid, point: [0, 0, 8 mm], normal: [0, 0, -1], motion: {type: constant, velocity: [0, 0, -0.1]}}
run: {time: 0.4 ms, step: 0.1 ms}
)" + noOutput,
                                     folder);
    EXPECT_TRUE(hasWarning(outcome, "4 of 4 increments ended out of balance")) << outcome.summary;
    EXPECT_FALSE(hasWarning(outcome, "compatible"));
}

}  // namespace
}  // namespace talus
