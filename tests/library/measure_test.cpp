// What is measured of a world, and what is written of it, is the world as it is.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "sample_worlds.hpp"
#include "talus/measure.hpp"
#include "talus/results.hpp"

namespace talus {
namespace {

// A ball that lies on a plane and bears as much again.
BallWorld loadedBall() {
    BallWorld w;
    w.world.setPosition(w.ball, {0, 0, 5e-3});
    w.world.setLoad(w.ball, ConstantForce{{0, 0, -9.81 * w.world.mass(w.ball)}});
    Stepper stepper(ContactDynamics{.step = 1e-3, .tolerance = 1e-10});
    for (int k = 0; k < 10; ++k) stepper.step(w.world);
    return w;
}

TEST(Measure, StressIsTheForceTimesTheBranchOverTheVolume) {
    const BallWorld w = loadedBall();
    const double force = 2 * 9.81 * w.world.mass(w.ball), volume = 0.02 * 0.02 * 0.02;
    const Mat3 stress = stressIn(w.world, {{-0.01, -0.01, -0.01}, {0.01, 0.01, 0.01}});
    EXPECT_NEAR(stress(2, 2), force * 5e-3 / volume, 1e-6 * force * 5e-3 / volume);
    EXPECT_NEAR(stress(0, 0), 0, 1e-9 * stress(2, 2));
    const FabricState fabric = fabricOf(w.world);
    EXPECT_EQ(fabric.contacts, 1u);
    EXPECT_NEAR(fabric.tensor(2, 2), 1, 1e-12);
    EXPECT_THROW(stressIn(w.world, {{0, 0, 0}, {1, 1, 0}}), InputError);
}

TEST(Measure, ColumnsHaveTheNamesOfTheSeries) {
    const BallWorld w = loadedBall();
    EXPECT_EQ(measureColumn(w.world, "contacts"), 1);
    EXPECT_EQ(measureColumn(w.world, "grains"), 1);
    EXPECT_EQ(measureColumn(w.world, "energy_kinetic"), energyOf(w.world).kinetic);
    try {
        measureColumn(w.world, "contact");
        FAIL() << "there is no such column";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean 'contacts'"), std::string::npos) << error.what();
    }
}

TEST(Measure, RowsAndFramesAreWrittenWhenTheProgramLikes) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("talus-measure-" + std::to_string(::getpid()));
    World world = settlingWorld();
    Stepper stepper(Penalty{.step = 5e-6});
    std::vector<double> times, energies;
    {
        ResultWriter writer(folder);
        for (int k = 0; k < 3; ++k) {
            for (int step = 0; step < 50; ++step) stepper.step(world);
            writer.writeRow(world);
            writer.writeFrame(world);
            times.push_back(world.time());
            energies.push_back(energyOf(world).kinetic);
        }
    }
    const std::vector<std::vector<double>> columns = readSeriesColumns(folder, {"time", "energy_kinetic"});
    EXPECT_EQ(columns[0], times);
    EXPECT_EQ(columns[1], energies);
    EXPECT_TRUE(std::filesystem::exists(folder / "frames.pvd"));
    EXPECT_TRUE(std::filesystem::exists(folder / "frames" / "bodies_000002.vtp"));
    std::filesystem::remove_all(folder);
}

TEST(Measure, LookingChangesNothing) {
    World one = settlingWorld(), other = settlingWorld();
    Stepper first(Penalty{.step = 5e-6}), second(Penalty{.step = 5e-6});
    for (int k = 0; k < 100; ++k) {
        first.step(one);
        second.step(other);
        energyOf(other);
        fabricOf(other);
        other.contacts();
    }
    EXPECT_EQ(one.stateHash(), other.stateHash());
}

TEST(Measure, BitsDoNotDependOnThreads) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 3}) {
        useThreads(threads);
        World world = settlingWorld();
        Stepper stepper(ContactDynamics{.step = 2.5e-4});
        stepper.addForce([](const World& w, Forces& f) {
            for (std::size_t i = 0; i < w.bodyCount(); ++i) f.force()[i] += -1e-3 * w.velocities()[i];
        });
        for (int k = 0; k < 100; ++k) stepper.step(world);
        hashes.push_back(world.stateHash());
    }
    useThreads(0);
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

}  // namespace
}  // namespace talus
