// Neighbour lists against a comparison of all pairs, and the memory that follows its pair through a rebuild.
#include "contacts/table/neighbour_lists.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "regression/settling_world.hpp"
#include "step/step.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // ids, lower first

Pair pairOf(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

struct Mixture {
    int count = 800;
    double ratio = 100;    // largest over smallest radius
    double largest = 1;    // m
    Vec3 box{12, 12, 12};  // m
    std::array<bool, 3> periodic{};
    double skin = 0.05;  // m
    double fixedShare = 0.1;
};

// Radii spread evenly on a logarithmic scale: as many tiny grains as large ones.
WorldState makeMixture(const Mixture& m, std::uint64_t seed) {
    WorldState world;
    world.materials = test::makeGlass({}, 0.5);
    world.domain = {.low = -0.3 * m.box, .high = 0.7 * m.box, .periodic = m.periodic};
    Random random(seed, 0);
    std::vector<BodyDefinition> grains;
    for (int k = 0; k < m.count; ++k) {
        BodyDefinition grain;
        grain.radius = k == 0 ? m.largest : m.largest * std::pow(m.ratio, -random.uniform());
        grain.position = random.inBox(world.domain.low, world.domain.high);
        grain.fixed = random.uniform() < m.fixedShare;
        grains.push_back(grain);
    }
    addGrains(world, grains);
    world.contacts.skin = m.skin;
    return world;
}

// Ids of the pairs with a gap below the limit, by looking at every pair and every image.
std::set<Pair> nearPairs(const WorldState& world, double limit) {
    const Bodies& b = world.bodies;
    const Vec3 period = world.domain.period();
    std::set<Pair> near;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (b.inverseMass[i] == 0 && b.inverseMass[j] == 0) continue;
            double squared = 0;
            for (int axis = 0; axis < 3; ++axis) {
                const double d = b.position[i][axis] - b.position[j][axis];
                const double nearest = world.domain.periodic[axis] ? std::remainder(d, period[axis]) : d;
                squared += nearest * nearest;
            }
            if (std::sqrt(squared) - b.radius[i] - b.radius[j] < limit) near.insert(pairOf(b.id[i], b.id[j]));
        }
    }
    return near;
}

std::set<Pair> listedPairs(const WorldState& world) {
    const Bodies& b = world.bodies;
    const GrainCandidates& list = world.contacts.grains;
    std::set<Pair> listed;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        for (std::uint32_t k = list.rowStart[i]; k < list.rowStart[i + 1]; ++k) {
            listed.insert(pairOf(b.id[i], b.id[list.partner[k]]));
        }
    }
    EXPECT_EQ(listed.size(), list.partner.size()) << "a pair is listed twice";
    return listed;
}

void expectListsOfAllPairs(const Mixture& mixture) {
    for (const std::uint64_t seed : {1, 2, 3}) {
        WorldState world = makeMixture(mixture, seed);
        NeighbourWorkspace workspace;
        rebuildLists(world, workspace);
        const std::set<Pair> wanted = nearPairs(world, mixture.skin);
        EXPECT_GT(wanted.size(), 50u);
        EXPECT_EQ(listedPairs(world), wanted) << "seed " << seed;
    }
}

TEST(NeighbourLists, HoldEveryNearPairOnceForEqualGrains) { expectListsOfAllPairs({.ratio = 1, .largest = 0.7}); }

TEST(NeighbourLists, HoldEveryNearPairOnceForSizesOfTenToOne) { expectListsOfAllPairs({.ratio = 10}); }

TEST(NeighbourLists, HoldEveryNearPairOnceForSizesOfAHundredToOne) { expectListsOfAllPairs({.ratio = 100}); }

TEST(NeighbourLists, HoldEveryNearPairOnceWithASkinWiderThanTheSmallGrains) {
    expectListsOfAllPairs({.ratio = 100, .skin = 0.4});
}

TEST(NeighbourLists, HoldEveryNearPairOnceInPeriodicBoxes) {
    expectListsOfAllPairs({.periodic = {true, false, false}});
    expectListsOfAllPairs({.periodic = {true, true, true}});
    expectListsOfAllPairs({.ratio = 3, .largest = 0.6, .periodic = {false, true, true}});
}

// Two to four cells along the period, where neighbours on both sides can be the same cell.
TEST(NeighbourLists, HoldEveryNearPairOnceInTheShortestPeriodicBoxes) {
    for (const double cells : {2.0, 2.4, 3.0, 3.7, 4.0}) {
        const double edge = cells * 2.05;
        expectListsOfAllPairs({.count = 300, .box = {edge, edge, edge}, .periodic = {true, true, true}});
        expectListsOfAllPairs({.count = 300, .ratio = 1, .box = {edge, 30, 9}, .periodic = {true, true, false}});
    }
}

TEST(NeighbourLists, AreRefusedInAPeriodShorterThanTwoOfTheLargestGrains) {
    WorldState world = makeMixture({.box = {4, 12, 12}, .periodic = {true, false, false}}, 1);
    NeighbourWorkspace workspace;
    EXPECT_THROW(rebuildLists(world, workspace), InputError);
}

TEST(NeighbourLists, HoldNearPairsFarFromTheOriginAndAlone) {
    WorldState world = makeMixture({}, 4);
    for (std::size_t i = 0; i < world.bodies.grainCount; i += 2) world.bodies.position[i] += Vec3{1e7, -3e6, 0};
    NeighbourWorkspace workspace;
    rebuildLists(world, workspace);
    EXPECT_EQ(listedPairs(world), nearPairs(world, world.contacts.skin));
}

TEST(NeighbourLists, AreTheSameOnAnyNumberOfThreads) {
    std::vector<std::uint32_t> first;
    for (const int threads : {1, 2, 4}) {
        setThreadCount(threads);
        WorldState world = makeMixture({.count = 3000, .box = {25, 25, 25}}, 5);
        NeighbourWorkspace workspace;
        rebuildLists(world, workspace);
        if (threads == 1) first = world.contacts.grains.partner;
        EXPECT_EQ(world.contacts.grains.partner, first);
    }
    setThreadCount(1);
}

TEST(NeighbourLists, NameTheFacesOfABoxThatAreNearAndClosed) {
    WorldState world = makeMixture({.ratio = 10, .fixedShare = 0}, 6);
    world.shapes.add(BoxWall{.halfSize = {6, 6, 6}, .open = {false, false, false, false, false, true}});
    const Vec3 centre{2.4, 2.4, 2.4};
    addBody(world, {.shape = 1, .position = centre});
    NeighbourWorkspace workspace;
    rebuildLists(world, workspace);
    const Bodies& b = world.bodies;
    std::set<std::array<std::uint32_t, 2>> wanted, listed;
    for (std::uint32_t i = 0; i < b.grainCount; ++i) {
        for (std::uint32_t face = 0; face < 5; ++face) {
            const int axis = static_cast<int>(face / 2);
            const double side = face % 2 == 0 ? 1 : -1;
            const double distance = 6 + side * (b.position[i][axis] - centre[axis]);
            if (distance < b.radius[i] + world.contacts.skin) wanted.insert({b.id[i], face});
        }
    }
    for (const WallCandidate& c : world.contacts.walls.candidate) listed.insert({b.id[c.grain], c.face});
    EXPECT_GT(wanted.size(), 100u);
    EXPECT_EQ(listed, wanted);
    EXPECT_EQ(world.contacts.walls.candidate.size(), wanted.size());
}

// In every step all bodies that touch must be on the lists, also where a wall comes to the grain.
TEST(NeighbourLists, MissNoTouchingPairWhileGrainsAndWallsMove) {
    WorldState world = test::makeFallingGrains({.perEdge = 5, .speed = 1});
    const Vec3 centre = world.bodies.position.back();
    world.motions.push_back({RotationMotion{{0, 1, 0}, centre, 30}, {centre, {}}});
    world.bodies.motion.back() = 0;
    const StepSettings settings{.dt = 2e-5};
    StepWorkspace workspace;
    prepareStep(world, settings, workspace);
    std::size_t touching = 0, atWalls = 0;
    for (int step = 0; step < 300; ++step) {
        stepPenalty(world, settings, workspace);
        const std::set<Pair> listed = listedPairs(world);
        const std::set<Pair> near = nearPairs(world, 0);
        EXPECT_TRUE(std::includes(listed.begin(), listed.end(), near.begin(), near.end())) << step;
        touching += near.size();
        const Bodies& b = world.bodies;
        const auto wall = static_cast<std::uint32_t>(b.grainCount);
        for (std::uint32_t i = 0; i < b.grainCount; ++i) {
            for (std::uint16_t face = 0; face < 6; ++face) {
                if (wallApproach(view(b), wallNow(world, wall), wall, face, b.position[i]).distance > b.radius[i])
                    continue;
                const auto& list = world.contacts.walls.candidate;
                ++atWalls;
                EXPECT_NE(std::find(list.begin(), list.end(), WallCandidate{i, 0, face}), list.end()) << step;
            }
        }
    }
    EXPECT_GT(touching, 1000u);
    EXPECT_GT(atWalls, 1000u);
    EXPECT_GT(world.contacts.rebuilds, 10u);
    EXPECT_LT(world.contacts.rebuilds, 200u);
}

TEST(NeighbourLists, AreRenewedForAWallThatComesToAGrainAtRest) {
    WorldState world = makeMixture({.count = 1, .largest = 0.1, .fixedShare = 0}, 7);
    world.gravity = {};
    world.bodies.position[0] = {0, 0, 2};
    world.shapes.add(PlaneWall{});
    world.motions.push_back({ConstantMotion{{0, 0, 1}, {}}, {}});
    addBody(world, {.shape = 1, .motion = 0});
    const StepSettings settings{.dt = 1e-3};
    StepWorkspace workspace;
    prepareStep(world, settings, workspace);
    while (world.time < 1.89) stepPenalty(world, settings, workspace);
    EXPECT_EQ(world.bodies.velocity[0], Vec3{});
    EXPECT_EQ(world.contacts.walls.candidate.size(), 1u);
    while (world.time < 1.92) stepPenalty(world, settings, workspace);
    EXPECT_GT(world.bodies.velocity[0].z, 0);
}

// --- memory ---------------------------------------------------------------------------------------------------------

// A mark that changes sign with the side it is seen from.
Vec3 markOf(std::uint32_t owner, std::uint32_t partner) {
    const double sign = owner < partner ? 1 : -1;
    return sign * Vec3{1.0 + std::min(owner, partner), 1.0 + std::max(owner, partner), 0.5};
}

template <class Visit>
void forEachCandidate(WorldState& world, Visit&& visit) {
    GrainCandidates& list = world.contacts.grains;
    for (std::size_t i = 0; i < world.bodies.grainCount; ++i) {
        for (std::uint32_t k = list.rowStart[i]; k < list.rowStart[i + 1]; ++k) {
            visit(world.bodies.id[i], world.bodies.id[list.partner[k]], k);
        }
    }
}

void markContacts(WorldState& world) {
    forEachCandidate(world, [&](std::uint32_t owner, std::uint32_t partner, std::uint32_t k) {
        world.contacts.springs().tangent[k] = {markOf(owner, partner), 0.25};
        world.contacts.springs().rolling[k] = {2.0 * markOf(owner, partner)};
    });
}

WorldState makeMarkedMixture() {
    WorldState world = makeMixture({.count = 400, .ratio = 4, .box = {9, 9, 9}}, 8);
    world.materials = test::makeGlass({.rolling = RollingLaw::spring}, 0.5);
    return world;
}

// Seen in a mirror every distance stays, but the order in space, and with it many owners, does not.
TEST(ContactMemory, FollowsItsPairWhenOwnersChange) {
    WorldState world = makeMarkedMixture();
    NeighbourWorkspace workspace;
    rebuildLists(world, workspace);
    markContacts(world);
    std::map<Pair, std::uint32_t> oldOwner;
    forEachCandidate(world, [&](auto owner, auto partner, auto) { oldOwner[pairOf(owner, partner)] = owner; });
    for (std::size_t i = 0; i < world.bodies.grainCount; ++i) world.bodies.position[i].x *= -1;
    rebuildLists(world, workspace);
    int changed = 0, kept = 0;
    forEachCandidate(world, [&](std::uint32_t owner, std::uint32_t partner, std::uint32_t k) {
        (oldOwner.at(pairOf(owner, partner)) == owner ? kept : changed) += 1;
        EXPECT_EQ(world.contacts.springs().tangent[k].stretch, markOf(owner, partner));
        EXPECT_EQ(world.contacts.springs().tangent[k].contactRadius, 0.25);
        EXPECT_EQ(world.contacts.springs().rolling[k].turn, 2.0 * markOf(owner, partner));
    });
    EXPECT_EQ(static_cast<std::size_t>(changed + kept), oldOwner.size());
    EXPECT_GT(changed, 50);
    EXPECT_GT(kept, 50);
}

TEST(ContactMemory, StaysWithItsPairWhenOthersComeAndGo) {
    WorldState world = makeMarkedMixture();
    NeighbourWorkspace workspace;
    rebuildLists(world, workspace);
    markContacts(world);
    std::vector<char> remove(world.bodies.grainCount, 0);
    for (std::size_t i = 0; i < remove.size(); i += 3) remove[i] = 1;
    removeGrains(world, remove);
    const std::uint32_t firstNew = world.nextId;
    addGrains(world, {{.radius = 1, .position = {0, 0, 0}}, {.radius = 1.01, .position = {2, 2, 2}}});
    rebuildLists(world, workspace);
    int fresh = 0, kept = 0;
    forEachCandidate(world, [&](std::uint32_t owner, std::uint32_t partner, std::uint32_t k) {
        const bool isNew = owner >= firstNew || partner >= firstNew;
        (isNew ? fresh : kept) += 1;
        EXPECT_EQ(world.contacts.springs().tangent[k].stretch, isNew ? Vec3{} : markOf(owner, partner));
        EXPECT_EQ(world.contacts.springs().tangent[k].contactRadius, isNew ? 0 : 0.25);
    });
    EXPECT_GT(fresh, 4);
    EXPECT_GT(kept, 50);
}

}  // namespace
}  // namespace talus
