#include "io/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>

#include "formats/hdf5_file.hpp"
#include "io/checkpoint/seal.hpp"
#include "talus/error.hpp"
#include "unit/output_samples.hpp"
#include "unit/sample_meshes.hpp"

namespace talus {
namespace {

using namespace output_samples;

template <class T>
void expectSameBits(const char* name, const T& a, const T& b) {
    EXPECT_EQ(std::memcmp(&a, &b, sizeof(T)), 0) << name;
}

// All that the fields list, down to the rows.
template <class T>
void expectSameFields(const std::string& name, const T& a, const T& b) {
    if constexpr (Row<T>) {
        expectSameBits(name.c_str(), a, b);
    } else if constexpr (isVariant<T>) {
        ASSERT_EQ(a.index(), b.index()) << name;
        std::visit([&]<class Model>(const Model& of) { expectSameFields(name, of, std::get<Model>(b)); }, a);
    } else if constexpr (isVector<T>) {
        ASSERT_EQ(a.size(), b.size()) << name;
        for (std::size_t k = 0; k < a.size(); ++k) expectSameFields(name, a[k], b[k]);
    } else {
        visitFields([&](const auto& field, const auto& ofA,
                        const auto& ofB) { expectSameFields(name + "/" + field.name, ofA, ofB); },
                    a, b);
    }
}

void expectSameBits(const WorldState& a, const WorldState& b) {
    expectSameFields("", a, b);
    EXPECT_EQ(stateHash(a), stateHash(b));
}

std::string inputErrorOf(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no InputError";
}

std::string loadErrorOf(const std::filesystem::path& file, const WorldState& scene = emptyScene()) {
    WorldState world = scene;
    return inputErrorOf([&] { loadCheckpoint(file, world); });
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void overwrite(const std::filesystem::path& file, const std::string& content) {
    std::filesystem::remove(file);  // some file systems flush a file that is emptied and written again, which is slow
    std::ofstream(file, std::ios::binary) << content;
}

TEST(Checkpoint, BringsBackEveryBit) {
    const TemporaryFolder folder;
    const WorldState world = oddWorld();
    const CheckpointExtra extra{.scene = "bodies:\n  - radius: 1 mm # caf\xc3\xa9\n", .extra = R"({"frames": 3})"};
    saveCheckpoint(folder / "checkpoint.h5", world, extra);
    WorldState loaded = emptyScene();
    const CheckpointExtra found = loadCheckpoint(folder / "checkpoint.h5", loaded);
    expectSameBits(world, loaded);
    EXPECT_EQ(found.scene, extra.scene);
    EXPECT_EQ(found.extra, extra.extra);
}

TEST(Checkpoint, BringsBackWorldsWithoutContactsOrGrains) {
    const TemporaryFolder folder;
    WorldState noContacts = emptyScene();
    addGrains(noContacts, {{.radius = 0.1}});
    WorldState stale = settledWorld(2);  // grains came and went since the lists were made
    std::vector<char> remove(stale.bodies.grainCount, 0);
    remove[3] = 1;
    removeGrains(stale, remove);
    addGrains(stale, {{.radius = 0.1, .position = {0, 0, 5}}, {.radius = 0.2, .position = {0, 0, 6}}});
    for (const WorldState& world : {emptyScene(), noContacts, stale}) {
        saveCheckpoint(folder / "checkpoint.h5", world, {});
        WorldState loaded = emptyScene();
        EXPECT_EQ(loadCheckpoint(folder / "checkpoint.h5", loaded).scene, "");
        expectSameBits(world, loaded);
    }
}

TEST(Checkpoint, IsRefusedIfAFileOfAShapeHasChangedSince) {
    const TemporaryFolder folder;
    WorldState world = emptyScene();
    world.shapes.add(makeMesh(boxMesh({1, 1, 1})).shape);
    saveCheckpoint(folder / "c.h5", world, {});
    EXPECT_EQ(loadErrorOf(folder / "c.h5", world), "no InputError");
    WorldState other = world;
    other.shapes.keepFirst(4);
    other.shapes.add(makeMesh(boxMesh({1, 1, 1 + 1e-12})).shape);
    EXPECT_TRUE(contains(loadErrorOf(folder / "c.h5", other), "shape 5 of 5, a mesh, is not that of the run: a file"));
    other.shapes.keepFirst(4);
    EXPECT_TRUE(contains(loadErrorOf(folder / "c.h5", other), "the run had 5 shapes and the scene makes 4"));
}

TEST(Checkpoint, TheSameStateGivesTheSameFile) {
    const TemporaryFolder folder;
    saveCheckpoint(folder / "a.h5", oddWorld(), {.scene = "x"});
    saveCheckpoint(folder / "b.h5", oddWorld(), {.scene = "x"});
    EXPECT_EQ(contentOf(folder / "a.h5"), contentOf(folder / "b.h5"));
}

TEST(Checkpoint, KeepsTwoGenerations) {
    const TemporaryFolder folder;
    WorldState world = oddWorld();
    for (const double time : {1.0, 2.0, 3.0}) {
        world.time = time;
        saveCheckpoint(folder / "checkpoint.h5", world, {});
    }
    WorldState loaded = emptyScene();
    loadCheckpoint(folder / "checkpoint.h5", loaded);
    EXPECT_EQ(loaded.time, 3);
    loadCheckpoint(folder / "checkpoint.previous.h5", loaded);
    EXPECT_EQ(loaded.time, 2);
    EXPECT_EQ(filesIn(folder.path()), 2u);
}

TEST(Checkpoint, FallsBackToTheOlderGenerationAndSaysSo) {
    const TemporaryFolder folder;
    WorldState world = oddWorld();
    world.time = 1;
    saveCheckpoint(folder / "checkpoint.h5", world, {.scene = "old"});
    world.time = 2;
    saveCheckpoint(folder / "checkpoint.h5", world, {.scene = "new"});
    FoundCheckpoint found = latestCheckpoint(folder.path());
    EXPECT_EQ(found.extra.scene, "new");
    EXPECT_EQ(found.time, 2);
    EXPECT_EQ(found.step, world.step);
    EXPECT_EQ(found.warning, "");

    const std::string whole = contentOf(folder / "checkpoint.h5");
    overwrite(folder / "checkpoint.h5", whole.substr(0, whole.size() / 2));
    found = latestCheckpoint(folder.path());
    EXPECT_EQ(found.file, folder / "checkpoint.previous.h5");
    EXPECT_EQ(found.extra.scene, "old");
    EXPECT_TRUE(contains(found.warning, "checkpoint.h5: is cut short")) << found.warning;
    EXPECT_TRUE(contains(found.warning, "checkpoint.previous.h5")) << found.warning;

    std::filesystem::remove(folder / "checkpoint.h5");  // the machine stopped between two renames
    EXPECT_EQ(latestCheckpoint(folder.path()).extra.scene, "old");
    overwrite(folder / "checkpoint.previous.h5", "rubbish");
    EXPECT_THROW(latestCheckpoint(folder.path()), InputError);
    std::filesystem::remove(folder / "checkpoint.previous.h5");
    EXPECT_TRUE(contains(inputErrorOf([&] { latestCheckpoint(folder.path()); }), "no checkpoint.h5 here"));
}

TEST(Checkpoint, RefusesEveryFileThatWasCutShort) {
    const TemporaryFolder folder;
    saveCheckpoint(folder / "a.h5", settledWorld(2), {.scene = "scene"});
    const std::string whole = contentOf(folder / "a.h5");
    for (std::size_t size = 0; size < whole.size(); size += 1 + size / 7) {
        overwrite(folder / "b.h5", whole.substr(0, size));
        EXPECT_TRUE(contains(loadErrorOf(folder / "b.h5"), "is cut short")) << size;
    }
    overwrite(folder / "b.h5", whole + "more");
    EXPECT_TRUE(contains(loadErrorOf(folder / "b.h5"), "was added to"));
}

TEST(Checkpoint, RefusesEveryFlippedByte) {
    const TemporaryFolder folder;
    saveCheckpoint(folder / "a.h5", settledWorld(2), {.scene = "scene"});
    const std::string whole = contentOf(folder / "a.h5");
    for (std::size_t place = 0; place < whole.size(); place += 1 + place / 97) {
        std::string damaged = whole;
        damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
        overwrite(folder / "b.h5", damaged);
        EXPECT_NE(loadErrorOf(folder / "b.h5"), "no InputError") << place;
    }
}

TEST(Checkpoint, TellsOtherFilesAndOtherFormatsApart) {
    const TemporaryFolder folder;
    overwrite(folder / "a.h5", std::string(2000, 'x'));
    EXPECT_TRUE(contains(loadErrorOf(folder / "a.h5"), "is not a checkpoint of Talus"));
    EXPECT_TRUE(contains(loadErrorOf(folder / "none.h5"), "cannot be opened"));

    saveCheckpoint(folder / "a.h5", settledWorld(2), {});
    std::string later = contentOf(folder / "a.h5");
    const std::string known = fmt::format("format {}", checkpointFormat),
                      unknown = fmt::format("format {}", checkpointFormat + 1);
    later.replace(later.find(known), known.size(), unknown);
    overwrite(folder / "a.h5", later);
    EXPECT_TRUE(contains(loadErrorOf(folder / "a.h5"), unknown + ", but this version of Talus reads " + known));
}

// A file with a right checksum and wrong content: made by another program, or by a fault of ours.
template <class T>
std::string errorAfterSetting(const std::string& dataset, std::size_t place, T value, hid_t type) {
    const TemporaryFolder folder;
    saveCheckpoint(folder / "a.h5", settledWorld(3), {});
    {
        const Hdf5Id file(H5Fopen((folder / "a.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, "file");
        const Hdf5Id data(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT), H5Dclose, dataset);
        std::vector<T> values(H5Dget_storage_size(data) / sizeof(T));
        H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
        values.at(place) = value;
        H5Dwrite(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
    }
    sealFile(folder / "a.h5");
    return loadErrorOf(folder / "a.h5");
}

TEST(Checkpoint, RefusesNumbersThatNoStepCanStartFrom) {
    const double nan = std::nan("");
    EXPECT_TRUE(contains(errorAfterSetting("bodies/position", 4, nan, H5T_NATIVE_DOUBLE), "bodies/position[1] is not"));
    EXPECT_TRUE(
        contains(errorAfterSetting("bodies/radius", 2, -1.0, H5T_NATIVE_DOUBLE), "bodies/radius[2] must be > 0"));
    EXPECT_TRUE(contains(errorAfterSetting("time", 0, nan, H5T_NATIVE_DOUBLE), "time"));
    EXPECT_TRUE(contains(errorAfterSetting("contacts/memory/tangent", 5, nan, H5T_NATIVE_DOUBLE), "tangent[1]"));
}

TEST(Checkpoint, RefusesIndicesThatPointNowhere) {
    const auto u16 = H5T_NATIVE_UINT16;
    const auto u32 = H5T_NATIVE_UINT32;
    const auto u64 = H5T_NATIVE_UINT64;
    EXPECT_TRUE(contains(errorAfterSetting("bodies/material", 3, std::uint16_t{9}, u16), "bodies/material[3]"));
    EXPECT_TRUE(contains(errorAfterSetting("bodies/shape", 3, std::uint16_t{1}, u16), "bodies/shape[3]"));
    EXPECT_TRUE(contains(errorAfterSetting("bodies/motion", 3, std::uint16_t{0}, u16), "bodies/motion[3]"));
    EXPECT_TRUE(contains(errorAfterSetting("bodies/guide", 3, std::uint16_t{0}, u16), "bodies/guide[3]"));
    EXPECT_TRUE(contains(errorAfterSetting("bodies/group", 3, std::uint16_t{2}, u16), "bodies/group[3]"));
    EXPECT_TRUE(contains(errorAfterSetting("bodies/id", 3, 4u, u32), "id"));
    EXPECT_TRUE(contains(errorAfterSetting("bodies/row", 3, 27u, u32), "bodies/row[3]"));
    EXPECT_TRUE(contains(errorAfterSetting("bodies/grainCount", 0, std::uint64_t{31}, u64), "more grains than bodies"));
    EXPECT_TRUE(
        contains(errorAfterSetting("bodies/grainCount", 0, std::uint64_t{26}, u64), "4 walls, the scene has 3"));
    EXPECT_TRUE(contains(errorAfterSetting("contacts/grains/partner", 3, 27u, u32), "partner[3] is not a grain"));
    EXPECT_TRUE(contains(errorAfterSetting("contacts/grains/rowStart", 3, 999u, u32), "rowStart must not fall"));
    EXPECT_TRUE(contains(errorAfterSetting("contacts/grains/rowStart", 27, 17u, u32), "does not span"));
    EXPECT_TRUE(contains(errorAfterSetting("contacts/walls/candidate", 5, 1u << 16, u32), "contacts/walls[2]"));
    EXPECT_TRUE(contains(errorAfterSetting("contacts/walls/candidate", 5, 3u, u32), "contacts/walls[2]"));
    EXPECT_TRUE(contains(errorAfterSetting("contacts/stale", 0, std::uint8_t{2}, H5T_NATIVE_UINT8), "neither true"));
    EXPECT_TRUE(contains(errorAfterSetting("contacts/memory/model", 0, std::uint64_t{4}, u64), "is not known"));
}

TEST(Checkpoint, RefusesTheSceneOfAnotherRunAndLeavesTheWorldAlone) {
    const TemporaryFolder folder;
    saveCheckpoint(folder / "a.h5", settledWorld(2), {});
    WorldState other = emptyScene();
    addBody(other, {.shape = 1});
    other.sinks.resize(3);
    const std::uint64_t before = stateHash(other);
    EXPECT_TRUE(contains(inputErrorOf([&] { loadCheckpoint(folder / "a.h5", other); }), "3 walls, the scene has 4"));
    EXPECT_EQ(stateHash(other), before);
    other = emptyScene();
    other.sinks.resize(3);
    EXPECT_TRUE(contains(inputErrorOf([&] { loadCheckpoint(folder / "a.h5", other); }), "sources and sinks"));
}

TEST(Checkpoint, ABrokenStateDoesNotReplaceTheLastGoodOne) {
    const TemporaryFolder folder;
    WorldState world = settledWorld(2);
    saveCheckpoint(folder / "checkpoint.h5", world, {});
    const std::string good = contentOf(folder / "checkpoint.h5");
    world.bodies.velocity[1].y = std::nan("");
    try {
        saveCheckpoint(folder / "checkpoint.h5", world, {});
        FAIL() << "a state with NaN was written";
    } catch (const RunError& error) {
        EXPECT_TRUE(contains(error.what(), "bodies/velocity[1]")) << error.what();
    }
    EXPECT_EQ(contentOf(folder / "checkpoint.h5"), good);
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

// Limits on the size of files from "nothing fits" to "almost all of it fits" stand for a disk that fills up.
TEST(Checkpoint, AFullDiskGivesAClearErrorAndLosesNothing) {
    const TemporaryFolder folder;
    const WorldState world = settledWorld(6);
    saveCheckpoint(folder / "checkpoint.h5", world, {});
    const std::string good = contentOf(folder / "checkpoint.h5");
    for (const std::size_t room :
         {std::size_t{0}, std::size_t{600}, std::size_t{3000}, good.size() / 2, good.size() - 1}) {
        const pid_t child = ::fork();
        if (child == 0) {
            ::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{room, room};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            int outcome = 1;
            try {
                saveCheckpoint(folder / "checkpoint.h5", world, {});
            } catch (const RunError& error) {
                outcome = contains(error.what(), "cannot write") && contains(error.what(), "checkpoint.h5") ? 0 : 2;
            }
            std::exit(outcome);  // through the end of HDF5, which must not mind
        }
        int status = -1;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0) << "with room for " << room << " bytes";
        EXPECT_EQ(contentOf(folder / "checkpoint.h5"), good);
        EXPECT_EQ(filesIn(folder.path()), 1u);
    }
}

}  // namespace
}  // namespace talus
