// Lists are kept while neighbours stay together, however far they go together, and never miss two bodies that touch.
#include "contacts/table/travel.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/random.hpp"
#include "contacts/table/neighbour_lists.hpp"
#include "regression/settling_world.hpp"

namespace talus {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // ids, lower first

constexpr double edge = 12;  // m, of the box

WorldState makeGrains(bool periodic, double smallest) {
    WorldState world;
    world.materials = test::makeGlass({}, 0.5);
    if (periodic) world.domain = {.low = {}, .high = {edge, edge, edge}, .periodic = {true, true, true}};
    Random random(3, 0);
    std::vector<BodyDefinition> grains;
    for (int k = 0; k < 500; ++k) {
        const double radius = random.uniform(smallest, 0.5);
        grains.push_back({.radius = radius, .position = random.inBox({}, {edge, edge, edge}), .fixed = k % 20 == 0});
    }
    addGrains(world, grains);
    world.contacts.skin = 0.1;
    return world;
}

// A way (m) for each free grain; returns the largest.
template <class Way>
double move(WorldState& world, Way&& way) {
    Bodies& b = world.bodies;
    double largest = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (b.inverseMass[i] == 0) continue;
        const Vec3 step = way(b.position[i]);
        b.position[i] = world.domain.wrapped(b.position[i] + step);
        largest = std::max(largest, norm(step));
    }
    return largest;
}

std::set<Pair> pairsOf(const WorldState& world) {
    std::set<Pair> pairs;
    const GrainCandidates& list = world.contacts.grains;
    for (std::size_t i = 0; i < world.bodies.grainCount; ++i) {
        for (std::uint32_t k = list.rowStart[i]; k < list.rowStart[i + 1]; ++k) {
            const std::uint32_t a = world.bodies.id[i], b = world.bodies.id[list.partner[k]];
            pairs.insert({std::min(a, b), std::max(a, b)});
        }
    }
    return pairs;
}

int countMissing(const WorldState& world) {
    const Bodies& b = world.bodies;
    const std::set<Pair> listed = pairsOf(world);
    int missing = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (b.inverseMass[i] == 0 && b.inverseMass[j] == 0) continue;
            const double distance = norm(nearestImage(b.position[i] - b.position[j], world.domain.period()));
            if (distance >= b.radius[i] + b.radius[j]) continue;
            missing += !listed.contains({std::min(b.id[i], b.id[j]), std::max(b.id[i], b.id[j])});
        }
    }
    return missing;
}

// A shear flow that drifts, with a way of its own for each grain.
Vec3 flowWay(const Vec3& position, double share, Random& random) {
    const Vec3 own = random.inBox({-1, -1, -1}, {1, 1, 1});
    return Vec3{4e-3 * position.z / edge + 2e-3, 1e-3, 0} + share * 4e-3 * own;
}

TEST(Travel, MissesNoTouchingPairInFlows) {
    for (const bool periodic : {false, true}) {
        for (const double smallest : {0.5, 0.1}) {
            for (const double ownShare : {0.0, 0.3, 3.0}) {
                WorldState world = makeGrains(periodic, smallest);
                NeighbourWorkspace workspace;
                refreshLists(world, workspace, 0);
                Random random(5, 0);
                for (int step = 0; step < 100; ++step) {
                    const double moved = move(world, [&](const Vec3& p) { return flowWay(p, ownShare, random); });
                    refreshLists(world, workspace, moved);
                    const bool isLookedAt = step % 5 == 4;
                    EXPECT_EQ(isLookedAt ? countMissing(world) : 0, 0) << step;
                }
                EXPECT_GT(world.contacts.rebuilds, 2u);
                EXPECT_LT(world.contacts.rebuilds, 40u);
            }
        }
    }
}

// Two halves that move as one each and run into each other at a border of zones (two diameters and two skins wide).
TEST(Travel, MissesNoTouchingPairWhereTwoPartsMeet) {
    WorldState world = makeGrains(false, 0.5);
    const double border = 2 * 2.2;
    for (double& inverseMass : world.bodies.inverseMass) inverseMass = 1;
    NeighbourWorkspace workspace;
    refreshLists(world, workspace, 0);
    for (std::size_t i = 0; i < world.bodies.grainCount; ++i) {
        world.bodies.velocity[i].x = world.bodies.position[i].x < border ? 5e-3 : -5e-3;
    }
    for (int step = 0; step < 40; ++step) {
        for (std::size_t i = 0; i < world.bodies.grainCount; ++i) {
            world.bodies.position[i] += world.bodies.velocity[i];
        }
        refreshLists(world, workspace, 5e-3);
        EXPECT_EQ(countMissing(world), 0) << step;
    }
    EXPECT_GT(world.contacts.rebuilds, 1u);
}

// The old rule, half a skin for each grain, would have needed ten lists on the way.
TEST(Travel, KeepsTheListsOfGrainsThatGoTogether) {
    WorldState world = makeGrains(false, 0.5);
    for (double& inverseMass : world.bodies.inverseMass) inverseMass = 1;
    NeighbourWorkspace workspace;
    refreshLists(world, workspace, 0);
    for (int step = 0; step < 50; ++step) {
        const double moved = move(world, [](const Vec3&) { return Vec3{0.01, 0, 0}; });
        refreshLists(world, workspace, moved);
    }
    EXPECT_EQ(world.contacts.rebuilds, 1u);
    EXPECT_EQ(countMissing(world), 0);
}

TEST(Travel, AnswersByThePresentStateWheneverItWasAskedBefore) {
    WorldState world = makeGrains(true, 0.3), other = world;
    NeighbourWorkspace workspace, forgetful;
    refreshLists(world, workspace, 0);
    refreshLists(other, forgetful, 0);
    Random random(5, 0), same(5, 0);
    int kept = 0;
    for (int step = 0; step < 150; ++step) {
        const double moved = move(world, [&](const Vec3& p) { return flowWay(p, 0.3, random); });
        move(other, [&](const Vec3& p) { return flowWay(p, 0.3, same); });
        forgetful.travel.forget();
        kept += !refreshLists(world, workspace, moved);
        refreshLists(other, forgetful, moved);
        ASSERT_EQ(world.contacts.rebuilds, other.contacts.rebuilds) << step;
    }
    EXPECT_GT(kept, 100);
    EXPECT_GT(world.contacts.rebuilds, 2u);
}

TEST(Travel, IsTooFarWhenNumbersWentBad) {
    WorldState world = makeGrains(false, 0.5);
    NeighbourWorkspace workspace;
    refreshLists(world, workspace, 0);
    world.bodies.position[7].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(workspace.travel.isTooFar(world, std::numeric_limits<double>::infinity(), 0));
}

}  // namespace
}  // namespace talus
