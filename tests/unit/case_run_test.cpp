// Cases of experiments: what is taken over from an earlier run, and what is run again.
#include "experiments/case_run.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "talus/error.hpp"

namespace talus::reproduce {
namespace {

class CaseRunTest : public testing::Test {
protected:
    // Tests run at the same time.
    std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "case_run_test" /
                                   testing::UnitTest::GetInstance()->current_test_info()->name();
    void SetUp() override { std::filesystem::remove_all(folder); }
    void TearDown() override { std::filesystem::remove_all(folder); }

    // A sphere in free fall.
    static Scene falling(const std::string& time) {
        return parseScene("{materials: {any: {}}, bodies: [{shape: sphere, radius: 1, position: [0, 0, 0]}]}",
                          "falling", ".", {"run.time=" + time, "run.step=0.01", "output.plots=false"});
    }
};

TEST_F(CaseRunTest, TakesOverWhatTheSameProgramMadeOfTheSameScene) {
    const CaseRun first = runCase(falling("0.1"), folder), second = runCase(falling("0.1"), folder);
    EXPECT_FALSE(first.takenOver);
    EXPECT_TRUE(second.takenOver);
    EXPECT_NE(second.summary.find("finished"), std::string::npos);
}

TEST_F(CaseRunTest, RunsAnotherSceneAgain) {
    runCase(falling("0.1"), folder);
    EXPECT_FALSE(runCase(falling("0.2"), folder).takenOver);
    EXPECT_FALSE(runCase(falling("0.1"), folder).takenOver);
}

// A run that goes on does not write run.json again.
TEST_F(CaseRunTest, GoesOnFromTheCheckpointOfACaseThatWasStopped) {
    runCase(falling("0.1"), folder);
    std::filesystem::remove(folder / "summary.json");
    const auto begun = std::filesystem::last_write_time(folder / "run.json");
    EXPECT_FALSE(runCase(falling("0.1"), folder).takenOver);
    EXPECT_EQ(std::filesystem::last_write_time(folder / "run.json"), begun);
    EXPECT_TRUE(runCase(falling("0.1"), folder).takenOver);
}

TEST_F(CaseRunTest, StartsAnewWhereThereIsNoCheckpoint) {
    runCase(falling("0.1"), folder);
    for (const char* file : {"summary.json", "checkpoint.h5"}) std::filesystem::remove(folder / file);
    runCase(falling("0.1"), folder);
    EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint.h5"));
    EXPECT_TRUE(runCase(falling("0.1"), folder).takenOver);
}

TEST_F(CaseRunTest, RunsAgainWhatAnotherProgramMade) {
    runCase(falling("0.1"), folder);
    std::ofstream(folder / "program.txt") << "0123456789abcdef";
    EXPECT_FALSE(runCase(falling("0.1"), folder).takenOver);
    EXPECT_TRUE(runCase(falling("0.1"), folder).takenOver);
}

}  // namespace
}  // namespace talus::reproduce
