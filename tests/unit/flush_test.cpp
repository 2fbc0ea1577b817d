// Frames are many: they go to the disk together, before a checkpoint relies on them. Calls of fsync() and syncfs() are
// counted by functions of these names in front of those of the system.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/atomic_file.hpp"
#include "io/results/frames.hpp"
#include "unit/output_samples.hpp"

namespace {
std::atomic<int> flushes{0};
}

extern "C" int fsync(int file) {
    ++flushes;
    return static_cast<int>(::syscall(SYS_fsync, file));
}

extern "C" int syncfs(int file) {
    ++flushes;
    return static_cast<int>(::syscall(SYS_syncfs, file));
}

namespace talus {
namespace {

using output_samples::contentOf;
using output_samples::emptyScene;
using output_samples::filesIn;
using output_samples::TemporaryFolder;

int flushesIn(const std::function<void()>& action) {
    const int before = flushes;
    action();
    return flushes - before;
}

TEST(Flush, OfAFileAndItsFolderIsDoneAtOnceUnlessItMayWait) {
    const TemporaryFolder folder;
    const std::string_view text = "text";
    EXPECT_EQ(flushesIn([&] { writeFileAtomically(folder / "a", text); }), 2);
    EXPECT_EQ(flushesIn([&] { writeFileAtomically(folder / "b", {&text, 1}, Flush::later); }), 0);
    EXPECT_EQ(contentOf(folder / "b"), text);
    EXPECT_EQ(filesIn(folder.path()), 2u);
    EXPECT_EQ(flushesIn([&] { flushFiles({folder / "b", folder / "gone"}); }), 2);
}

TEST(Flush, OfManyFilesIsOneOfTheirFileSystem) {
    const TemporaryFolder folder;
    const std::string_view text = "text";
    std::vector<std::filesystem::path> files;
    for (int k = 0; k < 100; ++k) {
        files.push_back(folder / std::to_string(k));
        writeFileAtomically(files.back(), {&text, 1}, Flush::later);
    }
    EXPECT_EQ(flushesIn([&] { flushFiles(files); }), 1);
    EXPECT_EQ(flushesIn([&] { flushFiles({}); }), 0);
}

// Within a second: the index, brought to the disk with its folder, waits for the checkpoint as well.
TEST(Flush, OfFramesThatComeFastWaitsForTheCheckpoint) {
    const TemporaryFolder folder;
    FrameWriter frames(folder.path());
    WorldState world = emptyScene();
    const int perFrame = flushesIn([&] { frames.write(world, {}); });
    EXPECT_EQ(perFrame, 0);
    world.time = 1;
    frames.write(world, {});
    EXPECT_EQ(contentOf(folder / "frames.pvd").find("bodies_000001"), std::string::npos);
    EXPECT_EQ(flushesIn([&] { frames.flush(); }), 2 * 3 + 1 + 2);  // bodies, contacts, walls of each; folder; index
    EXPECT_NE(contentOf(folder / "frames.pvd").find("bodies_000001"), std::string::npos);
    EXPECT_EQ(flushesIn([&] { frames.flush(); }), 0);
}

TEST(Flush, OfFramesThatComeSlowlyBringsTheirIndexToTheDiskWithEach) {
    const TemporaryFolder folder;
    FrameWriter frames(folder.path());
    WorldState world = emptyScene();
    std::this_thread::sleep_for(std::chrono::milliseconds(1050));
    EXPECT_EQ(flushesIn([&] { frames.write(world, {}); }), 2);
    EXPECT_NE(contentOf(folder / "frames.pvd").find("bodies_000000"), std::string::npos);
}

}  // namespace
}  // namespace talus
