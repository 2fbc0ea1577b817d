#include "run/energy_report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "talus/simulation.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::TemporaryFolder;

TEST(CreatedEnergy, IsNamedByItsMechanismAndShare) {
    EnergyBalance e;
    e.dissipated.normalDamping = -0.3;
    e.dissipated.sliding = 0.5;
    const std::string words = describeCreatedEnergy(e, 2, FrictionLaw::coulomb);
    EXPECT_NE(words.find("energy_dissipated_normal is -0.3 J, 15 % of"), std::string::npos) << words;
    EXPECT_EQ(words.find("sliding"), std::string::npos) << words;
    EXPECT_EQ(describeCreatedEnergy(e, 31, FrictionLaw::coulomb), "") << "less than a hundredth";
}

TEST(CreatedEnergy, OfContactsThatOpenAsTheySlideIsTheSumOfTheirHeats) {
    EnergyBalance e;
    e.dissipated.normalDamping = -0.3;
    e.dissipated.sliding = 0.5;
    EXPECT_EQ(describeCreatedEnergy(e, 2, FrictionLaw::associated), "");
    e.dissipated.sliding = 0.2;
    EXPECT_NE(describeCreatedEnergy(e, 2, FrictionLaw::associated).find("is -0.1 J, 5 %"), std::string::npos);
    EnergyBalance yields;
    yields.dissipated.plastic = -0.3;
    yields.dissipated.sliding = 0.4;
    EXPECT_EQ(describeCreatedEnergy(yields, 2, FrictionLaw::coulomb), "");
}

TEST(CreatedEnergy, OfJointsCountsToo) {
    EnergyBalance e;
    e.jointLoss = -0.1;
    const std::string words = describeCreatedEnergy(e, 2, FrictionLaw::associated);
    EXPECT_NE(words.find("energy_dissipated_joints is -0.1 J"), std::string::npos) << words;
}

// Two grains deep in each other, which rigid contacts push apart; and the same side by side.
TEST(CreatedEnergy, IsAmongTheWarningsOfARun) {
    for (const bool deep : {true, false}) {
        const TemporaryFolder folder;
        RunOptions options;
        options.folder = folder / "run";
        const std::string text = std::string(R"(method: contact-dynamics
gravity: [0, 0, 0]
materials: {glass: {friction: 0.5, density: 2500, restitution: 0}}
bodies:
  - {shape: sphere, radius: 5 mm, position: [0, 0, 0]}
  - {shape: sphere, radius: 5 mm, position: [)") +
                                 (deep ? "8" : "10") + R"( mm, 0, 0]}
output: {frames: 0, plots: false}
run: {time: 20 ms, step: 1 ms, max_overlap: 0.5}
)";
        const RunOutcome outcome = runScene(parseScene(text, "pair.yaml", "."), options);
        const nlohmann::json results = nlohmann::json::parse(outcome.summary)["results"];
        const std::string warnings = results.value("warnings", nlohmann::json::array()).dump();
        EXPECT_EQ(warnings.find("energy was created") != std::string::npos, deep) << warnings;
    }
}

// A block at rest for a second: what turns over is round-off, and what a solver within its tolerance leaves.
TEST(CreatedEnergy, IsNotSeenInTheRoundOffOfABlockAtRest) {
    const TemporaryFolder folder;
    RunOptions options;
    options.folder = folder / "run";
    const std::string text = R"(method: contact-dynamics
gravity: [2.8026028842427912, 0, -9.401144455502958]
materials: {m: {density: 1000, friction: 0.3, restitution: 0}}
bodies:
  - {shape: plane, point: [0, 0, 0], normal: [0, 0, 1]}
  - {shape: box, size: [0.2, 0.2, 0.1], position: [0, 0, 0.05]}
output: {frames: 0, plots: false}
run: {time: 1 s, step: 1 ms}
)";
    const RunOutcome outcome = runScene(parseScene(text, "block.yaml", "."), options);
    const nlohmann::json results = nlohmann::json::parse(outcome.summary)["results"];
    const std::string warnings = results.value("warnings", nlohmann::json::array()).dump();
    EXPECT_EQ(warnings.find("energy was created"), std::string::npos) << warnings;
}

}  // namespace
}  // namespace talus
