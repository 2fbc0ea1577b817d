// The flow rates that a summary reports, read back from a series.
#include "run/flow_report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::TemporaryFolder;

// 2 g/s from 1 s to 5 s through the plane `slot`, nothing through `lid`.
void writeSeries(const std::filesystem::path& file) {
    std::ofstream out(file);
    out << "time [s],mass_through_slot [kg],mass_through_lid [kg]\n";
    for (int k = 0; k <= 600; ++k) {
        const double time = 0.01 * k;
        out << fmt::format("{},{},0\n", time, 0.002 * std::clamp(time - 1, 0.0, 4.0));
    }
}

TEST(FlowReport, HasTheRateAndTheTimeOfTheFlow) {
    const TemporaryFolder folder;
    writeSeries(folder / "series.csv");
    const nlohmann::json slot = describeFlow(folder / "series.csv", {{.name = "slot", .point = {}}})["slot"];
    EXPECT_NEAR(slot["rate"].get<double>(), 0.002, 1e-12);
    EXPECT_NEAR(slot["deviation"].get<double>(), 0, 1e-12);
    EXPECT_NEAR(slot["start"].get<double>(), 1, 1e-9);
    EXPECT_NEAR(slot["duration"].get<double>(), 4, 1e-9);
}

TEST(FlowReport, TakesTheWindowOfTheScene) {
    const TemporaryFolder folder;
    writeSeries(folder / "series.csv");
    MeasuredPlane plane{.name = "slot", .point = {}};
    plane.window = std::array{2.0, 3.0};
    const nlohmann::json slot = describeFlow(folder / "series.csv", {plane})["slot"];
    EXPECT_EQ(slot["window"], (nlohmann::json{{"start", 2.0}, {"stop", 3.0}}));
    EXPECT_NEAR(slot["rate"].get<double>(), 0.002, 1e-12);
    EXPECT_FALSE(slot.contains("warning"));
}

TEST(FlowReport, WarnsOfAFlowThatIsNotSteady) {
    const TemporaryFolder folder;
    writeSeries(folder / "series.csv");
    MeasuredPlane plane{.name = "slot", .point = {}};
    plane.window = std::array{0.0, 6.0};  // it flows from 1 s to 5 s
    const nlohmann::json slot = describeFlow(folder / "series.csv", {plane})["slot"];
    EXPECT_NE(slot["warning"].get<std::string>().find("through 'slot' is not steady"), std::string::npos);
}

TEST(FlowReport, SaysWhyThereIsNoRate) {
    const TemporaryFolder folder;
    writeSeries(folder / "series.csv");
    const nlohmann::json found =
        describeFlow(folder / "series.csv", {{.name = "lid", .point = {}}, {.name = "other", .point = {}}});
    EXPECT_NE(found["lid"]["message"].get<std::string>().find("no mass has passed"), std::string::npos);
    EXPECT_NE(found["other"]["message"].get<std::string>().find("no column"), std::string::npos);
}

}  // namespace
}  // namespace talus
