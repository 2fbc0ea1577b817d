// Forces applied to bodies: their course in time and what a scene says about them.
#include "model/load.hpp"

#include <gtest/gtest.h>

#include "io/scene/build_world.hpp"
#include "talus/error.hpp"
#include "talus/scene.hpp"

namespace talus {
namespace {

TEST(Force, OfATableIsLinearBetweenPointsAndConstantOutside) {
    const ForceLaw law = TableForce{{1, 2, 4}, {{10, 0, 0}, {20, 2, 0}, {0, 2, 8}}};
    EXPECT_EQ(evaluateForce(law, 0.5), (Vec3{10, 0, 0}));
    EXPECT_EQ(evaluateForce(law, 1.5), (Vec3{15, 1, 0}));
    EXPECT_EQ(evaluateForce(law, 2), (Vec3{20, 2, 0}));
    EXPECT_EQ(evaluateForce(law, 3), (Vec3{10, 2, 4}));
    EXPECT_EQ(evaluateForce(law, 9), (Vec3{0, 2, 8}));
}

Scene pushedSphere(const std::string& extra) {
    return parseScene(
        "materials: {glass: {}}\nrun: {time: 1}\nbodies:\n"
        "  - {shape: sphere, radius: 0.1, position: [0, 0, 1], force: [0, 0, \"2 kN\"]}\n" +
            extra,
        "pushed.yaml", "");
}

std::string faultsOf(const std::string& body) {
    try {
        pushedSphere("  - " + body + "\n");
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Force, OfASceneIsABareListOrATable) {
    const Scene scene = pushedSphere(
        "  - {shape: sphere, radius: 0.1, position: [0, 0, 2], force: {type: table, points: [[0, 1, 0, 0], [1, 0, 3, "
        "0]]}}\n");
    const WorldState world = buildWorld(scene);
    ASSERT_EQ(world.loads.size(), 2u);
    EXPECT_EQ(evaluateForce(world.loads[0], 0.3), (Vec3{0, 0, 2000}));
    EXPECT_EQ(evaluateForce(world.loads[1], 0.5), (Vec3{0.5, 1.5, 0}));
    EXPECT_EQ(writeScene(parseScene(writeScene(scene), "again.yaml", "")), writeScene(scene));
}

TEST(Force, OnABodyThatCannotFollowItIsRefused) {
    EXPECT_NE(
        faultsOf("{shape: sphere, radius: 0.1, position: [0, 0, 2], fixed: true, force: [1, 0, 0]}").find("force"),
        std::string::npos);
    EXPECT_NE(faultsOf("{shape: plane, force: [1, 0, 0]}").find("force"), std::string::npos);
    EXPECT_NE(faultsOf("{shape: sphere, radius: 0.1, position: [0, 0, 2], force: {type: table, points: [[1, 0, 0, 0], "
                       "[1, 0, 0, 0]]}}")
                  .find("times must increase"),
              std::string::npos);
}

TEST(FreeWall, OfASceneMovesAlongItsAxesOnly) {
    const WorldState world = buildWorld(
        pushedSphere("  - {shape: plane, point: [0, 0, -1], free: {mass: 2 kg, axes: [z], inertia: 3, turns: [x]}}\n"));
    ASSERT_EQ(world.bodies.wallCount(), 1u);
    EXPECT_EQ(world.bodies.inverseMass.back(), 0.5);
    EXPECT_EQ(world.bodies.inverseInertia.back().x, 1.0 / 3);
    EXPECT_EQ(linearFreedomOf(world, world.bodies.size() - 1), (Vec3{0, 0, 1}));
    EXPECT_EQ(angularFreedomOf(world, world.bodies.size() - 1), (Vec3{1, 0, 0}));
    EXPECT_TRUE(hasFreeWalls(world));
}

TEST(FreeWall, MistakesAreNamed) {
    EXPECT_NE(faultsOf("{shape: plane, point: [0, 0, -1], free: {}}").find("mass"), std::string::npos);
    EXPECT_NE(faultsOf("{shape: plane, point: [0, 0, -1], free: {mass: -1}}").find("mass"), std::string::npos);
    EXPECT_NE(faultsOf("{shape: plane, point: [0, 0, -1], fixed: false}").find("free: {mass"), std::string::npos);
    EXPECT_NE(faultsOf("{shape: plane, point: [0, 0, -1], free: {mass: 1, turns: [z]}}").find("inertia"),
              std::string::npos);
    EXPECT_NE(faultsOf("{shape: plane, point: [0, 0, -1], free: {mass: 1, axes: [x, x]}}").find("twice"),
              std::string::npos);
    EXPECT_NE(faultsOf("{shape: plane, point: [0, 0, -1], free: {mass: 1, axes: [x], velocity: [0, 1, 0]}}")
                  .find("not among its axes"),
              std::string::npos);
    EXPECT_NE(faultsOf("{shape: plane, point: [0, 0, -1], free: {mass: 1}, motion: {type: constant, velocity: [1, 0, "
                       "0]}}")
                  .find("prescribed"),
              std::string::npos);
    EXPECT_NE(faultsOf("{generate: lattice, radius: 0.1, origin: [0, 0, 2], count: [1, 1, 1], free: {mass: 1}}")
                  .find("these are many"),
              std::string::npos);
}

// A box of 2 kg that slides along z and turns about x, between whose axes and its own there are 45 degrees.
TEST(Guide, GivesASolidTheMassOfItsVolumeAndTheMomentAboutItsAxis) {
    const WorldState world = buildWorld(pushedSphere(
        "  - {shape: box, size: [0.1, 0.2, 0.4], position: [3, 0, 2], rotation: [0, 0, 45 deg], free: {mass: 2, axes: "
        "[z], turns: [x]}}\n"));
    const std::size_t box = world.bodies.shape[0] == 0 ? 1 : 0;
    EXPECT_DOUBLE_EQ(world.bodies.inverseMass[box], 0.5);
    const double aboutX = 2 * (0.04 + 0.16) / 12, aboutY = 2 * (0.01 + 0.16) / 12;
    EXPECT_NEAR(world.bodies.inverseInertia[box].z, 2 / (aboutX + aboutY), 1e-12);
    EXPECT_EQ(linearFreedomOf(world, box), (Vec3{0, 0, 1}));
    EXPECT_EQ(angularFreedomOf(world, box), (Vec3{1, 0, 0}));
    EXPECT_TRUE(isBoundary(world.bodies, box));
}

TEST(Guide, OfASphereLeavesItTheMassOfItsMaterial) {
    const WorldState plain = buildWorld(pushedSphere(""));
    const WorldState guided =
        buildWorld(pushedSphere("  - {shape: sphere, radius: 0.1, position: [3, 0, 2], free: {axes: [x, y]}}\n"));
    EXPECT_EQ(linearFreedomOf(guided, 1), (Vec3{1, 1, 0}));
    EXPECT_EQ(angularFreedomOf(guided, 1), (Vec3{}));
    EXPECT_GT(guided.bodies.inverseMass[1], 0);
    EXPECT_TRUE(plain.guides.empty());
}

TEST(Guide, MistakesAreNamed) {
    const std::string box = "{shape: box, size: [0.1, 0.1, 0.1], position: [3, 0, 2], ";
    const auto names = [&](const std::string& rest, const std::string& fault) {
        EXPECT_NE(faultsOf(box + rest).find(fault), std::string::npos) << rest << ": " << faultsOf(box + rest);
    };
    names("free: {axes: []}}", "could not move at all");
    names("free: {axes: [z], turns: [x, y]}}", "about one axis of the scene or all");
    names("free: {axes: [z], inertia: 1}}", "has the one of its shape");
    names("free: {axes: [z], velocity: [0, 0, 1]}}", "a velocity of its own");
    names("velocity: [1, 0, 0], free: {axes: [z]}}", "moves along x, which is not among its axes");
    names("spin: [1, 0, 0], free: {axes: [z]}}", "turns about x, which is not among its axes");
    names("free: {axes: [z]}, fixed: true}", "a fixed body cannot be free");
    names("motion: {type: servo, force: 1, max_speed: 1}}", "'direction' is missing");
}

}  // namespace
}  // namespace talus
