// A world built by calls is the world of the scene that says the same, bit for bit, now and after many steps.
#include <gtest/gtest.h>

#include "sample_worlds.hpp"

namespace talus {
namespace {

// Both go on together, for some steps at a time.
void expectTheSame(Simulation& scene, World& world, Stepper& stepper, int rounds, int steps) {
    for (int round = 0; round < rounds; ++round) {
        scene.advance(static_cast<std::uint64_t>(steps));
        for (int k = 0; k < steps; ++k) stepper.step(world);
        ASSERT_EQ(scene.stateHash(), world.stateHash()) << "after " << world.stepCount() << " steps";
    }
    EXPECT_EQ(scene.time(), world.time());
    EXPECT_EQ(scene.stepCount(), world.stepCount());
}

TEST(ScenesAndCalls, GiveTheSameBitsForASettlingPackingOfSpheres) {
    Simulation scene = simulate(R"(
materials: {glass: {friction: 0.4}}
bodies:
  - {shape: container, centre: [0.02, 0.02, 0.03], size: [0.04, 0.04, 0.06], open: [+z]}
  - {generate: random, region: {low: [0, 0, 0], high: [0.04, 0.04, 0.05]}, count: 60,
     radius: {distribution: uniform, low: 2 mm, high: 3 mm}}
run: {time: 1 s, step: 5e-6}
)");
    World world = settlingWorld();
    Stepper stepper(Penalty{.step = 5e-6});
    expectTheSame(scene, world, stepper, 4, 250);
    EXPECT_GT(world.contacts().size(), 0u);
}

TEST(ScenesAndCalls, GiveTheSameBitsForRigidSolidsAndJoints) {
    Simulation scene = simulate(R"(
method: contact-dynamics
materials: {steel: {density: 7800, friction: 0.3}, rubber: {density: 1200, friction: 0.9}}
pairs: [{between: [steel, rubber], friction: 0.7}]
bodies:
  - {shape: plane, material: steel}
  - {shape: box, name: arm, size: [0.1, 0.02, 0.02], position: [0, 0, 0.15], material: steel}
  - {shape: box, size: [0.03, 0.02, 0.01], position: [0.1, 0, 0.0051], orientation: [0.8, 0, 0, 0.6], material: rubber}
  - {shape: cylinder, radius: 1 cm, length: 3 cm, position: [0.1, 0, 0.03], velocity: [0.1, 0, 0], material: rubber}
  - {shape: hull, points: [[0, 0, 0], [0.02, 0, 0], [0, 0.02, 0], [0, 0, 0.02]], position: [-0.1, 0, 0.01],
     material: steel}
joints:
  - {name: hinge, type: revolute, between: [arm, world], point: [-0.05, 0, 0.15], axis: [0, 1, 0],
     drive: {type: spin, rate: 2, max_torque: 0.05}}
run: {time: 1 s, step: 1 ms}
)");
    World world;
    // Scenes number materials by their names.
    const MaterialId rubber = world.addMaterial({.density = 1200, .friction = 0.9, .name = "rubber"});
    const MaterialId steel = world.addMaterial({.density = 7800, .friction = 0.3, .name = "steel"});
    world.setPair(steel, rubber, {.friction = 0.7});
    world.addWall(Plane{}, {.material = steel});
    const BodyId arm = world.addBody(Box{{0.1, 0.02, 0.02}}, {.position = {0, 0, 0.15}, .material = steel});
    world.addBody(Box{{0.03, 0.02, 0.01}},
                  {.position = {0.1, 0, 0.0051}, .orientation = {0.8, 0, 0, 0.6}, .material = rubber});
    world.addBody(Cylinder{.radius = 0.01, .length = 0.03},
                  {.position = {0.1, 0, 0.03}, .velocity = {0.1, 0, 0}, .material = rubber});
    world.addBody(Hull{.points = {{{0, 0, 0}, {0.02, 0, 0}, {0, 0.02, 0}, {0, 0, 0.02}}}},
                  {.position = {-0.1, 0, 0.01}, .material = steel});
    JointSettings hinge{.kind = JointKind::revolute, .point = Vec3{-0.05, 0, 0.15}, .axis = {0, 1, 0}};
    hinge.drive = SpinDrive{.rate = {.constant = 2}, .maxTorque = 0.05};
    const JointId joint = world.addJoint(arm, theWorldItself, hinge);
    Stepper stepper(ContactDynamics{.step = 1e-3});
    expectTheSame(scene, world, stepper, 4, 50);
    EXPECT_NE(world.joint(joint).turn, 0);
}

TEST(ScenesAndCalls, GiveTheSameBitsForMovingWallsLoadsSourcesAndSinks) {
    Simulation scene = simulate(R"(
seed: 7
materials: {glass: {}}
contact_law: {normal: hooke}
bodies:
  - {shape: drum, centre: [0, 0, 0], axis: [0, 1, 0], radius: 4 cm, length: 4 cm,
     motion: {type: rotation, axis: [0, 1, 0], rate: 3}}
  - {generate: lattice, lattice: fcc, radius: 2 mm, origin: [-0.015, -0.015, -0.02], count: [4, 4, 3], jitter: 0.01,
     velocity: [0, 0, -0.1], random_velocity: 0.05}
  - {shape: sphere, radius: 3 mm, position: [0, 0, 0.02], force: [1e-3, 0, 0]}
sources: [{region: {low: [-0.01, -0.01, 0.0], high: [0.01, 0.01, 0.01]}, rate: 2000, radius: 1 mm}]
sinks: [{region: {low: [0.01, -0.02, -0.04], high: [0.02, 0.02, -0.02]}}]
run: {time: 1 s, step: 1e-5}
)");
    World world({.seed = 7, .contactLaw = {.kinds = {.normal = NormalLaw::hooke}}});
    const MaterialId glass = world.addMaterial({.name = "glass"});
    world.addWall(Drum{.axis = {0, 1, 0}, .radius = 0.04, .length = 0.04},
                  {.material = glass, .motion = RotationMotion{.axis = {0, 1, 0}, .rate = 3}});
    world.addLattice({.radius = 2e-3,
                      .origin = {-0.015, -0.015, -0.02},
                      .count = {{4, 4, 3}},
                      .jitter = 0.01,
                      .velocity = {0, 0, -0.1},
                      .randomVelocity = 0.05},
                     {.material = glass});
    world.addBody(Sphere{3e-3}, {.position = {0, 0, 0.02}, .material = glass, .load = ConstantForce{{1e-3, 0, 0}}});
    world.addSource({.region = {{-0.01, -0.01, 0.0}, {0.01, 0.01, 0.01}}, .rate = 2000, .radius = SingleSize{1e-3}},
                    {.material = glass});
    world.addSink({.region = {{0.01, -0.02, -0.04}, {0.02, 0.02, -0.02}}});
    Stepper stepper(Penalty{.step = 1e-5});
    expectTheSame(scene, world, stepper, 4, 400);
    EXPECT_NE(world.grainCount(), 4u * 4 * 4 * 3 + 1);
}

TEST(ScenesAndCalls, GiveTheSameBitsForAPlaneOfPolygonsThatIsLoadedQuasiStatically) {
    Simulation scene = simulate(R"(
method: quasi-static
planar: xz
contact_law: {normal: hooke}
materials: {sand: {friction: 0.5, stiffness: 1e6}}
quasi_static: {tolerance: 1e-4}
bodies:
  - {shape: plane}
  - {shape: polygon, corners: [[-1 cm, -1 cm], [1 cm, -1 cm], [1 cm, 1 cm], [-1 cm, 1 cm]], position: [0, 0, 1 cm]}
  - {shape: disc, radius: 1 cm, position: [0, 0, 3 cm]}
run: {time: 1 s, step: 0.1}
)");
    World world({.planar = Planar::xz, .contactLaw = {.kinds = {.normal = NormalLaw::hooke}}});
    const MaterialId sand = world.addMaterial({.friction = 0.5, .stiffness = 1e6, .name = "sand"});
    world.addWall(Plane{}, {.material = sand});
    world.addBody(Polygon{.corners = {{-0.01, -0.01}, {0.01, -0.01}, {0.01, 0.01}, {-0.01, 0.01}}},
                  {.position = {0, 0, 0.01}, .material = sand});
    world.addBody(Disc{0.01}, {.position = {0, 0, 0.03}, .material = sand});
    Stepper stepper(QuasiStatic{.step = 0.1, .equilibrium = {.tolerance = 1e-4}});
    expectTheSame(scene, world, stepper, 3, 1);
}

TEST(ScenesAndCalls, ChooseTheSameStep) {
    Simulation scene = simulate(R"(
materials: {glass: {friction: 0.4}}
bodies: [{shape: plane}, {shape: sphere, radius: 1 mm, position: [0, 0, 2 mm]}]
run: {time: 0.5 s}
)");
    World world;
    const MaterialId glass = world.addMaterial({.friction = 0.4, .name = "glass"});
    world.addWall(Plane{}, {.material = glass});
    world.addBody(Sphere{1e-3}, {.position = {0, 0, 2e-3}, .material = glass});
    Stepper stepper(Penalty{}, {.horizon = 0.5});
    expectTheSame(scene, world, stepper, 2, 100);
    EXPECT_EQ(stepper.stepLength(), scene.stepLength());
    EXPECT_EQ(stepper.stepReason(), scene.stepReason());
}

}  // namespace
}  // namespace talus
