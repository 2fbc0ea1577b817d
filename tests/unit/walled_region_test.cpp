// Regions that walls and plates cut: the void ratio of what is between them, wherever they are.
#include "measure/walled_region.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "build/generators.hpp"
#include "measure/packing.hpp"
#include "unit/touching_world.hpp"

namespace talus {
namespace {

constexpr std::uint16_t loose = 0, walls = 1;

std::uint16_t addShape(WorldState& world, const Shape& shape) { return world.shapes.add(shape); }

// A unit sphere at (1, 1, 1).
WorldState oneSphere() {
    WorldState world = test::makeWorld({});
    world.groupNames = {"grains", "walls"};
    addBody(world, {.radius = 1, .position = {1, 1, 1}});
    return world;
}

std::uint32_t addPlane(WorldState& world, const Vec3& point, const Vec3& normal) {
    return addBody(
        world,
        {.shape = addShape(world, PlaneWall{}), .position = point, .orientation = turnFromZ(normal), .group = walls});
}

std::uint32_t addPlate(WorldState& world, const Vec3& position, const Vec3& halfSize, std::uint16_t group) {
    const Shape box = BoxShape{halfSize, 0};
    return addBody(world, {.shape = addShape(world, box),
                           .radius = boundingRadius(box),
                           .position = position,
                           .group = group,
                           .fixed = true});
}

const MeasureBox wide{"sample", {-5, -5, -5}, {7, 7, 7}, {walls}};

TEST(RegionBetweenWalls, IsTheBoxItselfWithoutThem) {
    const MeasureBox box = betweenWalls(oneSphere(), wide);
    EXPECT_EQ(box.low, wide.low);
    EXPECT_EQ(box.high, wide.high);
}

TEST(RegionBetweenWalls, EndsAtPlanesPlatesAndContainersAndFollowsThem) {
    WorldState world = oneSphere();
    addPlane(world, {0, 0, 0}, {0, 0, 1});
    const std::uint32_t lid = addPlane(world, {9, 9, 2}, {0, 0, -1});
    BoxWall sides{{3, 1, 4}, {}};
    sides.open = {true, true, false, false, true, true};
    addBody(world, {.shape = addShape(world, sides), .position = {1, 1, 1}, .group = walls});
    addPlate(world, {-0.25, 1, 1}, {0.25, 2, 3}, walls);
    addPlate(world, {2.5, 1, 1}, {0.5, 2, 3}, walls);
    addPlate(world, {0.4, 1, 1}, {0.1, 2, 3}, loose);
    const MeasureBox box = betweenWalls(world, wide);
    EXPECT_EQ(box.low, (Vec3{0, 0, 0}));
    EXPECT_EQ(box.high, (Vec3{2, 2, 2}));
    EXPECT_NEAR(measurePacking(world, box).fraction(), std::numbers::pi / 6, 1e-12);
    world.bodies.position[indexOf(world.bodies, lid)].z = 3;
    EXPECT_NEAR(measurePacking(world, betweenWalls(world, wide)).voidRatio(), 12 / (4 * std::numbers::pi / 3) - 1,
                1e-12);
}

// A lid far below the middle of the box is a lid still: the grains are under it.
TEST(RegionBetweenWalls, TellsLidsFromFloorsByWhereTheGrainsAre) {
    WorldState world = oneSphere();
    addPlate(world, {1, 1, 2.5}, {3, 3, 0.5}, walls);
    const MeasureBox tall{"sample", {0, 0, 0}, {2, 2, 100}, {walls}};
    EXPECT_EQ(betweenWalls(world, tall).low.z, 0);
    EXPECT_EQ(betweenWalls(world, tall).high.z, 2);
    world.bodies.position[indexOf(world.bodies, 0)].z = 5;
    EXPECT_EQ(betweenWalls(world, tall).low.z, 3);
}

TEST(RegionBetweenWalls, IsFlatWhereTheyHavePassedEachOther) {
    WorldState world = oneSphere();
    addPlane(world, {0, 0, 4}, {0, 0, 1});
    addPlane(world, {0, 0, 3}, {0, 0, -1});
    const MeasureBox box = betweenWalls(world, wide);
    EXPECT_EQ(box.low.z, box.high.z);
    EXPECT_EQ(measurePacking(world, box).fraction(), 0);
}

TEST(RegionBetweenWalls, TakesNoNoticeOfFreeBodies) {
    WorldState world = oneSphere();
    const Shape box = BoxShape{{0.1, 2, 2}, 0};
    addBody(world,
            {.shape = addShape(world, box), .radius = boundingRadius(box), .position = {-2, 1, 1}, .group = walls});
    EXPECT_EQ(betweenWalls(world, wide).low, wide.low);
}

}  // namespace
}  // namespace talus
