#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "io/results/frames.hpp"
#include "io/results/vtk_xml.hpp"
#include "io/results/wall_geometry.hpp"
#include "source_folder.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using namespace output_samples;

// Reads one appended array back without VTK: finds it by name, follows its offset, inflates its blocks.
std::string arrayBytes(const std::string& file, const std::string& name) {
    const std::size_t element = file.find("Name=\"" + name + "\"");
    if (element == std::string::npos) return "no such array";
    const std::size_t offset = std::stoul(file.substr(file.find("offset=\"", element) + 8));
    const char* data = file.data() + file.find("<AppendedData encoding=\"raw\">\n_") + 31 + offset;
    const auto number = [&](std::size_t k) {
        std::uint64_t value = 0;
        std::memcpy(&value, data + 8 * k, 8);
        return value;
    };
    const std::uint64_t blocks = number(0);
    std::string bytes;
    std::size_t start = 8 * (3 + blocks);
    for (std::uint64_t k = 0; k < blocks; ++k) {
        const bool isPartial = k + 1 == blocks && number(2) != 0;
        std::string block(isPartial ? number(2) : number(1), '\0');
        uLongf size = block.size();
        const auto* compressed = reinterpret_cast<const Bytef*>(data + start);
        EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(block.data()), &size, compressed, number(3 + k)), Z_OK);
        EXPECT_EQ(size, block.size());
        start += number(3 + k);
        bytes += block;
    }
    return bytes;
}

template <class T>
std::vector<T> arrayOf(const std::filesystem::path& file, const std::string& name) {
    const std::string bytes = arrayBytes(contentOf(file), name);
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
}

TEST(VtkXml, InflatesToTheSameBitsOverSeveralBlocks) {
    const TemporaryFolder folder;
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{131072}, std::size_t{300001}}) {
        std::vector<double> values(count);
        for (std::size_t k = 0; k < count; ++k) values[k] = oddNumber(k) + static_cast<double>(k);
        PolyDataFile file;
        file.setPoints(std::vector<Vec3>(count));
        file.addPointArray("odd", values);
        file.write(folder / "a.vtp");
        const std::vector<double> read = arrayOf<double>(folder / "a.vtp", "odd");
        ASSERT_EQ(read.size(), count);
        if (count > 0) {
            EXPECT_EQ(std::memcmp(read.data(), values.data(), 8 * count), 0);
        }
    }
}

// A sphere, a cube of edge 2 and one of edge 4 in another group.
WorldState worldOfShapes() {
    WorldState w;
    w.materials.list = {{.name = "glass", .density = 1000}};
    w.groupNames = {"grains", "stones"};
    w.shapes.add(BoxShape{{1, 1, 1}, 0});
    addGrains(w, {{.radius = 1, .position = {9, 0, 0}},
                  {.shape = 1, .radius = std::sqrt(3.0), .velocity = {1, 2, 3}},
                  {.shape = 1, .radius = 2 * std::sqrt(3.0), .position = {0, 0, 10}, .group = 1}});
    return w;
}

TEST(Frames, ShapesAreTrianglesInPlaceWithTheStateOfTheirBodies) {
    const TemporaryFolder folder;
    FrameWriter frames(folder.path());
    frames.write(worldOfShapes(), {});
    const auto file = folder / "frames/shapes_000000.vtp";
    const auto ids = arrayOf<std::uint32_t>(file, "id");
    ASSERT_EQ(ids.size(), 24u);
    EXPECT_EQ(ids[0], 1u);
    EXPECT_EQ(ids[23], 2u);
    EXPECT_EQ(arrayOf<std::uint16_t>(file, "group")[12], 1);
    EXPECT_EQ(arrayOf<Vec3>(file, "velocity")[3], (Vec3{1, 2, 3}));
    const auto points = arrayOf<Vec3>(file, "Points");
    ASSERT_EQ(points.size(), 16u);
    for (std::size_t k = 0; k < 8; ++k) EXPECT_NEAR(std::abs(points[k].z), 1, 1e-12);
    for (std::size_t k = 8; k < 16; ++k) EXPECT_NEAR(std::abs(points[k].z - 10), 2, 1e-12);
    const auto corners = arrayOf<std::int64_t>(file, "connectivity");
    ASSERT_EQ(corners.size(), 72u);
    EXPECT_LT(*std::max_element(corners.begin(), corners.end()), 16);
    EXPECT_EQ(arrayOf<std::uint16_t>(folder / "frames/bodies_000000.vtp", "shape"),
              (std::vector<std::uint16_t>{0, 1, 1}));
    frames.flush();
    EXPECT_NE(contentOf(folder / "frames.pvd").find("frames/shapes_000000.vtp"), std::string::npos);
}

TEST(Frames, WithSpheresOnlyHaveNoShapes) {
    const TemporaryFolder folder;
    FrameWriter frames(folder.path());
    frames.write(settledWorld(2), {});
    EXPECT_FALSE(std::filesystem::exists(folder / "frames/shapes_000000.vtp"));
    EXPECT_EQ(contentOf(folder / "frames/bodies_000000.vtp").find("orientation"), std::string::npos);
}

TEST(Frames, ShapesStayInTheIndexOfAResumedRun) {
    const TemporaryFolder folder;
    FrameWriter first(folder.path());
    first.write(worldOfShapes(), {});
    first.flush();
    const FrameWriter again(folder.path(), 0.0);
    EXPECT_NE(contentOf(folder / "frames.pvd").find("frames/shapes_000000.vtp"), std::string::npos);
}

TEST(Frames, BodiesComeInOrderOfIdWithTheirState) {
    const TemporaryFolder folder;
    WorldState world = settledWorld(2);
    std::swap(world.bodies.id[0], world.bodies.id[5]);
    world.bodies.velocity[5] = {1, 2, 3};
    FrameWriter frames(folder.path());
    frames.write(world, {});
    const auto file = folder / "frames/bodies_000000.vtp";
    const auto ids = arrayOf<std::uint32_t>(file, "id");
    ASSERT_EQ(ids.size(), 8u);
    EXPECT_TRUE(std::is_sorted(ids.begin(), ids.end()));
    EXPECT_EQ(arrayOf<Vec3>(file, "velocity")[0], (Vec3{1, 2, 3}));
    EXPECT_EQ(arrayOf<Vec3>(file, "Points")[0], world.bodies.position[5]);
    EXPECT_NEAR(arrayOf<double>(file, "mass")[3], 2500 * 4.0 / 3 * M_PI * 1e-3, 1e-12);
}

TEST(Frames, TheStressOfASqueezedGrainIsPositivePressure) {
    const TemporaryFolder folder;
    WorldState world = settledWorld(2);
    const auto contacts = sampleContacts(world);
    ASSERT_FALSE(contacts.empty());
    FrameWriter frames(folder.path());
    frames.write(world, contacts);
    const auto stress = arrayOf<Mat3>(folder / "frames/bodies_000000.vtp", "stress");
    ASSERT_EQ(stress.size(), 8u);
    for (const Mat3& s : stress) EXPECT_GT(trace(s), 0);
    // Bottom grains: one contact with the neighbour in x, one with the plane.
    EXPECT_EQ(arrayOf<std::uint32_t>(folder / "frames/bodies_000000.vtp", "coordination")[0], 2u);
    const auto normalForce = arrayOf<double>(folder / "frames/contacts_000000.vtp", "normal_force");
    EXPECT_EQ(normalForce.size(), contacts.size());
    EXPECT_EQ(normalForce[1], contacts[1].normalForce);
    EXPECT_EQ(arrayOf<std::uint32_t>(folder / "frames/contacts_000000.vtp", "owner")[1],
              world.bodies.id[contacts[1].owner]);
}

TEST(Frames, TheIndexOfAResumedRunIsThatOfAnUninterruptedOne) {
    const TemporaryFolder whole, resumed;
    WorldState world = settledWorld(1);
    const auto writeFrames = [&](FrameWriter& frames, int first, int end) {
        for (int k = first; k < end; ++k) {
            world.time = 0.1 * k;
            frames.write(world, {});
        }
    };
    FrameWriter a(whole.path());
    writeFrames(a, 0, 6);
    {
        FrameWriter killed(resumed.path());
        writeFrames(killed, 0, 3);
        killed.flush();  // with the checkpoint
        writeFrames(killed, 3, 5);
    }
    FrameWriter b(resumed.path(), 0.1 * 2);
    EXPECT_EQ(b.frameCount(), 3u);
    writeFrames(b, 2, 6);  // the frame at the time of the checkpoint is written again
    a.flush();
    b.flush();
    EXPECT_EQ(contentOf(resumed / "frames.pvd"), contentOf(whole / "frames.pvd"));
    for (int k = 0; k < 6; ++k) {
        const std::string name = fmt::format("frames/bodies_{:06}.vtp", k);
        EXPECT_EQ(contentOf(resumed / name), contentOf(whole / name));
    }
    EXPECT_EQ(FrameWriter(resumed.path()).frameCount(), 0u);
}

TEST(WallGeometry, EveryCornerLiesOnItsWall) {
    WorldState world = settledWorld(2);
    world.bodies.orientation[world.bodies.grainCount + 1] = rotationBy({0.3, -0.4, 0.5});
    world.bodies.position[world.bodies.grainCount + 2] = {1, 2, 3};
    world.bodies.orientation[world.bodies.grainCount + 2] = rotationBy({1.3, 0.4, 0});
    const std::vector<WallPolygon> polygons = wallPolygons(world, boundsOfGrains(world));
    EXPECT_EQ(polygons.size(), 1u + 5u + (64u + 2u));  // plane, box less its lid, drum
    for (const WallPolygon& polygon : polygons) {
        const Quat& q = world.bodies.orientation[polygon.wall];
        for (const Vec3& corner : polygon.corners) {
            const Vec3 local = rotateBack(q, corner - world.bodies.position[polygon.wall]);
            EXPECT_NEAR(distanceToFace(wallNow(world, polygon.wall), polygon.face, local).distance, 0, 1e-12);
        }
    }
    EXPECT_EQ(wallEdges(world).size(), 12u + 2u * 64u + 4u);
}

// The second way: VTK itself opens what was written.
TEST(Frames, OpenInVtkWithoutAComplaint) {
    if (std::system("/usr/bin/python3 -c 'import vtkmodules.vtkIOXML' 2>/dev/null") != 0) {
        GTEST_SKIP() << "needs python3-vtk9";
    }
    const TemporaryFolder folder;
    FrameWriter frames(folder.path());
    WorldState world = settledWorld(4);
    frames.write(world, sampleContacts(world));
    world.time = 1;
    frames.write(world, {});
    WorldState empty = emptyScene();
    empty.time = 2;
    frames.write(empty, {});
    frames.flush();
    const std::string command = fmt::format("/usr/bin/python3 {}/tools/check_vtk.py {} > {} 2>&1",
                                            sourceFolder().string(), folder.path().string(), (folder / "log").string());
    const int status = std::system(command.c_str());
    EXPECT_EQ(status, 0) << contentOf(folder / "log");

    // The check can fail: a cut file is noticed.
    std::filesystem::resize_file(folder / "frames/bodies_000000.vtp", 1500);
    EXPECT_NE(std::system(command.c_str()), 0) << contentOf(folder / "log");
}

}  // namespace
}  // namespace talus
