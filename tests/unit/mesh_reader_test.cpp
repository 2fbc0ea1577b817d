// Readers of OBJ and STL: the same body from each kind of file, and what is said of bad ones.
#include "geometry/mesh/mesh_reader.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/random.hpp"
#include "talus/error.hpp"
#include "unit/sample_meshes.hpp"

namespace talus {
namespace {

template <class Read>
std::string messageFrom(Read&& read) {
    try {
        read();
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}
std::string objMessage(const std::string& bytes) {
    return messageFrom([&] { readObj(bytes, "a.obj"); });
}
std::string stlMessage(const std::string& bytes) {
    return messageFrom([&] { readStl(bytes, "a.stl"); });
}

void expectIn(const std::string& part, const std::string& message) {
    EXPECT_NE(message.find(part), std::string::npos) << "'" << message << "' lacks '" << part << "'";
}

void expectBox(const MeshFile& file, double volume) {
    EXPECT_EQ(file.corners.size(), 8u);
    EXPECT_EQ(file.triangles.size(), 12u);
    EXPECT_NEAR(makeMesh(file).shape.mesh->mass.volume, volume, 1e-6 * volume);
}

TEST(MeshReader, ReadsTheSameBodyFromEachKindOfFile) {
    const MeshFile box = boxMesh({1, 2, 3});
    expectBox(readObj(asObj(box), "box.obj"), 48);
    expectBox(readStl(asTextStl(box), "box.stl"), 48);
    expectBox(readStl(asBinaryStl(box), "box.stl"), 48);
    expectBox(readObj(asObj(box), "box.obj", 0.001), 48e-9);
    expectBox(readStl(asBinaryStl(box), "box.stl", 0.001), 48e-9);
}

TEST(MeshReader, KnowsFilesByTheirNames) {
    const std::filesystem::path folder = std::filesystem::temp_directory_path() / "talus_mesh_reader_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "box.OBJ") << asObj(boxMesh({1, 1, 1}));
    std::ofstream(folder / "box.stl", std::ios::binary) << asBinaryStl(boxMesh({1, 1, 1}));
    std::ofstream(folder / "box.ply") << "ply";
    std::ofstream(folder / "empty.stl") << "";
    expectBox(readMesh(folder / "box.OBJ"), 8);
    expectBox(readMesh(folder / "box.stl", 10), 8000);
    expectIn("ends in .obj or .stl", messageFrom([&] { readMesh(folder / "box.ply"); }));
    expectIn("cannot be opened", messageFrom([&] { readMesh(folder / "none.stl"); }));
    std::filesystem::create_directories(folder / "folder.stl");
    expectIn("is a folder", messageFrom([&] { readMesh(folder / "folder.stl"); }));
    expectIn("only 0 bytes", messageFrom([&] { readMesh(folder / "empty.stl"); }));
    expectIn("scale must be > 0", messageFrom([&] { readMesh(folder / "box.stl", 0); }));
    std::filesystem::remove_all(folder);
}

TEST(MeshReader, TakesAllWaysInWhichObjWritesFaces) {
    const std::string text =
        "# a square and a triangle\nmtllib x.mtl\no thing\nv 0 0 0\nv +1 0 0 1.0\nv 1 1e0 0 # corner\r\nv 0 1 0\nvt 0 "
        "0\n"
        "vn 0 0 1\ns off\nusemtl red\nf 1/1/1 2//1 3/1 \\\n 4\nv 2 2 2\nf -1 -2 -3\n";
    const MeshFile file = readObj(text, "a.obj");
    EXPECT_EQ(file.triangles, (std::vector<Triple>{{0, 1, 2}, {0, 2, 3}, {4, 3, 2}}));
    EXPECT_EQ(file.lines, (std::vector<std::uint32_t>{12, 12, 15}));
    EXPECT_EQ(file.corners[1], (Vec3{1, 0, 0}));
}

TEST(MeshReader, MakesOneCornerOfNearOnesInStl) {
    MeshFile box = boxMesh({1, 1, 1});
    box = refined(box, [](const Vec3& p) { return p; });
    // Every triangle has corners of its own, a little off.
    Random random(3, 0);
    MeshFile loose{.name = "loose"};
    for (const Triple& t : box.triangles) {
        const auto first = static_cast<std::uint32_t>(loose.corners.size());
        for (const std::uint32_t c : t) {
            loose.corners.push_back(box.corners[c] + random.inBox({-3e-7, -3e-7, -3e-7}, {3e-7, 3e-7, 3e-7}));
        }
        loose.triangles.push_back({first, first + 1, first + 2});
    }
    const MeshFile file = readStl(asBinaryStl(loose), "loose.stl");
    EXPECT_EQ(file.corners.size(), box.corners.size());
    EXPECT_NEAR(makeMesh(file).shape.mesh->mass.volume, 8, 1e-5);
}

TEST(MeshReader, LeavesOutTrianglesThatVanishWhenCornersBecomeOne) {
    MeshFile box = boxMesh({1, 1, 1});
    // A sliver along an edge whose corners are one to the tolerance.
    box.corners.push_back({1, 1, 1 + 1e-7});
    box.triangles.push_back({0, 7, 8});
    EXPECT_EQ(readStl(asBinaryStl(box), "box.stl").triangles.size(), 12u);
}

TEST(MeshReader, SaysWhatIsWrongInAnObjFile) {
    expectIn("a.obj:2: 'abc' is not a number", objMessage("v 0 0 0\nv 1 abc 0\n"));
    expectIn("a.obj:1: 'nan' is not a number", objMessage("v nan 0 0\n"));
    expectIn("a.obj:1: '1e999' is not a number", objMessage("v 1e999 0 0\n"));
    expectIn("a.obj:1: the corner [1e+20, 0, 0] is not within 1e+09 m", objMessage("v 1e20 0 0\n"));
    expectIn("a.obj:1: a coordinate is missing", objMessage("v 1 2\n"));
    expectIn("a.obj:2: corner 2 does not exist: there are 1", objMessage("v 0 0 0\nf 1 2 3\n"));
    expectIn("a.obj:2: corner -2 does not exist", objMessage("v 0 0 0\nf -1 -2 -3\n"));
    expectIn("a.obj:2: corner 0 does not exist", objMessage("v 0 0 0\nf 0 0 0\n"));
    expectIn("a.obj:2: 'x' is no number of a corner", objMessage("v 0 0 0\nf x 1 1\n"));
    expectIn("a.obj:2: a face needs at least 3 corners, got 2", objMessage("v 0 0 0\nf 1 1\n"));
    expectIn("a.obj:1: 'curv' is no keyword", objMessage("curv 0 1 2\n"));
    expectIn("a.obj:5: a face is not convex", objMessage("v 0 0 0\nv 2 0 0\nv 0.5 0.5 0\nv 0 2 0\nf 2 3 4 1\n"));
    expectIn("is no keyword", objMessage(asBinaryStl(boxMesh({1, 1, 1}))));
    expectIn("a.obj:9: triangle 1: it has no area", messageFrom([] {
                 MeshFile file = readObj(asObj({.corners = boxMesh({1, 1, 1}).corners}) + "f 1 1 2\n", "a.obj");
                 makeMesh(file);
             }));
}

TEST(MeshReader, SaysWhatIsWrongInAnStlFile) {
    const std::string text = asTextStl(tetrahedronMesh()), binary = asBinaryStl(tetrahedronMesh());
    expectIn("only 0 bytes", stlMessage(""));
    expectIn("cut off or no STL file: for the 4 triangles it announces it should have 284 bytes, but has 283",
             stlMessage(binary.substr(0, 283)));
    expectIn("only 30 bytes", stlMessage(binary.substr(0, 30)));
    expectIn("should have", stlMessage(std::string(1000, '\xff')));
    expectIn("the file ends before", stlMessage(text.substr(0, text.find("endloop"))));
    expectIn("the file ends before 'endsolid'", stlMessage(text.substr(0, text.size() - 15)));
    std::string wrong = text;
    wrong.replace(wrong.find("outer"), 5, "inner");
    expectIn("a.stl:3: expected 'outer' here, got 'inner'", stlMessage(wrong));
    wrong = text;
    wrong.replace(wrong.find("vertex 0.0"), 10, "vertex abc");
    expectIn("a.stl:4: 'abc00000' is not a number", stlMessage(wrong));
    expectIn("expected 'facet' or 'endsolid' here, got 'nothing'", stlMessage("solid\nnothing\n"));
    std::string notFinite = binary;
    notFinite.replace(84 + 12, 4, "\xff\xff\xff\xff");
    expectIn("a.stl: triangle 1: the corner [", stlMessage(notFinite));
    expectIn("a: has no triangles", messageFrom([] {
                 MeshFile file = readStl("solid\nendsolid\n", "a");
                 makeMesh(file);
             }));
}

TEST(MeshReader, GetsThroughDamagedFiles) {
    Random random(4, 0);
    for (const std::string& whole : {asObj(ballMesh(1)), asTextStl(tetrahedronMesh()), asBinaryStl(ballMesh(1))}) {
        for (int n = 0; n < 500; ++n) {
            std::string bytes = whole;
            for (int k = 0; k < 5; ++k) {
                const auto place = static_cast<std::size_t>(random.uniform() * static_cast<double>(bytes.size()));
                bytes[place] = static_cast<char>(random.uniform(0, 256));
            }
            for (const auto read : {readObj, readStl}) {
                try {
                    const MeshFile file = read(bytes, "damaged", 1.0);
                    makeSurface(file);
                    makeMesh(file);
                } catch (const InputError& error) {
                    EXPECT_NE(std::string(error.what()).find("damaged"), std::string::npos);
                }
            }
        }
    }
}

}  // namespace
}  // namespace talus
