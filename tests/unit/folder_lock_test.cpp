// Who works in a folder: base/folder_lock.hpp and run/run_folder.hpp.
#include "base/folder_lock.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "run/run_folder.hpp"
#include "talus/error.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::contentOf;
using output_samples::filesIn;
using output_samples::TemporaryFolder;

constexpr auto keep = RunFolder::Replace::refused, replace = RunFolder::Replace::allowed;

template <class Error>
std::string refusal(const std::function<void()>& attempt) {
    try {
        attempt();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

// Takes the lock in a process of its own, tells so, and waits to be killed.
pid_t lockElsewhere(const std::filesystem::path& folder) {
    int ends[2];
    if (::pipe(ends) != 0) return -1;
    const pid_t other = ::fork();
    if (other == 0) {
        const auto lock = FolderLock::take(folder);
        if (!lock || ::write(ends[1], "x", 1) != 1) ::_exit(1);
        for (;;) ::pause();
    }
    char told = 0;
    const bool taken = ::read(ends[0], &told, 1) == 1;
    ::close(ends[0]);
    ::close(ends[1]);
    return taken ? other : -1;
}

void end(pid_t process) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
}

TEST(FolderLock, IsHeldOnceTellsByWhomAndLeavesNothing) {
    const TemporaryFolder folder;
    {
        const auto lock = FolderLock::take(folder.path());
        ASSERT_TRUE(lock);
        EXPECT_TRUE(lock->keepsOthersOut());
        EXPECT_FALSE(FolderLock::take(folder.path()));
        const std::string holder = FolderLock::holderOf(folder.path());
        EXPECT_TRUE(holder.starts_with("process " + std::to_string(::getpid()) + " on ")) << holder;
        EXPECT_NE(holder.find(", since 20"), std::string::npos) << holder;
    }
    EXPECT_EQ(filesIn(folder.path()), 0u);
    EXPECT_TRUE(FolderLock::take(folder.path()));
}

TEST(FolderLock, EndsWithItsProcessAndWhatThatLeavesLocksNothing) {
    const TemporaryFolder folder;
    const pid_t other = lockElsewhere(folder.path());
    ASSERT_GT(other, 0);
    EXPECT_FALSE(FolderLock::take(folder.path()));
    EXPECT_TRUE(FolderLock::holderOf(folder.path()).starts_with("process " + std::to_string(other)));
    end(other);
    EXPECT_EQ(filesIn(folder.path()), 1u);
    EXPECT_TRUE(FolderLock::take(folder.path()));
    EXPECT_EQ(filesIn(folder.path()), 0u);
}

TEST(FolderLock, GoesWithAFolderThatIsMoved) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder / "a");
    {
        const auto lock = FolderLock::take(folder / "a");
        std::filesystem::rename(folder / "a", folder / "b");
        EXPECT_TRUE(lock->isIn(folder / "b"));
        EXPECT_FALSE(lock->isIn(folder / "a"));
        EXPECT_FALSE(FolderLock::take(folder / "b"));
        std::filesystem::create_directory(folder / "a");
        EXPECT_TRUE(FolderLock::take(folder / "a"));
    }
    EXPECT_EQ(filesIn(folder / "b"), 0u);
}

TEST(FolderLock, IsNotThatOfAFileThatOthersPutInItsPlace) {
    const TemporaryFolder folder;
    const auto lock = FolderLock::take(folder.path());
    EXPECT_TRUE(lock->isOf(folder.path()));
    std::filesystem::remove(folder / FolderLock::fileName);
    EXPECT_FALSE(lock->isOf(folder.path()));
    const auto other = FolderLock::take(folder.path());
    EXPECT_TRUE(other);
    EXPECT_FALSE(lock->isOf(folder.path()));
}

TEST(FolderLock, NeverWritesThroughALink) {
    const TemporaryFolder folder;
    std::ofstream(folder / "precious") << "precious";
    std::filesystem::create_symlink("precious", folder / FolderLock::fileName);
    EXPECT_THROW(FolderLock::take(folder.path()), RunError);
    EXPECT_EQ(contentOf(folder / "precious"), "precious");
}

TEST(RunFolder, IsRefusedWhileAnotherRunHasItWhateverIsAllowed) {
    const TemporaryFolder folder;
    std::ofstream(folder / "run.json") << "{}";
    const pid_t other = lockElsewhere(folder.path());
    const std::string name = "process " + std::to_string(other);
    for (const auto allowed : {keep, replace}) {
        const std::string message = refusal<RunError>([&] { RunFolder::forNewRun(folder.path(), allowed); });
        EXPECT_NE(message.find("is in use by " + name), std::string::npos) << message;
    }
    EXPECT_NE(refusal<RunError>([&] { RunFolder::toGoOn(folder.path()); }).find(name), std::string::npos);
    EXPECT_EQ(contentOf(folder / "run.json"), "{}");
    end(other);
    EXPECT_NO_THROW(RunFolder::toGoOn(folder.path()));
}

TEST(RunFolder, ReplacesWhatHasANameOfItsResultsOnlyIfAllowed) {
    for (const char* name : {"run.json", "series.csv", "checkpoint.h5", "frames", "plots"}) {
        const TemporaryFolder folder;
        std::ofstream(folder / name) << "of somebody else";
        std::ofstream(folder / "notes.txt") << "never touched";
        const std::string message = refusal<InputError>([&] { RunFolder::forNewRun(folder.path(), keep); });
        EXPECT_NE(message.find("--overwrite"), std::string::npos) << message;
        EXPECT_EQ(contentOf(folder / name), "of somebody else");
        EXPECT_NO_THROW(RunFolder::forNewRun(folder.path(), replace));
        EXPECT_EQ(filesIn(folder.path()), 1u);
    }
}

TEST(RunFolder, RemovesFoldersOnlyWhereARunWas) {
    for (const bool isOfRun : {false, true}) {
        const TemporaryFolder folder;
        std::filesystem::create_directory(folder / "plots");
        std::ofstream(folder / "plots/mine.png") << "drawn by hand";
        if (isOfRun) std::ofstream(folder / "run.json") << "{}";
        RunFolder::forNewRun(folder.path(), replace);
        EXPECT_EQ(std::filesystem::exists(folder / "plots/mine.png"), !isOfRun);
    }
}

TEST(RunFolder, ALinkToWhatIsElsewhereCountsAndIsNotFollowed) {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "elsewhere/deep");
    std::filesystem::create_directory(folder / "out");
    std::filesystem::create_directory_symlink("../elsewhere", folder / "out/plots");
    EXPECT_NE(refusal<InputError>([&] { RunFolder::forNewRun(folder / "out", keep); }), "");
    RunFolder::forNewRun(folder / "out", replace);
    EXPECT_TRUE(std::filesystem::exists(folder / "elsewhere/deep"));
    EXPECT_EQ(filesIn(folder / "out"), 0u);
}

TEST(RunFolder, WithoutANameIsTheFirstThatNobodyHasOrHad) {
    const TemporaryFolder folder;
    const RunFolder first = RunFolder::firstFree(folder / "a"), second = RunFolder::firstFree(folder / "a");
    EXPECT_EQ(first.path(), folder / "a");
    EXPECT_EQ(second.path(), folder / "a-2");
    std::filesystem::create_directory(folder / "a-3");
    std::ofstream(folder / "a-3/series.csv") << "time [s]";
    EXPECT_EQ(RunFolder::firstFree(folder / "a").path(), folder / "a-4");
}

TEST(RunFolder, IsNoLongerThatOfARunFromWhichItWasTakenAway) {
    const TemporaryFolder folder;
    RunFolder mine = RunFolder::forNewRun(folder / "out", keep);
    EXPECT_NO_THROW(mine.requireMine());
    std::filesystem::remove(folder / "out" / FolderLock::fileName);
    EXPECT_NO_THROW(mine.requireMine());
    EXPECT_TRUE(mine.isMine());
    std::filesystem::remove_all(folder / "out");
    EXPECT_NE(refusal<RunError>([&] { mine.requireMine(); }).find("moved or removed"), std::string::npos);
    const RunFolder others = RunFolder::forNewRun(folder / "out", keep);
    EXPECT_THROW(mine.requireMine(), RunError);
    EXPECT_FALSE(mine.isMine());
}

TEST(FolderLock, NamesWhoHasJustTakenTheFolderAndWritesItsNameAMomentLater) {
    const TemporaryFolder folder;
    std::ofstream file(folder / FolderLock::fileName);
    std::thread holder([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        file << "process 7 on a machine" << std::flush;
    });
    EXPECT_EQ(FolderLock::holderOf(folder.path()), "process 7 on a machine");
    holder.join();
}

}  // namespace
}  // namespace talus
