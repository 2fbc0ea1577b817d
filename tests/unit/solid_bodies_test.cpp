// Bodies of all forms in scene files: mass, inertia and pose, one shape for many bodies, and what is refused.
#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "geometry/mesh/mesh.hpp"
#include "geometry/solids/compound.hpp"
#include "io/scene/build_world.hpp"
#include "talus/error.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::TemporaryFolder;
using std::numbers::pi;

// A scene with one material of density 1000 and these bodies.
Scene sceneOf(const std::string& bodies, const std::string& more = "", const std::filesystem::path& folder = ".") {
    return parseScene(
        "materials: {glass: {density: 1000}}\nrun: {time: 1}\ngravity: [0, 0, 0]\n" + more + "\nbodies:\n" + bodies,
        "scene.yaml", folder);
}

WorldState worldOf(const std::string& bodies, const std::string& more = "", const std::filesystem::path& folder = ".") {
    return buildWorld(sceneOf(bodies, more, folder));
}

std::string errorOf(const std::string& bodies, const std::string& more = "") {
    try {
        worldOf(bodies, more);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

void expectMass(const WorldState& w, double mass, const Vec3& inertia) {
    ASSERT_EQ(w.bodies.grainCount, 1u);
    EXPECT_NEAR(1 / w.bodies.inverseMass[0], mass, 1e-9 * mass);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(1 / w.bodies.inverseInertia[0][axis], inertia[axis], 1e-9 * inertia[axis]) << "xyz"[axis];
    }
}

void expectNear(const Vec3& a, const Vec3& b, double tolerance = 1e-12) {
    EXPECT_NEAR(a.x, b.x, tolerance);
    EXPECT_NEAR(a.y, b.y, tolerance);
    EXPECT_NEAR(a.z, b.z, tolerance);
}

TEST(SolidBodies, ABoxHasItsMassInertiaAndPose) {
    const WorldState w = worldOf(
        "  - {shape: box, size: [1, 2, 3], position: [4, 5, 6], rotation: [0, 0, 90 deg], velocity: [1, 0, 0], "
        "spin: [0, 2, 0]}");
    expectMass(w, 6000, {500 * 13.0, 500 * 10.0, 500 * 5.0});
    EXPECT_EQ(w.bodies.position[0], (Vec3{4, 5, 6}));
    expectNear(rotate(w.bodies.orientation[0], {1, 0, 0}), {0, 1, 0});
    EXPECT_EQ(w.bodies.velocity[0], (Vec3{1, 0, 0}));
    EXPECT_EQ(w.bodies.spin[0], (Vec3{0, 2, 0}));
    EXPECT_DOUBLE_EQ(w.bodies.radius[0], 0.5 * std::sqrt(14.0));
    EXPECT_DOUBLE_EQ(scaleOf(w, 0), 1);
}

TEST(SolidBodies, RoundingKeepsTheOuterSizeOfBoxesAndCylinders) {
    const WorldState box = worldOf("  - {shape: box, size: [1, 2, 3], rounding: 0.1, position: [0, 0, 0]}");
    const auto& shape = std::get<BoxShape>(box.shapes[box.bodies.shape[0]]);
    expectNear(shape.halfSize, {0.4, 0.9, 1.4});
    const WorldState drum = worldOf("  - {shape: cylinder, radius: 1, length: 3, rounding: 0.25, position: [0, 0, 0]}");
    const auto& cylinder = std::get<CylinderShape>(drum.shapes[drum.bodies.shape[0]]);
    EXPECT_DOUBLE_EQ(cylinder.radius, 0.75);
    EXPECT_DOUBLE_EQ(cylinder.halfLength, 1.25);
}

TEST(SolidBodies, OrientationAndRotationSayTheSame) {
    const std::string box = "  - {shape: box, size: [1, 2, 3], position: [0, 0, 0], ";
    const WorldState a = worldOf(box + "rotation: [0, 90 deg, 0]}"), b = worldOf(box + "orientation: [2, 0, 2, 0]}");
    for (const Vec3& axis : {Vec3{1, 0, 0}, Vec3{0, 1, 0}, Vec3{0, 0, 1}}) {
        expectNear(rotate(a.bodies.orientation[0], axis), rotate(b.bodies.orientation[0], axis));
    }
}

TEST(SolidBodies, CylindersLieAlongTheirAxis) {
    const WorldState w = worldOf("  - {shape: cylinder, radius: 0.5, length: 2, axis: [3, 0, 0], position: [1, 2, 3]}");
    const double mass = 1000 * pi * 0.25 * 2, across = mass * (3 * 0.25 + 4) / 12;
    expectMass(w, mass, {across, across, mass * 0.25 / 2});
    expectNear(rotate(w.bodies.orientation[0], {0, 0, 1}), {1, 0, 0});
    const WorldState capsule =
        worldOf("  - {shape: capsule, radius: 0.5, length: 2, axis: [0, 1, 0], position: [0, 0, 0]}");
    EXPECT_NEAR(1 / capsule.bodies.inverseMass[0], 1000 * pi * (0.25 * 2 + 4.0 / 3.0 * 0.125), 1e-6);
    EXPECT_DOUBLE_EQ(capsule.bodies.radius[0], 1.5);
}

TEST(SolidBodies, AConeHasItsCentreOfMassAQuarterAboveItsBase) {
    const WorldState w =
        worldOf("  - {shape: cone, low_radius: 1, high_radius: 0, length: 2, axis: [0, 0, 1], position: [0, 0, 5]}");
    const double mass = 1000 * pi / 3 * 2, across = mass * 3 / 80 * (4 + 4);
    expectMass(w, mass, {across, across, 0.3 * mass});
    // Half way along the axis is at 5, the base at 4.
    expectNear(w.bodies.position[0], {0, 0, 4.5});
}

TEST(SolidBodies, EllipsoidsAndSuperquadricsOfExponentTwoAreTheSame) {
    const std::string rest = ", semi_axes: [0.5, 1, 2], position: [0, 0, 0]}";
    const double mass = 1000 * 4.0 / 3.0 * pi;
    const Vec3 inertia = 0.2 * mass * Vec3{5, 4.25, 1.25};
    expectMass(worldOf("  - {shape: ellipsoid" + rest), mass, inertia);
    expectMass(worldOf("  - {shape: superquadric" + rest), mass, inertia);
}

TEST(SolidBodies, AHullOfABoxIsThatBoxWhereverItsPointsAre) {
    const WorldState w = worldOf(R"(
  - shape: hull
    points: [[10, 0, 0], [11, 0, 0], [10, 2, 0], [11, 2, 0], [10, 0, 3], [11, 0, 3], [10, 2, 3], [11, 2, 3], [10.5, 1, 1]]
    position: [100, 0, 0]
)");
    expectMass(w, 6000, {500 * 13.0, 500 * 10.0, 500 * 5.0});
    expectNear(w.bodies.position[0], {110.5, 1, 1.5}, 1e-9);
}

// A cube of edge 2 about (5, 5, 5).
void writeCube(const std::filesystem::path& file) {
    std::ofstream out(file);
    for (int k = 0; k < 8; ++k) out << "v " << 4 + 2 * (k & 1) << " " << 4 + (k & 2) << " " << 4 + (k & 4) / 2 << "\n";
    for (const char* face : {"1 5 7 3", "2 4 8 6", "1 2 6 5", "3 7 8 4", "1 3 4 2", "5 6 8 7"})
        out << "f " << face << "\n";
}

TEST(SolidBodies, AMeshHasTheMassAndThePlaceOfItsFile) {
    const TemporaryFolder folder;
    writeCube(folder / "cube.obj");
    const WorldState w =
        worldOf("  - {shape: mesh, file: cube.obj, scale: 0.5, position: [1, 0, 0]}", "", folder.path());
    expectMass(w, 1000, {1000.0 / 6, 1000.0 / 6, 1000.0 / 6});
    expectNear(w.bodies.position[0], {3.5, 2.5, 2.5}, 1e-9);
    const WorldState hull = worldOf("  - {shape: hull, file: cube.obj, position: [0, 0, 0]}", "", folder.path());
    expectNear(hull.bodies.position[0], {5, 5, 5}, 1e-9);
    EXPECT_NEAR(1 / hull.bodies.inverseMass[0], 8000, 1e-6);
}

TEST(SolidBodies, ASurfaceIsAWallThatIsHeldOrMovesAsPrescribed) {
    const TemporaryFolder folder;
    std::ofstream(folder / "plate.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    const std::string plate = "  - {shape: mesh, file: plate.obj, surface: true, position: [0, 0, 0]";
    const WorldState w = worldOf(plate + ", motion: {type: constant, velocity: [0, 0, 1]}}", "", folder.path());
    EXPECT_EQ(w.bodies.inverseMass[0], 0);
    EXPECT_EQ(w.groupNames.at(w.bodies.group[0]), "mesh");
    EXPECT_NE(w.bodies.motion[0], noMotion);
    EXPECT_EQ(errorOf(plate + "}"),
              "scene.yaml:6: bodies[0].surface: a surface has no mass to move: set fixed: true or a motion, or leave "
              "out surface");
    try {
        worldOf("  - {shape: mesh, file: plate.obj, position: [0, 0, 0]}", "", folder.path());
        FAIL() << "an open mesh is no body";
    } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.starts_with("scene.yaml:6: bodies[0]: ")) << text;
        EXPECT_NE(text.find("plate.obj"), std::string::npos) << text;
    }
}

TEST(SolidBodies, AClumpHasTheMassOfItsUnionAndACompoundThatOfItsParts) {
    // Two spheres one within the other are the larger one.
    const WorldState nested =
        worldOf("  - {shape: clump, spheres: [[1, 0, 0, 1], [1, 0, 0.2, 0.5]], position: [0, 0, 0]}");
    EXPECT_NEAR(1 / nested.bodies.inverseMass[0], 1000 * 4.0 / 3.0 * pi, 1e-4);
    expectNear(nested.bodies.position[0], {1, 0, 0}, 1e-6);
    // Two cubes side by side along x, as one box.
    const WorldState pair = worldOf(R"(
  - shape: compound
    parts:
      - {shape: box, size: [1, 1, 1], position: [0.5, 0, 0]}
      - {shape: box, size: [1, 1, 1], position: [1.5, 0, 0], rotation: [0, 0, 90 deg]}
    position: [0, 0, 3]
)");
    expectMass(pair, 2000, {2000.0 / 6, 2000 * 5.0 / 12, 2000 * 5.0 / 12});
    expectNear(pair.bodies.position[0], {1, 0, 3}, 1e-12);
}

TEST(SolidBodies, OfPlanarScenesHaveAThicknessOfOneMetre) {
    for (const std::string planar : {"xy", "xz", "yz"}) {
        const WorldState disc = worldOf("  - {shape: disc, radius: 0.5, position: [0, 0, 0]}", "planar: " + planar);
        EXPECT_NEAR(1 / disc.bodies.inverseMass[0], 1000 * pi * 0.25, 1e-9);
        EXPECT_NEAR(1 / disc.bodies.inverseInertia[0].z, 0.5 * 1000 * pi * 0.25 * 0.25, 1e-9);
        // A right triangle, given with the clock, whose centre of mass is at a third.
        const WorldState triangle = worldOf(
            "  - {shape: polygon, corners: [[0, 0], [0, 3], [6, 0]], position: [0, 0, 0]}", "planar: " + planar);
        EXPECT_NEAR(1 / triangle.bodies.inverseMass[0], 9000, 1e-9);
        const Vec3 expected = planar == "xy" ? Vec3{2, 1, 0} : planar == "xz" ? Vec3{2, 0, 1} : Vec3{0, 2, 1};
        expectNear(triangle.bodies.position[0], expected);
        const Vec3 up = planar == "xy" ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
        expectNear(rotate(triangle.bodies.orientation[0], {0, 1, 0}), up);
    }
}

TEST(SolidBodies, OfOneFormShareOneShape) {
    const WorldState w = worldOf(R"(
  - {shape: box, size: [1, 1, 1], position: [0, 0, 0]}
  - {shape: box, size: [1, 1, 1], position: [3, 0, 0], rotation: [1, 0, 0]}
  - {shape: box, size: [1, 1, 2], position: [6, 0, 0]}
  - {shape: sphere, radius: 1, position: [9, 0, 0]}
)");
    EXPECT_EQ(w.shapes.size(), 3u);
    EXPECT_EQ(w.bodies.shape[0], w.bodies.shape[1]);
    EXPECT_NE(w.bodies.shape[0], w.bodies.shape[2]);
    EXPECT_EQ(w.bodies.shape[3], 0);
}

TEST(SolidBodies, WhenHeldAreWeighedAsAGroupOfTheirOwn) {
    const WorldState w = worldOf(R"(
  - {shape: box, size: [1, 1, 0.1], position: [0, 0, 0], fixed: true}
  - {shape: box, size: [1, 1, 0.1], position: [3, 0, 0], fixed: true, group: lid}
  - {shape: box, size: [1, 1, 0.1], position: [6, 0, 0]}
)");
    EXPECT_EQ(w.groupNames, (std::vector<std::string>{"grains", "box", "lid"}));
    EXPECT_EQ(w.bodies.inverseMass[0], 0);
    EXPECT_GT(w.bodies.inverseMass[2], 0);
    EXPECT_EQ(w.bodies.group[2], 0);
}

TEST(SolidBodies, MayBeCloserThanTheirBoundingSpheresButNotOverlap) {
    const std::string plates =
        "  - {shape: box, size: [1, 1, 0.1], position: [0, 0, 0]}\n"
        "  - {shape: box, size: [1, 1, 0.1], position: [0, 0, ";
    EXPECT_EQ(errorOf(plates + "0.11]}"), "accepted");
    const std::string text = errorOf(plates + "0.01]}");
    EXPECT_TRUE(text.starts_with("scene.yaml:7: bodies[1]: a box at (0, 0, 0.01) m overlaps one of bodies[0]")) << text;
    EXPECT_EQ(errorOf("  - {shape: plane}\n  - {shape: box, size: [1, 1, 0.1], position: [0, 0, 0.06]}"), "accepted");
    EXPECT_NE(errorOf("  - {shape: plane}\n  - {shape: box, size: [1, 1, 0.1], position: [0, 0, -1]}"), "accepted");
}

struct Refusal {
    std::string body, planar, message;
};

TEST(SolidBodies, OfWrongFormsAreRefusedWithAReason) {
    const std::vector<Refusal> refusals{
        {"shape: disc, radius: 1", "none", "bodies[0].shape: a disc needs a planar scene: set planar to xy, xz or yz"},
        {"shape: polygon, corners: [[0, 0], [1, 0], [0, 1]]", "none",
         "bodies[0].shape: a polygon needs a planar scene: set planar to xy, xz or yz"},
        {"shape: box, size: [1, 1, 1]", "xz",
         "bodies[0].shape: a planar scene has spheres, discs, polygons, outlines and compounds of them, but no box"},
        {"shape: box, size: [1, 1, 0.2], rounding: 0.1", "none",
         "bodies[0].rounding: must be below half the smallest outer size, 0.1 m, got 0.1 m"},
        {"shape: box, size: [1, 1, 0]", "none", "bodies[0].size[2]: must be 1e-09 to 1e+09 m, got 0 m"},
        {"shape: cylinder, radius: 1, length: 1, axis: [0, 0, 0]", "none",
         "bodies[0].axis: a direction must not be zero, nor of absurd length"},
        {"shape: cone, low_radius: 0, high_radius: 0, length: 1", "none",
         "bodies[0]: the larger of low_radius and high_radius must be 1e-09 to 1e+06 m, got 0 m"},
        {"shape: superquadric, semi_axes: [1, 1, 1], equator: 0.5", "none",
         "bodies[0].equator: must be 1 to 100, got 0.5"},
        {"shape: hull", "none", "bodies[0]: give either 'points' or 'file'"},
        {"shape: clump, spheres: []", "none", "bodies[0].spheres: at least one sphere is needed"},
        {"shape: clump, spheres: [[0, 0, 0, -1]]", "none",
         "bodies[0].spheres[0][3]: a radius must be 1e-09 to 1e+06 m, got -1 m"},
        {"shape: compound, parts: []", "none", "bodies[0].parts: at least one part is needed"},
        {"shape: box, size: [1, 1, 1], rotation: [0, 0, 1], orientation: [1, 0, 0, 0]", "none",
         "bodies[0]: give either 'rotation' or 'orientation'"},
        {"shape: box, size: [1, 1, 1], orientation: [0, 0, 0, 0]", "none",
         "bodies[0].orientation: must not be zero, nor of absurd length"},
        {"shape: disc, radius: 1, rotation: [1, 0, 0]", "xz", "bodies[0].rotation: a planar scene turns about y only"},
        {"shape: box, size: [1, 1, 1], fixed: true, velocity: [1, 0, 0]", "none",
         "bodies[0].velocity: a fixed body has no velocity of its own; use motion"},
        {"shape: polygon, corners: [[0, 0], [2, 0], [1, 0.1], [1, 1]]", "xy",
         "bodies[0]: corners[2]: the polygon bends inward here"},
        {"shape: mesh, file: missing.stl", "none", "bodies[0]: "},
    };
    for (const Refusal& r : refusals) {
        const std::string text = errorOf("  - {" + r.body + ", position: [0, 0, 0]}", "planar: " + r.planar);
        EXPECT_NE(text.find(r.message), std::string::npos) << r.body << "\n" << text;
    }
}

TEST(SolidBodies, AreWrittenBackAsTheyWereRead) {
    const Scene scene = sceneOf(R"(
  - {shape: box, size: [1, 2, 3], rounding: 0.1, position: [0, 0, 0], rotation: [0, 0, 1]}
  - {shape: clump, spheres: [[0, 0, 0, 1], [1, 0, 0, 1]], position: [9, 0, 0], orientation: [1, 0, 0, 1]}
  - {shape: hull, points: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], position: [20, 0, 0]}
  - shape: compound
    parts: [{shape: capsule, radius: 1, length: 2, position: [0, 0, 1]}, {shape: sphere, radius: 1}]
    position: [40, 0, 0]
  - generate: lattice
    grains: [{shape: ellipsoid, semi_axes: [1, 1, 2], share: 2}, {shape: sphere, radius: 1}]
    count: [2, 2, 2]
    origin: [100, 0, 0]
)");
    const std::string text = writeScene(scene);
    EXPECT_EQ(writeScene(parseScene(text, "again.yaml", ".")), text);
    EXPECT_EQ(stateHash(buildWorld(parseScene(text, "again.yaml", "."))), stateHash(buildWorld(scene)));
}

}  // namespace
}  // namespace talus
