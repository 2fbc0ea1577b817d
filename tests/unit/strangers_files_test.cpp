// Files whose insides bring the HDF5 library down are refused as any other damaged file.
#include <gtest/gtest.h>

#include "formats/foreign_hdf5.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/seal.hpp"
#include "io/fclib/fclib.hpp"
#include "source_folder.hpp"
#include "unit/fclib_samples.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::TemporaryFolder;

std::filesystem::path data(const std::string& name) { return sourceFolder() / "tests/unit/data" / name; }

TEST(ForeignHdf5, BringsBackWhatWasWritten) {
    const TemporaryFolder folder;
    const std::vector<double> numbers{1, -0.5, 1e300};
    Hdf5File out = Hdf5File::create(folder / "a.h5", 512);
    out.writeDataset("group/numbers", H5T_NATIVE_DOUBLE, {3, 1}, numbers.data());
    out.writeText("text", "some words");
    out.close();

    const ForeignHdf5 in(folder / "a.h5");
    EXPECT_TRUE(in.has("group/numbers"));
    EXPECT_FALSE(in.has("group/others"));
    EXPECT_TRUE(in.isWritten("group/numbers"));
    ASSERT_EQ(in.rowsOf("group/numbers", H5T_NATIVE_DOUBLE, 1), 3u);
    std::vector<double> read(3);
    in.readDataset("group/numbers", H5T_NATIVE_DOUBLE, std::as_writable_bytes(std::span(read)));
    EXPECT_EQ(read, numbers);
    EXPECT_EQ(in.readText("text"), "some words");
    EXPECT_THROW(in.rowsOf("group/numbers", H5T_NATIVE_INT32, 1), Hdf5Error);
    EXPECT_THROW(in.readDataset("group/numbers", H5T_NATIVE_DOUBLE, std::as_writable_bytes(std::span(read.data(), 2))),
                 Hdf5Error);
    EXPECT_THROW(in.readText("none"), Hdf5Error);
    EXPECT_EQ(in.readText("text"), "some words") << "a fault is not the end";
}

TEST(ForeignHdf5, TwoFilesAreReadSideBySide) {
    const ForeignHdf5 a(data("../../problems/data/NESpheres_30_1.hdf5")),
        b(data("../../problems/data/BoxesStack1-i100000-32.hdf5"));
    EXPECT_TRUE(a.has("/fclib_local") != a.has("/fclib_global"));
    EXPECT_TRUE(b.has("/fclib_local") != b.has("/fclib_global"));
}

TEST(StrangersFiles, ProblemsThatCrashHdf5AreRefusedOrReadAndWrittenAnew) {
    const TemporaryFolder folder;
    for (int k = 1; k <= 5; ++k) {
        const std::filesystem::path file = data("broken_problem_" + std::to_string(k) + ".hdf5");
        const std::string error = fclib_samples::inputErrorOf([&] {
            const FclibFile read = readFclib(file);
            writeFclibSolution(folder / "solved.hdf5", read, Reactions(read.problem.contactCount()));
            readFclib(folder / "solved.hdf5");
        });
        const bool isNamed = error.empty() || error.find(file.filename().string()) != std::string::npos;
        EXPECT_TRUE(isNamed) << error;
    }
}

TEST(StrangersFiles, ACheckpointThatCrashesHdf5IsRefusedHoweverWellItIsSealed) {
    const TemporaryFolder folder;
    std::filesystem::copy_file(data("broken_checkpoint.h5"), folder / "checkpoint.h5");
    sealFile(folder / "checkpoint.h5");
    const std::string error = fclib_samples::inputErrorOf([&] {
        WorldState world = output_samples::emptyScene();
        latestCheckpoint(folder.path());
        loadCheckpoint(folder / "checkpoint.h5", world);
    });
    EXPECT_NE(error.find("checkpoint.h5: is not a checkpoint that can be used"), std::string::npos) << error;
}

}  // namespace
}  // namespace talus
