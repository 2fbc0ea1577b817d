// Sources pour at their rate into free places, sinks take out, and the ledger knows about both.
#include "step/population.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "io/scene/build_world.hpp"
#include "measure/energy.hpp"
#include "regression/settling_world.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

Source makeSource(double rate) {
    Source source;
    source.low = {0, 0, 0};
    source.high = {1, 1, 1};
    source.rate = rate;
    source.velocity = {0, 0, -2};
    source.size = {.kind = SizeDistribution::Kind::uniform, .low = 0.02, .high = 0.03};
    return source;
}

WorldState makeEmptyWorld() {
    WorldState world;
    world.materials = test::makeGlass({}, 0.5);
    return world;
}

void updateAt(WorldState& world, double time) {
    world.time = time;
    updatePopulation(world);
}

TEST(Source, PoursAtItsRateFromStartToStop) {
    WorldState world = makeEmptyWorld();
    world.sources = {makeSource(100)};
    world.sources[0].start = 1;
    world.sources[0].stop = 1.5;
    updateAt(world, 0.9);
    EXPECT_EQ(world.bodies.grainCount, 0u);
    updateAt(world, 1.2);
    EXPECT_NEAR(static_cast<double>(world.bodies.grainCount), 20, 1);
    updateAt(world, 9);
    EXPECT_NEAR(static_cast<double>(world.bodies.grainCount), 50, 1);
    EXPECT_EQ(world.sources[0].made, world.bodies.grainCount);
}

TEST(Source, StopsAtItsLimit) {
    WorldState world = makeEmptyWorld();
    world.sources = {makeSource(100)};
    world.sources[0].limit = 7;
    updateAt(world, 5);
    updateAt(world, 6);
    EXPECT_EQ(world.bodies.grainCount, 7u);
}

TEST(Source, MakesGrainsInItsBoxThatOverlapNothing) {
    WorldState world = makeEmptyWorld();
    addBody(world, {.radius = 0.4, .position = {0.5, 0.5, 0.5}});
    world.sources = {makeSource(300)};
    updateAt(world, 1);
    const Bodies& b = world.bodies;
    ASSERT_GT(b.grainCount, 250u);
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_GE(norm(b.position[i] - b.position[j]), b.radius[i] + b.radius[j]);
        }
        if (b.radius[i] == 0.4) continue;
        EXPECT_GE(b.radius[i], 0.02);
        EXPECT_LE(b.radius[i], 0.03);
        EXPECT_EQ(b.velocity[i], (Vec3{0, 0, -2}));
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_GE(b.position[i][axis], 0);
            EXPECT_LE(b.position[i][axis], 1);
        }
    }
}

// A slope, a box and a drum cut through the region.
TEST(Source, PoursNothingIntoWalls) {
    WorldState world = makeEmptyWorld();
    world.shapes.add(PlaneWall{});
    world.shapes.add(BoxWall{.halfSize = {0.6, 0.6, 0.4}, .open = {}});
    world.shapes.add(CylinderWall{.radius = 0.5, .halfLength = 2, .open = {false, true, true}});
    const Quat slope = rotationBy({0.5, 0, 0});
    addBody(world, {.shape = 1, .position = {0, 0.5, 0.3}, .orientation = slope, .fixed = true});
    addBody(world, {.shape = 2, .position = {0.5, 0.5, 0.5}, .fixed = true});
    addBody(world, {.shape = 3, .position = {0.5, 0.5, 0.5}, .fixed = true});
    world.sources = {makeSource(200)};
    updateAt(world, 1);
    const Bodies& b = world.bodies;
    ASSERT_GT(b.grainCount, 50u);
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        const Vec3& p = b.position[i];
        const double onSlope = dot(p - Vec3{0, 0.5, 0.3}, rotate(slope, {0, 0, 1}));
        EXPECT_GE(onSlope, b.radius[i]);
        EXPECT_LE(std::abs(p.z - 0.5), 0.4 - b.radius[i]);
        EXPECT_LE(std::hypot(p.x - 0.5, p.y - 0.5), 0.5 - b.radius[i]);
    }
}

TEST(Source, WhoseRegionIsBehindAWallIsRefused) {
    const std::string scene = R"(
materials: {glass: {density: 2500, youngs_modulus: 5 MPa}}
bodies: [{shape: plane, point: [0, 0, 0], normal: [0, 0, 1]}]
sources:
  - {region: {low: [0, 0, -5 mm], high: [9 mm, 9 mm, 2 mm]}, rate: 10 1/s, radius: 1 mm}
run: {time: 1 ms}
)";
    EXPECT_NO_THROW(buildWorld(parseScene(scene, "test.yaml", ".")));
    const std::string tooLow = "sources[0].region.high=[9 mm, 9 mm, 0.9 mm]";
    try {
        buildWorld(parseScene(scene, "test.yaml", ".", {tooLow}));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("sources[0].region: no grain fits"), std::string::npos);
    }
    EXPECT_NO_THROW(buildWorld(
        parseScene(scene, "test.yaml", ".", {tooLow, "bodies[0].motion={type: constant, velocity: [0, 0, -1]}"})));
}

TEST(Source, WaitsWhereThereIsNoRoomAndGoesOnLater) {
    WorldState world = makeEmptyWorld();
    addBody(world, {.radius = 5, .position = {0.5, 0.5, 0.5}});
    world.sources = {makeSource(100)};
    updateAt(world, 0.1);
    EXPECT_EQ(world.bodies.grainCount, 1u);
    EXPECT_GT(world.sources[0].refused, 0u);
    world.bodies.position[0] = {100, 0, 0};
    updateAt(world, 0.2);
    EXPECT_NEAR(static_cast<double>(world.sources[0].made), 20, 1);
}

TEST(Source, GoesOnWithTheSameGrainsAfterItsCountsAreRestored) {
    WorldState whole = makeEmptyWorld();
    whole.sources = {makeSource(100)};
    updateAt(whole, 0.2);
    WorldState rest = whole;
    updateAt(whole, 0.5);
    updateAt(rest, 0.5);
    EXPECT_GT(whole.bodies.grainCount, 40u);
    EXPECT_EQ(rest.bodies.position, whole.bodies.position);
    EXPECT_EQ(rest.bodies.radius, whole.bodies.radius);
}

TEST(Sink, RemovesWhatIsInsideAndNothingElse) {
    WorldState world = makeEmptyWorld();
    const std::uint32_t above = addBody(world, {.radius = 0.1, .position = {0, 0, 3}});
    const std::uint32_t inside = addBody(world, {.radius = 0.1, .position = {0, 0, 0.5}});
    const std::uint32_t fixed = addBody(world, {.radius = 0.1, .position = {0.5, 0, 0.5}, .fixed = true});
    const double mass = 1 / world.bodies.inverseMass[indexOf(world.bodies, inside)];
    world.sinks = {{.low = {-1, -1, 0}, .high = {1, 1, 1}}, {.low = {-1, -1, 0.4}, .high = {1, 1, 2}}};
    updatePopulation(world);
    EXPECT_EQ(world.bodies.grainCount, 2u);
    EXPECT_LT(indexOf(world.bodies, above), world.bodies.size());
    EXPECT_LT(indexOf(world.bodies, fixed), world.bodies.size());
    EXPECT_EQ(indexOf(world.bodies, inside), world.bodies.size());
    EXPECT_EQ(world.sinks[0].removed + world.sinks[1].removed, 1u);
    EXPECT_EQ(world.sinks[0].removedMass, mass);
    EXPECT_TRUE(world.contacts.stale);
}

TEST(Population, EntersTheEnergyOfComingAndGoingGrainsInTheLedger) {
    WorldState world = makeEmptyWorld();
    const EnergyBalance start = measureEnergy(world, {});
    world.sources = {makeSource(100)};
    updateAt(world, 0.5);
    const EnergyBalance poured = measureEnergy(world, {});
    EXPECT_GT(poured.inserted, 0);
    EXPECT_NEAR(closure(start, poured), 0, 1e-12 * poured.mechanical());
    world.sources.clear();
    world.sinks = {{.low = {0, 0, 0}, .high = {1, 1, 0.5}}};
    updateAt(world, 0.5);
    EXPECT_GT(world.sinks[0].removed, 10u);
    EXPECT_NEAR(closure(start, measureEnergy(world, {})), 0, 1e-12 * poured.mechanical());
}

}  // namespace
}  // namespace talus
