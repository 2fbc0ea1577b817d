#include "base/atomic_file.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io/results/reports.hpp"
#include "talus/error.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::contentOf;
using output_samples::filesIn;
using output_samples::TemporaryFolder;

std::string failureOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const RunError& error) {
        return error.what();
    }
    return "";
}

TEST(AtomicFile, HoldsWhatWasWrittenAndLeavesNothingElse) {
    const TemporaryFolder folder;
    const std::string content("with a \0 inside\n", 16);
    writeFileAtomically(folder / "a.txt", "first");
    writeFileAtomically(folder / "a.txt", content);
    EXPECT_EQ(contentOf(folder / "a.txt"), content);
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(AtomicFile, KeepsTheOldFileWhenTheWriterFails) {
    const TemporaryFolder folder;
    writeFileAtomically(folder / "a.txt", "old");
    const auto failing = [](const std::filesystem::path& temporary) {
        std::ofstream(temporary) << "half of the ne";
        throw RunError("out of luck");
    };
    EXPECT_EQ(failureOf([&] { replaceFileAtomically(folder / "a.txt", failing); }), "out of luck");
    EXPECT_EQ(contentOf(folder / "a.txt"), "old");
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(AtomicFile, KeepsTheOldGenerationUnderItsOtherName) {
    const TemporaryFolder folder;
    const auto writeNumber = [&](const std::string& number) {
        replaceFileAtomically(
            folder / "a", [&](const std::filesystem::path& temporary) { std::ofstream(temporary) << number; },
            folder / "a.previous");
    };
    writeNumber("1");
    EXPECT_FALSE(std::filesystem::exists(folder / "a.previous"));
    writeNumber("2");
    writeNumber("3");
    EXPECT_EQ(contentOf(folder / "a"), "3");
    EXPECT_EQ(contentOf(folder / "a.previous"), "2");
    EXPECT_EQ(filesIn(folder.path()), 2u);
}

// In a process of its own; true if it ends well.
bool inAnotherProcess(const std::function<bool()>& action) {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(action() ? 0 : 1);
    int status = -1;
    return ::waitpid(child, &status, 0) == child && status == 0;
}

// Each writes 1000 bytes of its own letter, again and again.
TEST(AtomicFile, IsAlwaysWholeWhenTwoProcessesWriteItAtTheSameTime) {
    const TemporaryFolder folder;
    const auto writeMany = [&](char letter) {
        for (int k = 0; k < 100; ++k) writeFileAtomically(folder / "a.txt", std::string(1000, letter));
    };
    const pid_t other = ::fork();
    if (other == 0) ::_exit(failureOf([&] { writeMany('b'); }).empty() ? 0 : 1);
    EXPECT_EQ(failureOf([&] { writeMany('a'); }), "");
    int status = -1;
    ASSERT_EQ(::waitpid(other, &status, 0), other);
    EXPECT_EQ(status, 0);
    const std::string content = contentOf(folder / "a.txt");
    EXPECT_TRUE(content == std::string(1000, 'a') || content == std::string(1000, 'b')) << content;
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(AtomicFile, IsNotWrittenThroughALinkThatSomebodyPutInTheWay) {
    const TemporaryFolder folder;
    std::ofstream(folder / "precious") << "precious";
    const auto follow = [&](const std::filesystem::path& temporary) {
        EXPECT_EQ(std::filesystem::file_size(temporary), 0u);
        EXPECT_FALSE(std::filesystem::is_symlink(temporary));
        std::ofstream(temporary) << "new";
    };
    std::filesystem::create_symlink("precious", folder / ".a.txt.tmp");
    std::filesystem::create_symlink("precious", folder / "a.txt");
    replaceFileAtomically(folder / "a.txt", follow);
    EXPECT_EQ(contentOf(folder / "precious"), "precious");
    EXPECT_EQ(contentOf(folder / "a.txt"), "new");
}

TEST(AtomicFile, LeftoversOfProcessesThatHaveEndedAreRemovedAndThoseOfOthersStay) {
    const TemporaryFolder folder;
    EXPECT_TRUE(inAnotherProcess([&] {
        replaceFileAtomically(folder / "a.txt", [](const std::filesystem::path&) { ::_exit(0); });
        return false;
    }));
    std::ofstream(folder / ".talus.tmp") << "of nobody";
    std::ofstream(folder / "series.csv") << "a result";
    EXPECT_EQ(filesIn(folder.path()), 3u);
    replaceFileAtomically(folder / "b.txt", [&](const std::filesystem::path& mine) {
        removeLeftovers(folder.path());
        EXPECT_TRUE(std::filesystem::exists(mine));
    });
    EXPECT_EQ(filesIn(folder.path()), 3u) << "b.txt in place of the leftover";
    EXPECT_NO_THROW(removeLeftovers(folder / "nowhere"));
}

TEST(AtomicFile, SaysWhichFileCouldNotBeWrittenAndWhatToDo) {
    const TemporaryFolder folder;
    const std::string message = failureOf([&] { writeFileAtomically(folder / "gone/a.txt", "text"); });
    EXPECT_NE(message.find("gone/a.txt"), std::string::npos) << message;
    EXPECT_NE(message.find("No such file or directory"), std::string::npos) << message;
    EXPECT_NE(message.find("-o"), std::string::npos) << message;

    std::ofstream(folder / "file") << "x";
    EXPECT_NE(failureOf([&] { makeFolder(folder / "file/sub"); }).find("is a file"), std::string::npos);
    EXPECT_NE(failureOf([&] { makeFolder(folder / "file"); }).find("is a file"), std::string::npos);
}

TEST(AtomicFile, RefusesAFolderWithoutPermissionToWrite) {
    const TemporaryFolder folder;
    ::chmod(folder.path().c_str(), 0555);
    const pid_t child = ::fork();
    if (child == 0) {
        // Root may write everywhere, so the test becomes nobody.
        if (::geteuid() == 0 && ::setresuid(65534, 65534, 65534) != 0) ::_exit(2);
        const std::string message = failureOf([&] { writeFileAtomically(folder / "a.txt", "text"); });
        ::_exit(message.find("a.txt: Permission denied; you may not write there") != std::string::npos ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(filesIn(folder.path()), 0u);
    ::chmod(folder.path().c_str(), 0755);
}

// A limit on the size of files stands for a full disk: the write stops half way with an error.
TEST(AtomicFile, LosesNothingWhenTheDiskTakesOnlyHalf) {
    const TemporaryFolder folder;
    writeFileAtomically(folder / "a.txt", "old");
    const pid_t child = ::fork();
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{100, 100};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const std::string message = failureOf([&] { writeFileAtomically(folder / "a.txt", std::string(1000, 'x')); });
        ::_exit(message.find("a.txt: File too large") != std::string::npos ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    EXPECT_EQ(contentOf(folder / "a.txt"), "old");
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(Reports, SummaryHasTheNamesThatOtherProgramsRelyOn) {
    const TemporaryFolder folder;
    writeSummary(folder.path(), {.status = "finished",
                                 .time = 0.1,
                                 .steps = 12,
                                 .state_hash = hexHash(0xABCDEFu),
                                 .results = {{"void_ratio", 0.62}},
                                 .message = "bad \xff text"});
    const auto json = nlohmann::json::parse(contentOf(folder / "summary.json"));
    for (const char* name : {"status", "time", "steps", "wall_seconds", "threads", "state_hash", "bodies", "contacts",
                             "max_overlap", "unconverged_steps", "results", "message"}) {
        EXPECT_TRUE(json.contains(name)) << name;
    }
    EXPECT_EQ(json["time"].get<double>(), 0.1);
    EXPECT_EQ(json["state_hash"], "0000000000abcdef");
    EXPECT_EQ(json["results"]["void_ratio"], 0.62);
}

TEST(Reports, RunJsonTellsSceneAndMachine) {
    const TemporaryFolder folder;
    writeRunJson(
        folder.path(),
        {.scene = {{"gravity", {0, 0, -9.81}}}, .version = "0.1.0", .seed = 7, .threads = 2, .innerLoop = "avx2"});
    const auto json = nlohmann::json::parse(contentOf(folder / "run.json"));
    EXPECT_EQ(json["scene"]["gravity"][2], -9.81);
    EXPECT_EQ(json["seed"], 7);
    EXPECT_GE(json["machine"]["cores"].get<int>(), 1);
    EXPECT_GT(json["machine"]["memory_bytes"].get<std::uint64_t>(), std::uint64_t{1} << 26);
    EXPECT_FALSE(json["machine"]["cpu"].get<std::string>().empty());
}

}  // namespace
}  // namespace talus
