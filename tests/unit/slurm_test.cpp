// What Slurm gets for a sweep, as text: times, lists of indices, words for a shell.
#include <gtest/gtest.h>

#include "run/sweep/slurm_scripts.hpp"
#include "talus/error.hpp"
#include "talus/tools/slurm.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

TEST(SlurmTime, IsReadInItsOwnFormsAndWithUnits) {
    EXPECT_EQ(parseSlurmTime("6h"), 21600);
    EXPECT_EQ(parseSlurmTime("90 min"), 5400);
    EXPECT_EQ(parseSlurmTime("30:15"), 1815);
    EXPECT_EQ(parseSlurmTime("6:00:01"), 21601);
    EXPECT_EQ(parseSlurmTime("2-12"), 216000);
    EXPECT_EQ(parseSlurmTime("2-12:30"), 217800);
    EXPECT_EQ(parseSlurmTime("0-0:0:7"), 7);
}

TEST(SlurmTime, ThatIsNoneOrCouldBeMinutesOrSecondsIsRefused) {
    for (const char* text : {"30", "1e3", "6 m", "1:2:3:4", "1-", "-1", "1-2-3", ":", "0:00", "0 s", "soon", "1:x"}) {
        EXPECT_THROW(parseSlurmTime(text), InputError) << text;
    }
}

TEST(SlurmTime, IsWrittenSoThatItReadsBack) {
    EXPECT_EQ(slurmTime(1), "00:00:01");
    EXPECT_EQ(slurmTime(5400), "01:30:00");
    EXPECT_EQ(slurmTime(216000.4), "2-12:00:01");
    for (const double seconds : {59.0, 3599.0, 86400.0, 1e6}) EXPECT_EQ(parseSlurmTime(slurmTime(seconds)), seconds);
}

TEST(SlurmIndices, AreToldAsRanges) {
    EXPECT_EQ(indexList({0}), "0");
    EXPECT_EQ(indexList({0, 1, 2, 3}), "0-3");
    EXPECT_EQ(indexList({1, 3, 4, 7, 8, 9}), "1,3-4,7-9");
}

TEST(SlurmScripts, QuoteWhatAShellWouldChange) {
    EXPECT_EQ(quoted("/opt/talus-1.0/bin/talus"), "/opt/talus-1.0/bin/talus");
    EXPECT_EQ(quoted("my runs"), "'my runs'");
    EXPECT_EQ(quoted("it's $1"), "'it'\\''s $1'");
    EXPECT_EQ(quoted(""), "''");
}

TEST(SlurmScripts, WarnShortTasksLaterThanLongOnes) {
    const auto warnsAt = [](std::optional<double> time, const char* lead) {
        SlurmSettings settings;
        settings.time = time;
        const std::string text = taskScript("talus", "sand", settings);
        return text.find(std::string("--signal=B:USR1@") + lead + "\n") != std::string::npos;
    };
    EXPECT_TRUE(warnsAt({}, "120"));
    EXPECT_TRUE(warnsAt(86400, "120"));
    EXPECT_TRUE(warnsAt(120, "30"));
}

TEST(SweepTask, ThatIsStoppedBeforeItGetsAnyFurtherFails) {
    const output_samples::TemporaryFolder folder;
    std::ofstream(folder / "scene.yaml") << "materials: {glass: {density: 2500, youngs_modulus: 2 MPa}}\n"
                                            "bodies: [{shape: sphere, radius: 1 mm, position: [0, 0, 0]}]\n"
                                            "run: {time: 1 ms}\noutput: {frames: 0, plots: false}\n";
    SweepOptions options;
    options.scene = folder / "scene.yaml";
    options.folder = folder / "out";
    options.vary = {{"seed", {"1", "2"}}};
    EXPECT_EQ(prepareSweep(options), 2u);
    RunOptions oneStep, noStep;
    oneStep.look = [](RunLook&) { return RunWish::stop; };
    noStep.maxTime = 1e-9;
    // One step is some way; the next time it comes no further.
    EXPECT_EQ(runSweepTask(options.folder, 1, oneStep).status, "interrupted");
    EXPECT_EQ(readSweep(options.folder).variants[1].status, "interrupted");
    const RunOutcome stuck = runSweepTask(options.folder, 1, noStep);
    EXPECT_EQ(stuck.status, "failed");
    EXPECT_EQ(stuck.signal, 0);
    EXPECT_NE(stuck.message.find("came no further"), std::string::npos);
    EXPECT_EQ(runSweepTask(options.folder, 1, {}).status, "finished");
    EXPECT_EQ(runSweepTask(options.folder, 1, {}).message, "finished before");
    EXPECT_EQ(readSweep(options.folder).variants[0].status, "not run");
}

}  // namespace
}  // namespace talus
