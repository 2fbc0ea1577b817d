// Scene files: what is read, and the world that is made of it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <numbers>

#include "laws/pair_law.hpp"
#include "unit/scene_samples.hpp"

namespace talus {
namespace {

TEST(Scene, ReadsUnitsAndKeepsDefaults) {
    const Scene scene = parse(smallScene);
    const auto& sphere = std::get<SphereBody>(scene.bodies[0].kind);
    EXPECT_EQ(sphere.radius, 0.002);
    EXPECT_EQ(sphere.position, (Vec3{0, 0, 0.01}));
    EXPECT_EQ(scene.run.time, 0.5);
    EXPECT_EQ(scene.materials.at("glass").contact.friction, 0.3);
    EXPECT_EQ(scene.materials.at("glass").contact.restitution, ContactProperties{}.restitution);
    EXPECT_EQ(scene.gravity, (Vec3{0, 0, -9.81}));
    EXPECT_EQ(*scene.bodies[0].material, "glass");
    EXPECT_EQ(*scene.bodies[0].group, "grains");
    EXPECT_FALSE(scene.run.step.value.has_value());
}

TEST(Scene, OverridesReplaceAddAndAppend) {
    const Scene scene =
        parse(smallScene, {"run.time=2 s", "bodies[0].radius=3 mm", "materials.glass.friction=0.7",
                           "gravity=[0, 0, -1.62 m/s^2]", "output.plots=false", "bodies[1]={shape: plane}"});
    EXPECT_EQ(scene.run.time, 2);
    EXPECT_EQ(std::get<SphereBody>(scene.bodies[0].kind).radius, 0.003);
    EXPECT_EQ(scene.materials.at("glass").contact.friction, 0.7);
    EXPECT_EQ(scene.gravity.z, -1.62);
    EXPECT_FALSE(scene.output.plots);
    EXPECT_EQ(scene.bodies.size(), 2u);
}

TEST(Scene, JsonIsASceneToo) {
    const Scene scene = parse(sceneAsJson(parse(smallScene)));
    EXPECT_EQ(sceneAsJson(scene), sceneAsJson(parse(smallScene)));
}

TEST(Scene, EveryMotionAndSizeIsRead) {
    const Scene scene = parse(R"(materials: {m: {}}
bodies:
  - {shape: plane, motion: {type: constant, velocity: [1, 0, 0], spin: [0, 0, 60 rpm]}}
  - {shape: plane, point: [0, 0, -1], motion: {type: sine, amplitude: [0, 0, 1 mm], frequency: 50 Hz, phase: 90 deg}}
  - {shape: plane, point: [0, 0, -2], motion: {type: rotation, rate: 30 rpm}}
  - {shape: plane, point: [0, 0, -3], motion: {type: table, points: [[0, 0, 0, 0], [1 s, 0, 0, 2 cm/s]]}}
sources:
  - {region: {low: [0, 0, 0], high: [1, 1, 1]}, rate: 10, radius: 1 mm}
  - {region: {low: [0, 0, 0], high: [1, 1, 1]}, rate: 10,
     radius: {distribution: normal, mean: 2 mm, deviation: 0.1 mm, low: 1 mm, high: 3 mm}}
  - {region: {low: [0, 0, 0], high: [1, 1, 1]}, rate: 10,
     radius: {distribution: table, radii: [1 mm, 2 mm], weights: [1, 3]}}
run: {time: 1}
)");
    const double pi = std::numbers::pi;
    EXPECT_DOUBLE_EQ(std::get<ConstantMotion>(*scene.bodies[0].motion).spin.z, 2 * pi);
    EXPECT_DOUBLE_EQ(std::get<SineMotion>(*scene.bodies[1].motion).phase, pi / 2);
    EXPECT_DOUBLE_EQ(std::get<RotationMotion>(*scene.bodies[2].motion).rate, pi);
    EXPECT_EQ(std::get<TableMotion>(*scene.bodies[3].motion).velocity[1].z, 0.02);
    EXPECT_EQ(std::get<SingleSize>(*scene.sources[0].radius).radius, 0.001);
    EXPECT_EQ(std::get<NormalSize>(*scene.sources[1].radius).mean, 0.002);
    EXPECT_EQ(std::get<TableSize>(*scene.sources[2].radius).weights[1], 3);
    EXPECT_TRUE(*scene.bodies[0].fixed);
    EXPECT_EQ(*scene.bodies[0].group, "plane");
}

TEST(Scene, AWallThatOnlyTurnsIsFree) {
    const std::string wall = "bodies[1]={shape: plane, free: {mass: 1, inertia: 1, axes: []}}";
    EXPECT_TRUE(parse(smallScene, {wall}).bodies[1].free->axes->empty());
}

TEST(Scene, PairsOverrideWhatIsMixed) {
    const WorldState world = buildWorld(parse(R"(materials: {a: {friction: 0.4}, b: {friction: 0.9}, c: {friction: 0.1}}
pairs: [{between: [b, a], friction: 0.77, restitution: 0.9}]
bodies: [{shape: plane, material: a}]
run: {time: 1}
)"));
    EXPECT_DOUBLE_EQ(world.materials.between(0, 1).friction, 0.77);
    EXPECT_DOUBLE_EQ(world.materials.between(1, 0).friction, 0.77);
    EXPECT_DOUBLE_EQ(world.materials.between(0, 2).friction, std::sqrt(0.4 * 0.1));
    EXPECT_NEAR(restitutionFor(NormalLaw::hertz, world.materials.between(0, 1).dampingRatio), 0.9, 1e-6);
}

TEST(Scene, WallsFaceTheirNormalsAndMotionsStartFromTheirPoses) {
    const WorldState world = buildWorld(parse(R"(materials: {a: {density: 1000}}
bodies:
  - {shape: plane, point: [1, 0, 0], normal: [-2, 0, 0]}
  - {shape: plane, normal: [0, 0, -1], point: [0, 0, 50]}
  - {shape: drum, centre: [0, 0, 10], axis: [0, 1, 0], radius: 30, length: 60, open: [low],
     motion: {type: rotation, axis: [0, 2, 0], rate: 1}}
  - {shape: container, centre: [0, 0, 10], size: [40, 40, 50], open: [+x, +z], group: box}
  - {shape: sphere, radius: 0.5, position: [0, 0, 10], velocity: [1, 2, 3], spin: [0, 0, 1]}
  - {shape: sphere, radius: 0.5, position: [0, 3, 10], motion: {type: constant, velocity: [0, 1, 0]}}
run: {time: 1}
)"));
    const Bodies& b = world.bodies;
    ASSERT_EQ(b.grainCount, 2u);
    ASSERT_EQ(b.wallCount(), 4u);
    EXPECT_NEAR(rotate(b.orientation[2], {0, 0, 1}).x, -1, 1e-12);
    EXPECT_NEAR(rotate(b.orientation[3], {0, 0, 1}).z, -1, 1e-12);
    EXPECT_NEAR(rotate(b.orientation[4], {0, 0, 1}).y, 1, 1e-12);
    EXPECT_EQ(std::get<CylinderWall>(world.shapes[b.shape[4]]).open, (std::array<bool, 3>{false, true, false}));
    EXPECT_EQ(std::get<BoxWall>(world.shapes[b.shape[5]]).halfSize, (Vec3{20, 20, 25}));
    EXPECT_TRUE(std::get<BoxWall>(world.shapes[b.shape[5]]).open[1]);
    EXPECT_EQ(world.groupNames[b.group[5]], "box");
    EXPECT_DOUBLE_EQ(norm(std::get<RotationMotion>(world.motions[b.motion[4]].law).axis), 1);
    EXPECT_EQ(world.motions[b.motion[1]].start.position, (Vec3{0, 3, 10}));
    EXPECT_EQ(b.inverseMass[1], 0);
    EXPECT_NEAR(1 / b.inverseMass[0], 1000 * std::numbers::pi / 6, 1e-9);
    EXPECT_EQ(b.velocity[0], (Vec3{1, 2, 3}));
}

TEST(Scene, BodiesComeFromATableBesideTheSceneFile) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "talus_scene_test";
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "beads.csv") << "x,y,z,radius,vz,material,fixed\n0,0,0,1,2,b,0\n5,0,0,1,0,,1\n";
    std::ofstream(folder / "scene.yaml") << "materials: {a: {}, b: {}}\nrun: {time: 1}\nbodies:\n"
                                            "  - {generate: csv, file: beads.csv, material: a}\n";
    const WorldState world = buildWorld(loadScene(folder / "scene.yaml"));
    EXPECT_EQ(world.bodies.velocity[0].z, 2);
    EXPECT_EQ(world.materials.list[world.bodies.material[0]].name, "b");
    EXPECT_EQ(world.materials.list[world.bodies.material[1]].name, "a");
    EXPECT_EQ(world.bodies.inverseMass[1], 0);
    try {
        buildWorld(loadScene(folder / "scene.yaml", {"planar=xy"}));
        ADD_FAILURE() << "a sphere that leaves the plane was accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("beads.csv:2: the velocity leaves the plane"), std::string::npos)
            << error.what();
    }
    std::filesystem::remove_all(folder);
    EXPECT_THROW(loadScene(folder / "scene.yaml"), InputError);
    EXPECT_THROW(loadScene(std::filesystem::temp_directory_path()), InputError);
}

}  // namespace
}  // namespace talus
