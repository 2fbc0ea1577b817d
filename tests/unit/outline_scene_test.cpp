// Outlines in scene files: points, knots and files of grains; mass and pose; generated grains; what is refused.
#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "geometry/nurbs/outline.hpp"
#include "io/scene/build_world.hpp"
#include "talus/error.hpp"
#include "talus/simulation.hpp"
#include "talus/tools/grains.hpp"
#include "unit/curve_samples.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::TemporaryFolder;

Scene sceneOf(const std::string& bodies, const std::string& more = "planar: xy",
              const std::filesystem::path& folder = ".") {
    return parseScene(
        "materials: {stone: {density: 1000}}\nrun: {time: 1}\ngravity: [0, 0, 0]\n" + more + "\nbodies:\n" + bodies,
        "scene.yaml", folder);
}

WorldState worldOf(const std::string& bodies, const std::string& more = "planar: xy",
                   const std::filesystem::path& folder = ".") {
    return buildWorld(sceneOf(bodies, more, folder));
}

std::string errorOf(const std::string& bodies, const std::string& more = "planar: xy",
                    const std::filesystem::path& folder = ".") {
    try {
        worldOf(bodies, more, folder);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

const OutlineBody& outlineOf(const WorldState& world, std::size_t body) {
    return *std::get<OutlineShape>(world.shapes[world.bodies.shape[body]]).outline;
}

TemporaryFolder& grainsFolder() {
    static TemporaryFolder folder;
    static const bool written = [] {
        writeGrains(folder.path() / "grains.json", generateGrains({.count = 3, .diameter = 0.02}));
        return true;
    }();
    EXPECT_TRUE(written);
    return folder;
}

TEST(OutlineBodies, OfDegreeOneAreThePolygonOfTheirPointsInEitherOrder) {
    for (const char* points : {"[[0, 0], [2, 0], [2, 1], [0, 1]]", "[[0, 1], [2, 1], [2, 0], [0, 0]]"}) {
        const WorldState w = worldOf("  - {shape: outline, degree: 1, points: " + std::string(points) +
                                     ", position: [10, 20, 0], rotation: [0, 0, 90 deg]}");
        EXPECT_NEAR(1 / w.bodies.inverseMass[0], 2000, 1e-9);
        EXPECT_NEAR(1 / w.bodies.inverseInertia[0].z, 2000 * 5 / 12.0, 1e-9);
        // The centroid, (1, 0.5) in the frame of the points, turns with the body.
        EXPECT_NEAR(norm(w.bodies.position[0] - Vec3{9.5, 21, 0}), 0, 1e-12);
    }
}

TEST(OutlineBodies, AreTheCurveThatKnotsAndWeightsSay) {
    const WorldState w = worldOf(R"(
  - shape: outline
    degree: 2
    points: [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0]]
    weights: [1, 0.70710678118654757, 1, 0.70710678118654757, 1, 0.70710678118654757, 1, 0.70710678118654757, 1]
    knots: [0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4]
    scale: 0.5
    position: [0, 0, 0]
)");
    EXPECT_NEAR(1 / w.bodies.inverseMass[0], 1000 * std::numbers::pi * 0.25, 1e-9);
    EXPECT_NEAR(w.bodies.radius[0], 0.5, 1e-6);
}

TEST(OutlineBodies, StandInThePlaneOfTheScene) {
    const WorldState w = worldOf(
        "  - {shape: outline, degree: 1, points: [[0, 0], [2, 0], [2, 1], [0, 1]], position: [0, 0, 0]}", "planar: xz");
    EXPECT_NEAR(norm(w.bodies.position[0] - Vec3{1, 0, 0.5}), 0, 1e-12);
    EXPECT_NEAR(norm(rotate(w.bodies.orientation[0], {0, 1, 0}) - Vec3{0, 0, 1}), 0, 1e-12);
}

TEST(OutlineBodies, ComeFromAFileByName) {
    const GrainSet set = readGrains(grainsFolder().path() / "grains.json");
    const WorldState w = worldOf("  - {shape: outline, file: grains.json, grain: " + set.grains[1].name +
                                     ", position: [0, 0, 0], contact_knots: 40}",
                                 "planar: xy", grainsFolder().path());
    EXPECT_NEAR(outlineOf(w, 0).moments.area, set.grains[1].measures.area, 1e-12);
    EXPECT_LE(outlineOf(w, 0).knots.size(), 40u);
}

TEST(OutlineBodies, ComeFromAFileOfPoints) {
    const std::filesystem::path folder = grainsFolder().path();
    const auto massOf = [&](const std::string& name, const std::string& text) {
        std::ofstream(folder / name) << text;
        const WorldState w =
            worldOf("  - {shape: outline, degree: 1, scale: 0.5, file: " + name + ", position: [0, 0, 0]}",
                    "planar: xy", folder);
        return 1 / w.bodies.inverseMass[0];
    };
    EXPECT_NEAR(massOf("plain.csv", "x, y\n# corners\n0, 0\n4, 0\n4, 2\n0, 2\n"), 2000, 1e-9);
    EXPECT_NEAR(massOf("closed.txt", "0 0\n4 0\n4 2\n0 2\n0 0\n"), 2000, 1e-9);
    EXPECT_NEAR(massOf("points.json", " [[0, 0], [4, 0], [4, 2], [0, 2]]"), 2000, 1e-9);
    EXPECT_THROW(massOf("three.csv", "0, 0, 0\n1, 0, 0\n1, 1, 0\n"), InputError);
    EXPECT_THROW(massOf("few.csv", "0, 0\n1, 0\n"), InputError);
    EXPECT_THROW(massOf("wrong.json", "[[0, 0], [4, 0], 3]"), InputError);
    EXPECT_THROW(massOf("nan.csv", "0, 0\n1, 0\nnan, 1\n"), InputError);
    EXPECT_THROW(worldOf("  - {shape: outline, file: plain.csv, grain: a, position: [0, 0, 0]}", "planar: xy", folder),
                 InputError);
}

TEST(OutlineGrains, AreAllOfTheFileEquallyOften) {
    const WorldState w = worldOf(R"(
  - generate: random
    region: {low: [0, 0, 0], high: [1, 1, 0]}
    count: 300
    radius: 0.01
    grains: [{shape: outline, file: grains.json}]
)",
                                 "planar: xy", grainsFolder().path());
    std::map<std::uint16_t, int> counts;
    for (std::size_t i = 0; i < w.bodies.grainCount; ++i) {
        ++counts[w.bodies.shape[i]];
        EXPECT_NEAR(1 / w.bodies.inverseMass[i], 1000 * std::numbers::pi * 1e-4, 1e-9);
    }
    EXPECT_EQ(counts.size(), 3u);
    for (const auto& [shape, count] : counts) EXPECT_NEAR(count, 100, 40);
}

TEST(OutlineGrains, InATableAreCountedThroughTheFile) {
    const std::filesystem::path folder = grainsFolder().path();
    std::ofstream(folder / "bodies.csv") << "x,y,z,qw,qx,qy,qz,shape\n0,0,0,1,0,0,0,2\n1,0,0,1,0,0,0,0\n";
    const WorldState w = worldOf("  - {generate: csv, file: bodies.csv, grains: [{shape: outline, file: grains.json}]}",
                                 "planar: xy", folder);
    EXPECT_EQ(w.bodies.shape[0], w.bodies.shape[1] + 2);
    EXPECT_NEAR(1 / w.bodies.inverseMass[0], 1000 * std::numbers::pi * 1e-4, 1e-9);
    EXPECT_NEAR(1 / w.bodies.inverseMass[1], 1000 * std::numbers::pi * 1e-4, 1e-9);
}

TEST(OutlineBodies, ThatCannotBeAreRefusedWithAReason) {
    const auto has = [](const std::string& text, const std::string& part) {
        return text.find(part) != std::string::npos;
    };
    const std::string square = "points: [[0, 0], [1, 0], [1, 1], [0, 1]], position: [0, 0, 0]";
    EXPECT_PRED2(has, errorOf("  - {shape: outline, " + square + "}", ""), "needs a planar scene");
    EXPECT_PRED2(has, errorOf("  - {shape: outline, position: [0, 0, 0]}"), "give either 'points' or 'file'");
    EXPECT_PRED2(has, errorOf("  - {shape: outline, degree: 6, " + square + "}"), "degree");
    EXPECT_PRED2(has, errorOf("  - {shape: outline, degree: 4, points: [[0, 0], [1, 0], [0, 1]], position: [0, 0, 0]}"),
                 "at least 4 points");
    EXPECT_PRED2(
        has, errorOf("  - {shape: outline, degree: 1, points: [[0, 0], [1, 1], [1, 0], [0, 1]], position: [0, 0, 0]}"),
        "outline");
    EXPECT_PRED2(has, errorOf("  - {shape: outline, knots: [0, 1, 2], " + square + "}"), "knots");
    EXPECT_PRED2(has, errorOf("  - {shape: outline, weights: [1, 1], " + square + "}"), "weights");
    EXPECT_PRED2(has, errorOf("  - {shape: outline, gap_tolerance: 1 mm, contact_knots: 50, " + square + "}"),
                 "either");
    EXPECT_PRED2(has, errorOf("  - {shape: outline, grain: a, " + square + "}"), "names a grain of a 'file'");
    EXPECT_PRED2(has, errorOf("  - {shape: outline, file: none.json, position: [0, 0, 0]}"), "cannot be opened");
    const std::filesystem::path folder = grainsFolder().path();
    EXPECT_PRED2(has, errorOf("  - {shape: outline, file: grains.json, position: [0, 0, 0]}", "planar: xy", folder),
                 "say which with the key 'grain'");
    EXPECT_PRED2(
        has, errorOf("  - {shape: outline, file: grains.json, grain: x, position: [0, 0, 0]}", "planar: xy", folder),
        "there is no grain 'x'");
}

TEST(OutlineBodies, OverlappingAtTheStartAreFound) {
    const std::string notch =
        "  - {shape: outline, degree: 1, points: [[-3, -2], [3, -2], [3, 2], [1, 2], [1, 0], [-1, 0], [-1, 2], [-3, "
        "2]], "
        "position: [0, 0, 0]}\n";
    const auto square = [](double y) {
        return "  - {shape: outline, degree: 1, points: [[-0.9, 0], [0.9, 0], [0.9, 1], [-0.9, 1]], position: [0, " +
               std::to_string(y) + ", 0]}\n";
    };
    EXPECT_EQ(errorOf(notch + square(0.05)), "accepted") << "inside of the notch";
    EXPECT_NE(errorOf(notch + square(-0.8)), "accepted");
}

}  // namespace
}  // namespace talus
