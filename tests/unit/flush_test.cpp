// Frames are many: they go to the disk together, before a checkpoint relies on them. Calls of fsync() are counted by a
// function of that name in front of the one of the system.
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>

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

TEST(Flush, OfFramesWaitsForTheCheckpointButTheirIndexIsAlwaysOnTheDisk) {
    const TemporaryFolder folder;
    FrameWriter frames(folder.path());
    WorldState world = emptyScene();
    const int perFrame = flushesIn([&] { frames.write(world, {}); });
    EXPECT_EQ(perFrame, 2);
    world.time = 1;
    frames.write(world, {});
    EXPECT_EQ(flushesIn([&] { frames.flush(); }), 2 * 3 + 1);  // bodies, contacts and walls of each, and the folder
    EXPECT_EQ(flushesIn([&] { frames.flush(); }), 0);
}

}  // namespace
}  // namespace talus
