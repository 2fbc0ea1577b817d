// What is kept comes back bit for bit: in memory, on disk, and with another stepper.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "sample_worlds.hpp"

namespace talus {
namespace {

std::filesystem::path scratchFile(const std::string& name) {
    return std::filesystem::temp_directory_path() /
           ("talus-keeping-" + std::to_string(::getpid()) + "-" + name + ".h5");
}

const std::vector<StepMethod>& methods() {
    static const std::vector<StepMethod> all{Penalty{.step = 5e-6}, Penalty{}, ContactDynamics{.step = 2.5e-4},
                                             ContactDynamics{}};
    return all;
}

// A force of the program that depends on where a ball is and how fast.
void addDrag(Stepper& stepper, BodyId ball) {
    stepper.addForce(
        [=](const World& w, Forces& f) { f.add(ball, -1e-3 * w.velocity(ball) - 0.01 * w.position(ball)); });
}

TEST(Keeping, ANewStepperBetweenAnyTwoStepsGivesTheSameBits) {
    for (const StepMethod& method : methods()) {
        World one = settlingWorld(), other = settlingWorld();
        const BodyId ball = one.group("grains").front();
        Stepper kept(method);
        addDrag(kept, ball);
        for (int k = 0; k < 60; ++k) {
            kept.step(one);
            Stepper fresh(method);
            addDrag(fresh, ball);
            fresh.step(other);
            ASSERT_EQ(one.stateHash(), other.stateHash()) << "step " << k << " of method " << method.index();
        }
    }
}

TEST(Keeping, ARestoredSnapshotGoesOnWithTheSameBits) {
    for (const StepMethod& method : methods()) {
        World world = settlingWorld();
        Stepper stepper(method);
        for (int k = 0; k < 80; ++k) stepper.step(world);
        const Snapshot snapshot = world.snapshot();
        const std::uint64_t then = world.stateHash();
        for (int k = 0; k < 80; ++k) stepper.step(world);
        const std::uint64_t later = world.stateHash();
        world.remove(world.group("grains").back());
        stepper.step(world);
        world.restore(snapshot);
        EXPECT_EQ(world.stateHash(), then);
        EXPECT_EQ(world.time(), snapshot.time());
        for (int k = 0; k < 80; ++k) stepper.step(world);
        EXPECT_EQ(world.stateHash(), later);
    }
}

TEST(Keeping, ASavedWorldGoesOnInAnotherOneMadeByTheSameCalls) {
    const std::filesystem::path file = scratchFile("goes-on");
    for (const StepMethod& method : methods()) {
        World world = settlingWorld();
        Stepper stepper(method);
        for (int k = 0; k < 80; ++k) stepper.step(world);
        world.save(file);
        World other = settlingWorld();
        other.load(file);
        EXPECT_EQ(other.stateHash(), world.stateHash());
        Stepper fresh(method);
        for (int k = 0; k < 80; ++k) {
            stepper.step(world);
            fresh.step(other);
        }
        EXPECT_EQ(other.stateHash(), world.stateHash());
        EXPECT_EQ(other.time(), world.time());
    }
    std::filesystem::remove(file);
    std::filesystem::remove(file.string().substr(0, file.string().size() - 3) + ".previous.h5");
}

TEST(Keeping, AFileOfAnotherWorldIsRefusedAndNothingChanges) {
    const std::filesystem::path file = scratchFile("refused");
    BallWorld ball;
    ball.world.save(file);
    World world = settlingWorld();
    const std::uint64_t before = world.stateHash();
    try {
        world.load(file);
        FAIL() << "was loaded";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("made by other calls"), std::string::npos) << error.what();
    }
    EXPECT_EQ(world.stateHash(), before);
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace talus
