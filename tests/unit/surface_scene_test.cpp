// Bodies with NURBS surfaces and outlines in scenes: every method, any number of threads, resumed runs, wrong keys.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "run/course.hpp"
#include "talus/error.hpp"
#include "talus/tools/grains.hpp"
#include "unit/output_samples.hpp"
#include "unit/surface_samples.hpp"

namespace talus {
namespace {

using namespace test;
using output_samples::TemporaryFolder;

void writeSurface(const std::filesystem::path& file, const SurfaceDefinition& d) {
    nlohmann::json json{{"format", "talus-surface"}, {"version", 1},        {"degree_u", d.degreeU},
                        {"degree_v", d.degreeV},     {"knots_u", d.knotsU}, {"knots_v", d.knotsV}};
    if (!d.weights.empty()) json["weights"] = d.weights;
    for (std::size_t j = 0; j < d.rows(); ++j) {
        nlohmann::json row;
        for (std::size_t i = 0; i < d.columns; ++i) {
            const Vec3& p = d.points[j * d.columns + i];
            row.push_back({p.x, p.y, p.z});
        }
        json["points"].push_back(row);
    }
    std::ofstream(file) << json.dump();
}

// A folder with files that scenes name.
const TemporaryFolder& files() {
    static const TemporaryFolder folder;
    static const bool written = [] {
        writeSurface(folder / "ball.json", ellipsoidSurface({1, 1, 1}));
        writeSurface(folder / "bumpy.json", bumpyBody(3));
        writeGrains(folder / "grains.json", generateGrains({.count = 3, .diameter = 0.02}));
        std::ofstream(folder / "floor.obj") << "v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n";
        return true;
    }();
    EXPECT_TRUE(written);
    return folder;
}

Scene sceneOf(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parseScene(text, "scene.yaml", files().path(), overrides);
}

std::string errorOf(const std::string& text) {
    try {
        buildWorld(sceneOf(text));
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

const std::string material = R"(
materials: {stone: {density: 1000, youngs_modulus: 1 MPa, friction: 0.4, restitution: 0.2, stiffness: 10 kN/m}}
contact_law: {normal: hooke}
)";

// Two layers of bumpy stones that fall into a heap, with a sphere and a mesh as a floor.
const std::string stones = material + R"(
bodies:
  - {shape: mesh, file: floor.obj, surface: true, scale: 5 cm, position: [0, 0, 0], fixed: true}
  - {shape: sphere, radius: 5 mm, position: [0, 0, 5.1 mm]}
  - {generate: lattice, lattice: sc, spacing: 14 mm, jitter: 0.02, origin: [-14 mm, -7 mm, 11 mm], count: [2, 1, 2],
     velocity: [0, 0, -0.2], grains: [{shape: surface, file: bumpy.json, scale: 5 mm, gap_tolerance: 0.3 mm}]}
)";

const std::string outlines = material + R"(
planar: xz
bodies:
  - {shape: plane, normal: [0, 0, 1]}
  - {shape: sphere, radius: 5 mm, position: [0, 0, 5.1 mm]}
  - {generate: lattice, lattice: sc, spacing: 24 mm, jitter: 0.02, origin: [-24 mm, 0, 11 mm], count: [2, 1, 2],
     velocity: [0, 0, -0.5], grains: [{shape: outline, file: grains.json}]}
)";

// At rest, which quasi-static loading wants.
const std::string restingBall = material + R"(
bodies:
  - {shape: mesh, file: floor.obj, surface: true, scale: 5 cm, position: [0, 0, 0], fixed: true}
  - {shape: surface, file: ball.json, scale: 5 mm, position: [0, 0, 5 mm], gap_tolerance: 0.3 mm}
)";
const std::string restingOutline = material + R"(
planar: xz
bodies:
  - {shape: plane, normal: [0, 0, 1]}
  - {shape: outline, degree: 1, points: [[0, 0], [1, 0], [1, 1], [0, 1]], scale: 0.01, position: [0, 0, 0]}
)";

struct Method {
    std::string name, settings;
    std::vector<std::string> scenes{stones, outlines};
};
const std::vector<Method> methods{
    {"penalty", "run: {time: 5 ms, step: 50 us}"},
    {"contact dynamics", "method: contact-dynamics\nrun: {time: 20 ms, step: 0.5 ms}"},
    {"theta",
     "method: contact-dynamics\ncontact_dynamics: {contacts: elastic, theta: 0.75}\nrun: {time: 20 ms, step: 0.5 ms}"},
    {"quasi-static", "method: quasi-static\nrun: {time: 5 ms, step: 1 ms}", {restingBall, restingOutline}}};

void finish(Course& course) {
    while (!course.stageIsOver()) course.takeStep();
    course.complete();
}

std::uint64_t hashOf(const Scene& scene) {
    Course course(scene);
    finish(course);
    return stateHash(course.world());
}

// Stopped after some steps, and taken up from the checkpoint.
std::uint64_t hashAfterResume(const Scene& scene, int steps) {
    Course course(scene);
    for (int k = 0; k < steps; ++k) course.takeStep();
    course.complete();
    EXPECT_FALSE(course.stageIsOver());
    EXPECT_GT(course.world().contacts.shapes.pair.size(), 0u);
    const TemporaryFolder folder;
    saveCheckpoint(folder / "c.h5", course.world(), {});
    Course resumed(scene, course.state(), folder / "c.h5");
    finish(resumed);
    return stateHash(resumed.world());
}

class ShapesFromFiles : public ::testing::TestWithParam<std::size_t> {};

TEST_P(ShapesFromFiles, GoOnBitForBitWithEveryMethodAndAnyNumberOfThreads) {
    const Method& method = methods[GetParam()];
    for (const std::string& bodies : method.scenes) {
        const Scene scene = sceneOf(bodies + method.settings);
        setThreadCount(1);
        const std::uint64_t hash = hashOf(scene);
        EXPECT_EQ(hashAfterResume(scene, 2), hash) << method.name;
        for (const int threads : {2, 4}) {
            setThreadCount(threads);
            EXPECT_EQ(hashOf(scene), hash) << method.name << ", " << threads << " threads";
        }
        setThreadCount(1);
    }
}
INSTANTIATE_TEST_SUITE_P(Methods, ShapesFromFiles, ::testing::Range<std::size_t>(0, 4));

// The same ball as a sphere, beside it.
TEST(SurfaceScene, ABallRollsOverAMeshAsASphereDoes) {
    const std::string text = material + R"(
bodies:
  - {shape: mesh, file: floor.obj, surface: true, position: [0, 0, 0], fixed: true}
  - {shape: sphere, radius: 1 cm, position: [0, 0.1, 9.9 mm], velocity: [0.3, 0, 0]}
  - {shape: surface, file: ball.json, scale: 1 cm, position: [0, -0.1, 9.9 mm], velocity: [0.3, 0, 0],
     gap_tolerance: 0.5 mm}
run: {time: 50 ms, step: 0.1 ms}
)";
    Course course(sceneOf(text));
    finish(course);
    const Bodies& b = course.world().bodies;
    std::size_t sphere = 0, surface = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (b.inverseMass[i] == 0) continue;
        (isSphere(b, i) ? sphere : surface) = i;
    }
    EXPECT_NEAR(b.position[surface].x, b.position[sphere].x, 1e-5);
    EXPECT_NEAR(b.position[surface].z, b.position[sphere].z, 1e-6);
    EXPECT_NEAR(b.spin[surface].y, b.spin[sphere].y, 0.05);
    EXPECT_GT(b.spin[sphere].y, 1);
}

TEST(SurfaceScene, KeepsGrainsOutOfAFixedSurface) {
    const WorldState world = buildWorld(sceneOf(material + R"(
bodies:
  - {shape: surface, file: ball.json, scale: 3 cm, position: [0, 0, 0], fixed: true}
  - {generate: random, region: {low: [-4 cm, -4 cm, -4 cm], high: [4 cm, 4 cm, 4 cm]}, radius: 1 mm, count: 500}
run: {time: 1}
)"));
    for (std::size_t i = 0; i < world.bodies.grainCount; ++i) {
        if (!isSphere(world.bodies, i)) continue;
        EXPECT_GT(norm(world.bodies.position[i]), 0.031 - 1e-9);
    }
}

TEST(SurfaceScene, ErrorsNameTheKeyAndSayWhatToDo) {
    const std::string start = material + "run: {time: 1}\nbodies:\n  - {shape: surface, position: [0, 0, 0], ";
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"scale: 1}", "bodies[0]: give either 'points' or 'file'"},
        {"file: ball.json, points: cloud.csv, tolerance: 1 mm}", "bodies[0]: give either 'points' or 'file'"},
        {"points: cloud.csv}", "bodies[0]: 'points' need a 'tolerance'"},
        {"file: ball.json, tolerance: 1 mm}", "bodies[0].tolerance: is for 'points'"},
        {"file: bal.json}", "bal.json: cannot be opened"},
        {"file: floor.obj}", "floor.obj: is not valid JSON"},
        {"file: grains.json}", "this is no file of a surface"},
        {"file: ball.json, gap_tolerance: 1 um}", "gap_tolerance: must be at least"},
        {"file: ball.json}\nplanar: xy", "surface"},
        {"points: floor.obj, tolerance: 1 mm}", "floor.obj: line 2: must be three numbers"},
        {"file: ball.json}\n  - {shape: sphere, radius: 1 mm, position: [0, 0, 0.1]}", "bodies[1]"},
    };
    EXPECT_EQ(errorOf(start + "file: ball.json}"), "accepted");
    for (const auto& [text, error] : cases) {
        const std::string found = errorOf(start + text);
        EXPECT_NE(found.find(error), std::string::npos) << text << "\n" << found;
    }
}

TEST(SurfaceScene, IsNotResumedWithAnotherFile) {
    const TemporaryFolder folder;
    writeSurface(folder / "body.json", ellipsoidSurface({1, 1, 1}));
    const std::string text =
        material + "run: {time: 1}\nbodies: [{shape: surface, file: body.json, position: [0, 0, 0]}]";
    const Scene scene = parseScene(text, "scene.yaml", folder.path());
    saveCheckpoint(folder / "c.h5", buildWorld(scene), {});
    WorldState same = buildWorld(scene);
    EXPECT_NO_THROW(loadCheckpoint(folder / "c.h5", same));
    writeSurface(folder / "body.json", ellipsoidSurface({1, 1, 1.01}));
    WorldState other = buildWorld(scene);
    EXPECT_THROW(loadCheckpoint(folder / "c.h5", other), InputError);
}

}  // namespace
}  // namespace talus
