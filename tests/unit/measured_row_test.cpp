#include <gtest/gtest.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "measure/series.hpp"
#include "measure/wall_force.hpp"
#include "talus/error.hpp"
#include "unit/touching_world.hpp"

namespace talus {
namespace {

using test::addFloor;
using test::addSphere;
using test::findContacts;
using test::makeWorld;

double valueOf(const std::vector<SeriesValue>& row, const std::string& name) {
    const auto found = std::find_if(row.begin(), row.end(), [&](const SeriesValue& c) { return c.name == name; });
    if (found == row.end()) throw std::out_of_range("no column " + name);
    return found->value;
}

std::vector<std::string> namesOf(const std::vector<SeriesValue>& row) {
    std::vector<std::string> names;
    for (const SeriesValue& value : row) names.push_back(value.name);
    return names;
}

// A ball resting 0.01 deep on a floor, 10 N, in the region "middle", above the plane "exit".
WorldState restingBall() {
    WorldState world = makeWorld();
    world.gravity = {0, 0, -10};
    world.groupNames = {"grains", "floor"};
    addSphere(world, {0, 0, 0.99}, 1);
    addFloor(world, 0, 1);
    findContacts(world);
    return world;
}

SeriesSettings someSettings(const WorldState& world) {
    return {.regions = {{"middle", {-1, -1, 0}, {1, 1, 2}}},
            .planes = {{"exit", {0, 0, 0.5}, {0, 0, -1}}},
            .loadGroups = findFixedGroups(world)};
}

TEST(MeasuredRow, TellsTheStateByName) {
    WorldState world = restingBall();
    const SeriesSettings settings = someSettings(world);
    SeriesMemory memory = startMeasuring(world, sampleContacts(world), settings);
    world.bodies.velocity[0] = {0, 3, 4};
    world.time = 0.25;
    world.step = 50;
    const auto row = measureSeries(world, sampleContacts(world), settings, memory);
    EXPECT_EQ(row.front().name, "time");
    EXPECT_EQ(row.front().unit, "s");
    EXPECT_EQ(valueOf(row, "time"), 0.25);
    EXPECT_EQ(valueOf(row, "step"), 50);
    EXPECT_EQ(valueOf(row, "grains"), 1);
    EXPECT_EQ(valueOf(row, "contacts"), 1);
    EXPECT_EQ(valueOf(row, "coordination"), 1);
    EXPECT_EQ(valueOf(row, "coordination_without_rattlers"), 0);
    EXPECT_NEAR(valueOf(row, "max_overlap"), 0.01, 1e-12);
    EXPECT_NEAR(valueOf(row, "max_speed"), 5, 1e-12);
    EXPECT_NEAR(valueOf(row, "energy_elastic"), 0.5 * 1000 * 1e-4, 1e-12);
    EXPECT_NEAR(valueOf(row, "energy_potential"), 10 * 0.99 / world.bodies.inverseMass[0], 1e-9);
    EXPECT_NEAR(valueOf(row, "force_z_floor"), -10, 1e-9);
    EXPECT_NEAR(valueOf(row, "stress_zz_middle"), 10 * 0.99 / 8, 1e-9);  // 0.99 m of the branch are above z = 0
    EXPECT_NEAR(valueOf(row, "pressure_middle"), valueOf(row, "stress_zz_middle") / 3, 1e-9);
    const double capBelow = M_PI * 1e-4 * (3 - 0.01) / 3;
    EXPECT_NEAR(valueOf(row, "packing_middle"), (4.0 / 3 * M_PI - capBelow) / 8, 1e-12);
    EXPECT_EQ(valueOf(row, "coordination_middle"), 1);
    EXPECT_EQ(valueOf(row, "grains_through_exit"), 0);
}

TEST(MeasuredRow, HasTheSameColumnsWhateverHappens) {
    WorldState world = restingBall();
    const SeriesSettings settings = someSettings(world);
    SeriesMemory memory = startMeasuring(world, sampleContacts(world), settings);
    const auto names = namesOf(measureSeries(world, sampleContacts(world), settings, memory));
    removeGrains(world, {1});
    EXPECT_EQ(namesOf(measureSeries(world, sampleContacts(world), settings, memory)), names);
    std::vector<std::string> sorted = names;
    std::sort(sorted.begin(), sorted.end());
    EXPECT_EQ(std::adjacent_find(sorted.begin(), sorted.end()), sorted.end());
}

TEST(MeasuredRow, TellsTheEnergyErrorRelativeToTheEnergyTurnedOver) {
    WorldState world = makeWorld();
    world.gravity = {0, 0, -10};
    addSphere(world, {0, 0, 5}, 1);
    findContacts(world);
    const SeriesSettings settings;
    SeriesMemory memory = startMeasuring(world, {}, settings);
    EXPECT_EQ(valueOf(measureSeries(world, {}, settings, memory), "energy_error"), 0);
    // Falls 1 m and has 1 % too much kinetic energy; what was turned over: m g (1 + 1.01), and what
    // counts as nothing: m g on a thousandth of the radius.
    world.bodies.position[0].z = 4;
    world.bodies.velocity[0].z = -std::sqrt(2 * 10 * 1.01);
    EXPECT_NEAR(valueOf(measureSeries(world, {}, settings, memory), "energy_error"), 0.01 / 2.011, 1e-12);
    // Back at the top, at rest: nothing is left to compare with but what was seen before. Rows do not count for that.
    followEnergy(world, {}, settings, memory);
    world.bodies.position[0].z = 5.02;
    world.bodies.velocity[0].z = 0;
    EXPECT_NEAR(valueOf(measureSeries(world, {}, settings, memory), "energy_error"), 0.02 / 2.011, 1e-12);
}

TEST(MeasuredRow, HasNoEnergyErrorIfGravityActsAlongAPeriodicAxis) {
    WorldState world = makeWorld();
    world.gravity = {1, 0, -1};
    world.domain = {.low = {0, 0, 0}, .high = {9, 9, 9}, .periodic = {true, false, false}};
    SeriesMemory memory = startMeasuring(world, {}, {});
    const auto names = namesOf(measureSeries(world, {}, {}, memory));
    EXPECT_EQ(std::count(names.begin(), names.end(), "energy_error"), 0);
    EXPECT_EQ(std::count(names.begin(), names.end(), "energy_kinetic"), 1);
}

// 1200 grains in a periodic box that move at random, measured now and then.
std::vector<double> measuredRun(int threads, bool interrupt) {
    setThreadCount(threads);
    Random random(8, 1);
    WorldState world = makeWorld();
    world.gravity = {0, 0, -9.81};
    world.domain = {.low = {0, 0, 0}, .high = {10, 10, 10}, .periodic = {true, true, false}};
    for (int k = 0; k < 1200; ++k) addSphere(world, random.inBox({0, 0, 0}, {10, 10, 10}), random.uniform(0.1, 0.5));
    addFloor(world, 0.5);
    const SeriesSettings settings{.regions = {{"a", {-1, 2, 2}, {5, 8, 8}}},
                                  .planes = {{"p", {0, 0, 5}, {0, 0, -1}}, {"q", {3, 0, 0}, {1, 0, 0}}},
                                  .loadGroups = findFixedGroups(world)};
    findContacts(world);
    SeriesMemory memory = startMeasuring(world, sampleContacts(world), settings);
    std::vector<double> values;
    for (int k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < world.bodies.grainCount; ++i) {
            world.bodies.position[i] += random.inBox({-0.5, -0.5, -0.5}, {0.5, 0.5, 0.4});
            world.bodies.velocity[i] = random.inBox({-1, -1, -1}, {1, 1, 1});
        }
        findContacts(world);
        for (const SeriesValue& v : measureSeries(world, sampleContacts(world), settings, memory)) {
            values.push_back(v.value);
        }
        if (interrupt) memory = restoreMemory(world, settings, saveMemory(memory));
    }
    setThreadCount(1);
    return values;
}

TEST(MeasuredRow, HasTheSameBitsForAnyNumberOfThreadsAndAfterARestart) {
    const std::vector<double> once = measuredRun(1, false);
    EXPECT_EQ(measuredRun(2, false), once);
    EXPECT_EQ(measuredRun(4, false), once);
    EXPECT_EQ(measuredRun(3, true), once);
}

TEST(MeasuredRow, RefusesASavedStateOfAnotherScene) {
    WorldState world = restingBall();
    const SeriesSettings settings = someSettings(world);
    SeriesState state = saveMemory(startMeasuring(world, {}, settings));
    EXPECT_NO_THROW(restoreMemory(world, settings, state));
    EXPECT_THROW(restoreMemory(world, {}, state), InputError);
    state.meters[0].id[0] = 4000000000u;
    EXPECT_THROW(restoreMemory(world, settings, state), InputError);
}

}  // namespace
}  // namespace talus
