// Forces applied to bodies: their course in time and what a scene says about them.
#include "constraints/load.hpp"

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
    const World world = buildWorld(scene);
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
    const World world = buildWorld(
        pushedSphere("  - {shape: plane, point: [0, 0, -1], free: {mass: 2 kg, axes: [z], inertia: 3, turns: [x]}}\n"));
    ASSERT_EQ(world.bodies.wallCount(), 1u);
    EXPECT_EQ(world.bodies.inverseMass.back(), 0.5);
    EXPECT_EQ(world.bodies.inverseInertia.back().x, 1.0 / 3);
    EXPECT_EQ(world.wallFreedom[0].linear, (Vec3{0, 0, 1}));
    EXPECT_EQ(world.wallFreedom[0].angular, (Vec3{1, 0, 0}));
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
    EXPECT_NE(faultsOf("{shape: sphere, radius: 0.1, position: [0, 0, 2], free: {mass: 1}}").find("for walls"),
              std::string::npos);
}

}  // namespace
}  // namespace talus
