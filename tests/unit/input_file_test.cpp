// Files that a user names are files, of a size that makes sense; whatever else stands under the name is refused by
// name.
#include "base/input_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "formats/png_file.hpp"
#include "geometry/mesh/mesh_reader.hpp"
#include "grains/surface_fit.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/fclib/fclib.hpp"
#include "io/scene/csv_bodies.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;
using output_samples::TemporaryFolder;

template <class Read>
std::string errorOf(Read&& read) {
    try {
        read();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no InputError";
}

// Every reader of a file that a scene or a command line can name.
std::vector<std::function<void(const fs::path&)>> readers() {
    return {[](const fs::path& file) { readInput(file, {.name = "a file"}); },
            [](const fs::path& file) { readMesh(file, 1); },
            [](const fs::path& file) { readCsvBodies(file, 100, 0); },
            [](const fs::path& file) { readPng(file); },
            [](const fs::path& file) { readGrains(file); },
            [](const fs::path& file) { readSurface(file, 1); },
            [](const fs::path& file) { readPointCloud(file, 1); },
            [](const fs::path& file) { readOutlinePoints(file); },
            [](const fs::path& file) { readFclib(file); }};
}

TEST(InputFile, AnEndlessDeviceIsRefusedByEveryReader) {
    const TemporaryFolder folder;
    fs::create_symlink("/dev/zero", folder / "zero.stl");
    for (const auto& read : readers()) {
        const std::string error = errorOf([&] { read(folder / "zero.stl"); });
        EXPECT_NE(error.find("zero.stl: is "), std::string::npos) << error;
    }
}

TEST(InputFile, AFolderIsCalledOne) {
    const TemporaryFolder folder;
    fs::create_directory(folder / "folder.stl");
    for (const auto& read : readers()) {
        const std::string error = errorOf([&] { read(folder / "folder.stl"); });
        EXPECT_NE(error.find("folder.stl: is "), std::string::npos) << error;
        EXPECT_EQ(error.find("filebuf"), std::string::npos) << error;
    }
}

TEST(InputFile, APipeThatNobodyWritesToIsNotWaitedFor) {
    const TemporaryFolder folder;
    ASSERT_EQ(::mkfifo((folder / "pipe.stl").c_str(), 0600), 0);
    for (const auto& read : readers()) {
        const std::string error = errorOf([&] { read(folder / "pipe.stl"); });
        EXPECT_NE(error.find("pipe.stl: is "), std::string::npos) << error;
    }
}

TEST(InputFile, OneThatIsTooLargeIsRefusedBeforeItIsRead) {
    const TemporaryFolder folder;
    std::ofstream(folder / "large") << "some bytes";
    fs::resize_file(folder / "large", std::uintmax_t{3} << 20);
    EXPECT_EQ(errorOf([&] { readInput(folder / "large", {.name = "a file", .mostMebibytes = 2}); }),
              (folder / "large").string() + ": has 3 MiB, more than the 2 MiB that a file can have");
    EXPECT_EQ(readInput(folder / "large", {.name = "a file", .mostMebibytes = 3}).size(), std::size_t{3} << 20);
}

TEST(InputFile, AMissingOneIsSaidToBeMissing) {
    const TemporaryFolder folder;
    for (const auto& read : readers()) {
        const std::string error = errorOf([&] { read(folder / "none.stl"); });
        EXPECT_NE(error.find("there is no such file"), std::string::npos) << error;
    }
}

}  // namespace
}  // namespace talus
