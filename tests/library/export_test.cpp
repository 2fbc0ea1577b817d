// Results of runs as tables. That numpy and Python's csv read them is tested in python/tests/test_results.py.
#include "talus/export.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <fstream>
#include <iterator>

#include "talus/error.hpp"
#include "talus/simulation.hpp"

namespace talus {
namespace {

namespace fs = std::filesystem;

class Export : public testing::Test {
protected:
    Export() {
        std::string pattern = (fs::temp_directory_path() / "talus-export-XXXXXX").string();
        if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
        folder = pattern;
        const Scene scene = parseScene(
            "materials: {glass: {}}\n"
            "bodies:\n"
            "  - {shape: sphere, radius: 0.25, position: [0.5, 0, 1], velocity: [0, 0.125, 0], material: glass}\n"
            "  - {shape: sphere, radius: 0.5, position: [3, 0, 1], material: glass, group: big}\n"
            "gravity: [0, 0, 0]\n"
            "run: {time: 2 ms, step: 1 ms}\n"
            "output: {plots: false, frames: 1 ms}\n",
            "two.yaml", ".");
        runScene(scene, {.folder = folder / "run", .threads = 1});
    }
    ~Export() override {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    static std::string textOf(const fs::path& file) {
        std::ifstream in(file, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }
    fs::path folder;
};

TEST_F(Export, WritesATableOfEachFrame) {
    const std::vector<fs::path> files = exportRun(folder / "run", {.folder = folder / "tables"});
    ASSERT_EQ(files.size(), 7u);  // bodies and contacts of three frames, and their times
    const std::string table = textOf(files.front());
    EXPECT_EQ(table.substr(0, table.find("id")), "position_x [m],position_y [m],position_z [m],");
    EXPECT_NE(table.find("\n0.5,0,1,0,0.25,0,0.125,0,"), std::string::npos);
    EXPECT_NE(table.find(",big,glass,"), std::string::npos);
    EXPECT_EQ(textOf(folder / "tables/frames.csv"),
              "frame,time [s],bodies,contacts\n"
              "0,0,bodies_000000.csv,contacts_000000.csv\n"
              "1,0.001,bodies_000001.csv,contacts_000001.csv\n"
              "2,0.002,bodies_000002.csv,contacts_000002.csv\n");
}

TEST_F(Export, WritesTheSameArchiveWhenever) {
    const ExportOptions first{.format = TableFormat::npz, .folder = folder / "a", .frames = {-1}};
    const ExportOptions second{.format = TableFormat::npz, .folder = folder / "b", .frames = {2}};
    const std::vector<fs::path> a = exportRun(folder / "run", first), b = exportRun(folder / "run", second);
    ASSERT_EQ(a.size(), 2u);
    EXPECT_EQ(a.front().filename(), "frame_000002.npz");
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_EQ(textOf(a[k]), textOf(b[k]));
}

TEST_F(Export, RefusesWhatIsNotThere) {
    EXPECT_THROW(exportRun(folder, {}), InputError);
    EXPECT_THROW(exportRun(folder / "run", {.frames = {3}}), InputError);
    EXPECT_THROW(exportRun(folder / "run", {.frames = {-4}}), InputError);
    EXPECT_FALSE(fs::exists(folder / "run/export"));
}

}  // namespace
}  // namespace talus
