// What is written, and when: rows and frames near the times asked for, and in any case at the end.
#include "run/schedule.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/results/series.hpp"
#include "talus/error.hpp"
#include "talus/simulation.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::contentOf;
using output_samples::TemporaryFolder;

const char* const flyingBall = R"(
materials: {steel: {density: 7800, youngs_modulus: 10 MPa}}
gravity: [0, 0, 0]
bodies: [{shape: sphere, radius: 5 mm, position: [0, 0, 0], velocity: [0.1, 0, 0]}]
run: {time: 10 ms, step: 0.03 ms}
output: {series: 1 ms, frames: 4 ms, plots: false}
)";

const char* const twoStages = R"(
materials: {steel: {density: 7800, youngs_modulus: 10 MPa}}
gravity: [0, 0, 0]
bodies: [{shape: sphere, radius: 5 mm, position: [0, 0, 0], velocity: [0.1, 0, 0]}]
run: {step: 0.1 ms}
output: {frames: 2 ms, plots: false}
stages: [{name: one, time: 3 ms}, {name: two, time: 3 ms}]
)";

// s, of the frames in the order of the index.
std::vector<double> timesOfFrames(const std::filesystem::path& run) {
    const std::string index = contentOf(run / "frames.pvd"), mark = "timestep=\"";
    std::vector<double> times;
    for (std::size_t at = index.find(mark); at != std::string::npos; at = index.find(mark, at + 1)) {
        const double time = std::stod(index.substr(at + mark.size()));
        if (times.empty() || times.back() != time) times.push_back(time);
    }
    return times;
}

void runInto(const std::filesystem::path& folder, const char* scene) {
    RunOptions options;
    options.folder = folder;
    const RunOutcome outcome = runScene(parseScene(scene, "test.yaml", "."), options);
    ASSERT_EQ(outcome.status, "finished") << outcome.message;
}

TEST(Schedule, IsDueAtTheStepNearestToEachMultiple) {
    const Schedule schedule = Schedule::fromInterval(1.0, 0.03);  // 33.3 steps
    std::uint64_t step = 0;
    for (int k = 0; k < 1000; ++k, ++step) {
        while (!schedule.isDue(step)) ++step;
        EXPECT_EQ(step, static_cast<std::uint64_t>(std::llround(k / 0.03)));
    }
}

TEST(Schedule, MakesEveryStepDueForIntervalsBelowIt) {
    for (std::uint64_t step = 0; step < 50; ++step) EXPECT_TRUE(Schedule::fromInterval(0.01, 0.03).isDue(step));
}

TEST(Schedule, HasNothingDueAtAnIntervalOfZero) {
    EXPECT_FALSE(Schedule::fromInterval(0, 0.03).isOn());
    EXPECT_FALSE(Schedule::fromInterval(0, 0.03).isDue(0));
}

TEST(RunOutput, KeepsToItsTimesThoughTheyAreNoMultiplesOfTheStep) {
    const TemporaryFolder folder;
    runInto(folder / "run", flyingBall);
    const std::vector<double> times = readSeries(folder / "run/series.csv").values[0];
    ASSERT_EQ(times.size(), 12u);  // eleven multiples, the last of them before the end
    for (std::size_t k = 0; k < 11; ++k) EXPECT_NEAR(times[k], 1e-3 * static_cast<double>(k), 0.5001 * 0.03e-3);
}

TEST(RunOutput, HasAFrameAtTheEnd) {
    const TemporaryFolder folder;
    runInto(folder / "run", flyingBall);
    const std::vector<double> times = timesOfFrames(folder / "run");
    ASSERT_EQ(times.size(), 4u);
    EXPECT_EQ(times.back(), readSeries(folder / "run/series.csv").values[0].back());
}

TEST(RunOutput, HasAFrameAtTheEndOfEachStage) {
    const TemporaryFolder folder;
    runInto(folder / "run", twoStages);
    const std::vector<double> times = timesOfFrames(folder / "run"), expected{0, 2e-3, 3e-3, 5e-3, 6e-3};
    ASSERT_EQ(times.size(), expected.size());
    for (std::size_t k = 0; k < times.size(); ++k) EXPECT_NEAR(times[k], expected[k], 1e-12);
}

// A cast of such numbers to integers gave anything, and the run "finished" after one step.
TEST(StepCount, BeyondAllReasonIsRefusedByItsKey) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
        {{"run.step=1e-30"}, "run.step: 0.01 s in steps of 1e-30 s are 1e+28 steps"},
        {{"run.time=1e300", "run.step=auto"}, "run.time: 1e+300 s in steps of"},
        {{"run.time=1e300"}, "run.step: 1e+300 s in steps of 3e-05 s"},
    };
    for (const auto& [overrides, expected] : cases) {
        try {
            describeScene(parseScene(flyingBall, "test.yaml", ".", overrides));
            ADD_FAILURE() << expected;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
        }
    }
}

TEST(StepCount, OfLaterStagesIsCheckedBeforeTheFirst) {
    for (const char* change : {"stages[1].time=1e300", "stages[1].step=1e-30"}) {
        EXPECT_THROW(Simulation(parseScene(twoStages, "test.yaml", ".", {change})), InputError) << change;
    }
}

}  // namespace
}  // namespace talus
