// The broad phase: what it finds, against all pairs, and how much it looks at to find it.
#include "contacts/broad/cell_grid.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/random.hpp"

namespace talus {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // ids, lower first

Pair pairOf(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

// Grains at random places of a cube, with a grid that holds them.
struct Heap {
    WorldState world;
    CellGrid grid;
    double skin;

    Heap(const std::vector<double>& radii, double edge, double listed, std::array<bool, 3> periodic = {})
        : skin(listed) {
        world.materials.list = {{.name = "glass", .density = 1}};
        world.domain = {.low = {-0.4 * edge, 0, 0.2 * edge}, .high = {0.6 * edge, edge, 1.2 * edge}};
        world.domain.periodic = periodic;
        Random random(3, 0);
        std::vector<BodyDefinition> grains;
        grains.reserve(radii.size());
        for (const double radius : radii) {
            grains.push_back({.radius = radius, .position = random.inBox(world.domain.low, world.domain.high)});
        }
        addGrains(world, grains);
        sort();
    }

    // Only what the grid looks at is put in its order.
    void sort() {
        Bodies& b = world.bodies;
        std::vector<std::uint32_t> order;
        grid.configure(b, world.domain, skin);
        grid.sortedOrder(b, order);
        const Bodies before = b;
        for (std::size_t k = 0; k < order.size(); ++k) {
            b.position[k] = before.position[order[k]];
            b.radius[k] = before.radius[order[k]];
            b.id[k] = before.id[order[k]];
        }
        grid.indexCells();
    }
};

std::set<Pair> pairsFound(const Heap& heap) {
    const Bodies& b = heap.world.bodies;
    std::set<Pair> pairs;
    std::size_t found = 0;
    for (std::uint32_t i = 0; i < b.grainCount; ++i) {
        heap.grid.forEachPartner(b, i, [&](std::uint32_t j) {
            pairs.insert(pairOf(b.id[i], b.id[j]));
            ++found;
        });
    }
    EXPECT_EQ(pairs.size(), found) << "a pair is found twice";
    return pairs;
}

std::set<Pair> allNearPairs(const Heap& heap) {
    const Bodies& b = heap.world.bodies;
    const Vec3 period = heap.world.domain.period();
    std::set<Pair> pairs;
    for (std::uint32_t i = 0; i < b.grainCount; ++i) {
        for (std::uint32_t j = 0; j < i; ++j) {
            const double distance = norm(nearestImage(b.position[i] - b.position[j], period));
            if (distance < b.radius[i] + b.radius[j] + heap.skin) pairs.insert(pairOf(b.id[i], b.id[j]));
        }
    }
    return pairs;
}

// Radii between largest/ratio and largest, as many small as large ones on a logarithmic scale.
std::vector<double> spreadRadii(std::size_t count, double largest, double ratio) {
    Random random(4, 0);
    std::vector<double> radii(count);
    for (double& radius : radii) radius = largest * std::pow(ratio, -random.uniform());
    radii.front() = largest;
    return radii;
}

// A few large grains, one in `each`, among small ones.
std::vector<double> twoRadii(std::size_t count, double large, double small, std::size_t each) {
    std::vector<double> radii(count, small);
    for (std::size_t k = 0; k < count; k += each) radii[k] = large;
    return radii;
}

// Edge of the cube that these grains fill to 60 %, as a packing.
double edgeFor(const std::vector<double>& radii) {
    double volume = 0;
    for (const double radius : radii) volume += 4.0 / 3 * M_PI * radius * radius * radius;
    return std::cbrt(volume / 0.6);
}

// --- what is found --------------------------------------------------------------------------------------------------

TEST(CellGrid, FindsThePairsThatComparingAllFinds) {
    for (const double ratio : {1.0, 10.0, 100.0}) {
        const std::vector<double> radii = spreadRadii(1500, 1, ratio);
        const Heap heap(radii, edgeFor(radii), 0.02);
        const std::set<Pair> wanted = allNearPairs(heap);
        EXPECT_GT(wanted.size(), 1000u);
        EXPECT_EQ(pairsFound(heap), wanted) << "ratio " << ratio;
    }
}

// With one or two cells along the period, the neighbours of a cell on both sides are the same cell, or it itself.
TEST(CellGrid, FindsEachPairOnceInAPeriodOfOneOrTwoCells) {
    for (const double cells : {1.0, 1.3, 1.99, 2.0, 2.5}) {
        for (const double ratio : {1.0, 20.0}) {
            const double skin = 0.1, edge = cells * (2 + skin);
            const Heap heap(spreadRadii(60, 1, ratio), edge, skin, {true, true, true});
            EXPECT_EQ(pairsFound(heap), allNearPairs(heap)) << cells << " cells, ratio " << ratio;
            const Heap flat(spreadRadii(60, 1, ratio), edge, skin, {false, true, false});
            EXPECT_EQ(pairsFound(flat), allNearPairs(flat)) << cells << " cells, ratio " << ratio;
        }
    }
}

TEST(CellGrid, FindsTheSamePairsWithAGrainFarAwayAndLooksAtNoMore) {
    const std::vector<double> radii = spreadRadii(1000, 1, 10);
    Heap heap(radii, edgeFor(radii), 0.02);
    const std::set<Pair> before = pairsFound(heap);
    for (const double distance : {1e3, 1e9, 1e18}) {
        Heap wide(radii, edgeFor(radii), 0.02);
        const std::uint32_t id = addBody(wide.world, {.radius = 1, .position = {distance, -distance, 0.3 * distance}});
        wide.sort();
        EXPECT_EQ(pairsFound(wide), before) << distance;
        const auto alone = static_cast<std::uint32_t>(indexOf(wide.world.bodies, id));
        std::size_t compared = 0;
        wide.grid.forEachNearCell(wide.world.bodies, alone, [&](auto begin, auto end) { compared += end - begin; });
        EXPECT_LT(compared, 60u) << distance;
    }
}

// --- how much is looked at ------------------------------------------------------------------------------------------

struct Effort {
    double distances = 0, cells = 0, pairs = 0;  // per grain
};

Effort measureEffort(const std::vector<double>& radii, double skin) {
    const Heap heap(radii, edgeFor(radii), skin);
    const Bodies& b = heap.world.bodies;
    Effort effort;
    for (std::uint32_t i = 0; i < b.grainCount; ++i) {
        heap.grid.forEachNearCell(b, i, [&](std::uint32_t begin, std::uint32_t end) {
            effort.distances += end - begin;
            ++effort.cells;
        });
        heap.grid.forEachPartner(b, i, [&](std::uint32_t) { ++effort.pairs; });
    }
    const double count = static_cast<double>(b.grainCount);
    return {effort.distances / count, effort.cells / count, effort.pairs / count};
}

template <class MakeRadii>
void expectLinearEffort(MakeRadii&& makeRadii, double skin, double mostDistances, double mostCells) {
    Effort last;
    for (const std::size_t count : {1000, 10000, 100000}) {
        const Effort effort = measureEffort(makeRadii(count), skin);
        EXPECT_LT(effort.distances, mostDistances) << count << " grains";
        EXPECT_LT(effort.cells, mostCells) << count << " grains";
        EXPECT_GT(effort.distances, effort.pairs);
        last = effort;
    }
    // Cells at the surface have fewer neighbours: with n coarse cells along an edge, (1 - 2/(3n))^3 of the full number.
    // For n from 4 to 10, with few large grains, that is a ratio of 1.4 at most; of a square law it would be ten.
    const Effort tenth = measureEffort(makeRadii(10000), skin);
    EXPECT_LT(last.distances / tenth.distances, 1.4);
}

// Equal spheres at 60 %: 1.15 d^-3 of them, so 1.5 in a cell of edge 1.1 d; half of 27 cells hold some 20.
TEST(CellGrid, ComparesEachOfEqualGrainsWithThirtyOthersWhateverTheirNumber) {
    expectLinearEffort([](std::size_t count) { return std::vector<double>(count, 1.0); }, 0.2, 30, 28);
}

// A level holds sizes of two to one, up to ten times as many in a cell as of the largest alone.
TEST(CellGrid, ComparesGrainsOfAHundredToOneWithAsManyOthersWhateverTheirNumber) {
    expectLinearEffort([](std::size_t count) { return spreadRadii(count, 1, 100); }, 0.002, 100, 27 * 7);
}

TEST(CellGrid, ComparesSmallGrainsAmongFewLargeOnesWithAsManyOthersWhateverTheirNumber) {
    expectLinearEffort([](std::size_t count) { return twoRadii(count, 1, 0.01, 100); }, 0.002, 100, 28 + 27);
}

// One grid for all sizes would compare each small grain with all those in cells as wide as a large one.
TEST(CellGrid, ComparesNoMoreGrainsAtAHundredToOneThanAtTenToOne) {
    const auto effort = [](double ratio) { return measureEffort(spreadRadii(20000, 1, ratio), 0.2 / ratio); };
    const Effort ten = effort(10), hundred = effort(100);
    EXPECT_LT(hundred.distances, 2 * ten.distances);
}

}  // namespace
}  // namespace talus
