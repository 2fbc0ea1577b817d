// Frames read back from the folder of a run, and runs that are looked at while they go on.
#include "talus/frames.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>
#include <map>

#include "talus/error.hpp"
#include "talus/simulation.hpp"
#include "temporary_folder.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

const char* const stones = R"(
materials: {stone: {density: 2500, youngs_modulus: 2 MPa, friction: 0.4}, glass: {density: 2600}}
bodies:
  - {shape: container, centre: [0, 0, 20 mm], size: [20 mm, 20 mm, 40 mm], open: [+z], material: glass}
  - {shape: box, size: [6 mm, 6 mm, 4 mm], position: [0, 0, 3 mm], fixed: true, material: stone, group: step}
  - {generate: lattice, lattice: sc, radius: 1 mm, origin: [-6 mm, -6 mm, 8 mm], count: [5, 5, 3], material: stone}
run: {time: 5 ms}
output: {plots: false}
)";

Scene sceneOf(const char* text, const std::vector<std::string>& overrides = {}) {
    return parseScene(text, "stones.yaml", ".", overrides);
}

RunOutcome runIn(const fs::path& folder, const Scene& scene, const std::function<RunWish(RunLook&)>& look = {}) {
    return runScene(scene, {.folder = folder, .overwrite = true, .threads = 2, .look = look});
}

std::string hashOf(const RunOutcome& outcome) {
    const std::size_t at = outcome.summary.find("\"state_hash\": \"");
    return outcome.summary.substr(at + 15, 16);
}

std::string bytesOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Frames, OfARunHaveTheBodiesAsTheyWere) {
    const test::TemporaryFolder folder;
    const Scene scene = sceneOf(stones);
    ASSERT_EQ(runIn(folder.path / "run", scene).status, "finished");
    const std::vector<FrameFiles> files = listFrames(folder.path / "run");
    ASSERT_EQ(files.size(), 51u);

    // The last frame against the same run in memory.
    Simulation sim(scene);
    while (!sim.finished()) sim.advance();
    const Frame frame = readFrame(files.back());
    EXPECT_EQ(frame.time, sim.time());
    std::map<double, BodyState> byId;
    for (const BodyState& body : sim.bodies()) byId[body.id] = body;
    const FrameArray *id = frame.bodies.find("id"), *radius = frame.bodies.find("radius"),
                     *velocity = frame.bodies.find("velocity"), *held = frame.bodies.find("held");
    ASSERT_TRUE(id != nullptr && radius != nullptr && velocity != nullptr && held != nullptr);
    ASSERT_EQ(frame.bodies.points.size(), 76u);
    for (std::size_t k = 0; k < frame.bodies.points.size(); ++k) {
        const BodyState& body = byId.at(id->values[k]);
        EXPECT_EQ(frame.bodies.points[k], body.position);
        EXPECT_EQ(radius->values[k], body.radius);
        EXPECT_EQ(velocity->values[3 * k + 2], body.velocity.z);
        EXPECT_EQ(held->values[k], body.group == "step" ? 1 : 0);
    }
    EXPECT_EQ(frame.contacts.points.size(), sim.contacts().size());
    EXPECT_EQ(frame.walls.ends.size(), 5u);  // faces of an open container
    EXPECT_EQ(frame.shapes.ends.size() * 3, frame.shapes.corners.size());
    EXPECT_EQ(frame.shapes.corners.size(), 36u);  // of a box
    EXPECT_EQ(frame.bodies.find("no such array"), nullptr);
}

TEST(Frames, AreNoneWhereNoneWereWritten) {
    const test::TemporaryFolder folder;
    EXPECT_TRUE(listFrames(folder.path).empty());
    EXPECT_THROW(readFrame({.time = 0, .bodies = folder.path / "gone.vtp"}), InputError);
}

TEST(Frames, DamagedInAnyByteAreReadOrRefused) {
    const test::TemporaryFolder folder;
    ASSERT_EQ(runIn(folder.path / "run", sceneOf(stones, {"run.time=0.1 ms"})).status, "finished");
    const FrameFiles files = listFrames(folder.path / "run").back();
    const fs::path damaged = folder.path / "damaged.vtp";
    int refused = 0, tried = 0;
    for (const fs::path& file : {files.bodies, files.contacts, files.walls, files.shapes}) {
        const std::string good = bytesOf(file);
        const auto tryIt = [&](const std::string& bytes) {
            std::ofstream(damaged, std::ios::binary) << bytes;
            ++tried;
            try {
                readFrame({.time = 0, .bodies = damaged});
            } catch (const InputError&) {
                ++refused;
            }
        };
        for (std::size_t k = 0; k < good.size(); k += 7) {
            std::string bad = good;
            bad[k] = static_cast<char>(bad[k] ^ (1 << (k % 8)));
            tryIt(bad);
        }
        for (std::size_t size = 0; size < good.size(); size += 97) tryIt(good.substr(0, size));
    }
    EXPECT_GT(refused, tried / 2);
    // Sizes that no machine has memory for are refused, not tried.
    std::string huge = bytesOf(files.bodies);
    huge.replace(huge.find("NumberOfPoints=\"") + 16, 2, "99999999999999");
    std::ofstream(damaged, std::ios::binary) << huge;
    EXPECT_THROW(readFrame({.time = 0, .bodies = damaged}), InputError);
}

TEST(LookAtScene, ShowsItBeforeItRuns) {
    const SceneLook look = lookAtScene(sceneOf(stones));
    EXPECT_EQ(look.frame.time, 0);
    EXPECT_EQ(look.frame.bodies.points.size(), 76u);
    EXPECT_EQ(look.names.groups.at(static_cast<std::size_t>(look.frame.bodies.find("group")->values[0])), "step");
    EXPECT_EQ(look.names.materials, (std::vector<std::string>{"glass", "stone"}));
    EXPECT_GT(look.stepLength, 0);
    EXPECT_FALSE(look.stepReason.empty());
}

class LookedAt : public testing::TestWithParam<const char*> {};

TEST_P(LookedAt, RunsEndWithTheSameBits) {
    const test::TemporaryFolder folder;
    const Scene scene = sceneOf(stones, {std::string("method=") + GetParam(), "run.time=0.5 ms"});
    const RunOutcome alone = runIn(folder.path / "alone", scene);
    std::size_t looks = 0;
    double before = 0;
    const RunOutcome watched = runIn(folder.path / "watched", scene, [&](RunLook& run) {
        const Frame frame = run.frame();
        EXPECT_EQ(frame.time, run.time());
        EXPECT_GE(run.time(), before);
        before = run.time();
        // Some looks pause, and some write a checkpoint.
        const std::size_t k = looks++;
        return k % 5 == 0 ? RunWish::pause : k % 7 == 3 ? RunWish::checkpoint : RunWish::goOn;
    });
    EXPECT_GT(looks, 7u);
    EXPECT_EQ(watched.status, "finished");
    EXPECT_EQ(hashOf(watched), hashOf(alone));
    EXPECT_EQ(bytesOf(folder.path / "watched/series.csv"), bytesOf(folder.path / "alone/series.csv"));
}
INSTANTIATE_TEST_SUITE_P(Methods, LookedAt, testing::Values("penalty", "contact-dynamics"),
                         [](const auto& one) { return one.param[0] == 'p' ? "Penalty" : "ContactDynamics"; });

TEST(LookedAtRun, StopsWhenAskedAndGoesOnToTheSameBits) {
    const test::TemporaryFolder folder;
    const Scene scene = sceneOf(stones, {"run.time=0.5 ms"});
    const RunOutcome alone = runIn(folder.path / "alone", scene);
    int steps = 0;
    const RunOutcome stopped = runIn(folder.path / "stopped", scene, [&](RunLook& run) {
        EXPECT_EQ(run.folder(), folder.path / "stopped");
        EXPECT_EQ(run.endTime(), 0.5e-3);
        return ++steps == 5 ? RunWish::stop : RunWish::goOn;
    });
    EXPECT_EQ(steps, 5);
    EXPECT_EQ(stopped.status, "interrupted");
    EXPECT_EQ(hashOf(resumeRun({.folder = folder.path / "stopped"})), hashOf(alone));
}

}  // namespace
}  // namespace talus
