// What a world remembers of its walls beside their poses.
#include <gtest/gtest.h>

#include "model/world.hpp"

namespace talus {
namespace {

WorldState walledWorld() {
    WorldState world;
    world.materials.list = {{"glass", 2500, 1e7, 0.3}};
    world.shapes.add(CylinderWall{.radius = 0.1, .halfLength = 0.2});
    addBody(world, {.shape = 1});
    addBody(world, {.radius = 0.01});
    world.facePush = {3.0};
    world.contacts.brokenBonds = {{0, 1, 0}};
    return world;
}

TEST(WallState, GrowsWithTheWalls) {
    WorldState world = walledWorld();
    addBody(world, {.radius = 0.01, .position = {0.05, 0, 0}});
    EXPECT_EQ(world.facePush, std::vector<double>{3.0});
    addBody(world, {.shape = 1});
    EXPECT_EQ(world.facePush, (std::vector<double>{3.0, 0.0}));
    ASSERT_EQ(world.mantles.size(), 2u);
    world.mantles[0].radius = 0.11;
    removeWalls(world, {1, 0});
    EXPECT_EQ(world.facePush, std::vector<double>{0.0});
    ASSERT_EQ(world.mantles.size(), 1u);
    EXPECT_EQ(world.mantles[0].radius, 0.1);
}

// Steps have a WorldState& in hand, and nevertheless cannot write to a shape.
static_assert(!std::is_assignable_v<decltype(std::declval<WorldState&>().shapes[0]), Shape>);
static_assert(!std::is_assignable_v<decltype(*std::declval<WorldState&>().shapes.begin()), Shape>);

TEST(WallState, HasTheRadiusOfItsShapeUntilAServoMovesIt) {
    WorldState world = walledWorld();
    ASSERT_TRUE(drumOf(world, 1));
    EXPECT_EQ(drumOf(world, 1)->radius, 0.1);
    world.mantles[0].radius = 0.07;
    EXPECT_EQ(drumOf(world, 1)->radius, 0.07);
    EXPECT_EQ(drumOf(world, 1)->halfLength, 0.2);
    EXPECT_EQ(std::get<CylinderWall>(world.shapes[1]).radius, 0.1);
    EXPECT_FALSE(drumOf(world, 0)) << "a grain";
    // As far from a point on the axis as the mantle is now.
    EXPECT_EQ(distanceToFace(wallNow(world, 1), 0, {0, 0, 0}).distance, 0.07);
    EXPECT_EQ(distanceToFace({&world.shapes[1]}, 0, {0, 0, 0}).distance, 0.1);
}

TEST(WallState, IsNotThereBeforeTheFirstStep) {
    WorldState world = walledWorld();
    world.facePush.clear();
    addBody(world, {.shape = 1});
    EXPECT_TRUE(world.facePush.empty());
}

TEST(StateHash, TellsWorldsApartThatDifferInTheirWallsOrBonds) {
    const std::uint64_t same = stateHash(walledWorld());
    WorldState world = walledWorld();
    EXPECT_EQ(stateHash(world), same);
    world.mantles[0].radius = 0.11;
    EXPECT_NE(stateHash(world), same) << "radius";
    world = walledWorld();
    world.facePush[0] = 4;
    EXPECT_NE(stateHash(world), same) << "push";
    world = walledWorld();
    world.contacts.brokenBonds.clear();
    EXPECT_NE(stateHash(world), same) << "bonds";
    world = walledWorld();
    world.bodies.guide.back() = findGuide(world, {{0, 1, 1}, {1, 1, 1}});
    EXPECT_NE(stateHash(world), same) << "freedom";
}

}  // namespace
}  // namespace talus
