// In which order sparse matrices are taken apart: permutations, the same every time, and what they save.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "problems/sphere_problems.hpp"
#include "solvers/linear/block_pattern.hpp"

namespace talus {
namespace {

std::vector<BlockPattern::Pair> cubeOfTouchingBodies(std::uint32_t edge) {
    std::vector<BlockPattern::Pair> pairs;
    const auto at = [&](std::uint32_t x, std::uint32_t y, std::uint32_t z) { return (z * edge + y) * edge + x; };
    for (std::uint32_t z = 0; z < edge; ++z) {
        for (std::uint32_t y = 0; y < edge; ++y) {
            for (std::uint32_t x = 0; x < edge; ++x) {
                if (x > 0) pairs.emplace_back(at(x, y, z), at(x - 1, y, z));
                if (y > 0) pairs.emplace_back(at(x, y, z), at(x, y - 1, z));
                if (z > 0) pairs.emplace_back(at(x, y, z), at(x, y, z - 1));
            }
        }
    }
    return pairs;
}

TEST(FillOrder, PlacesEveryNodeOnce) {
    const auto pairs = cubeOfTouchingBodies(6);
    for (const FillOrder kind : {FillOrder::minimumDegree, FillOrder::nestedDissection, FillOrder::bySize}) {
        std::vector<std::uint32_t> place = fillReducingOrder(216, pairs, kind);
        ASSERT_EQ(place.size(), 216u);
        std::sort(place.begin(), place.end());
        for (std::uint32_t k = 0; k < 216; ++k) EXPECT_EQ(place[k], k);
    }
}

TEST(FillOrder, IsTheSameEveryTime) {
    const auto pairs = cubeOfTouchingBodies(13);
    auto turned = pairs;
    std::reverse(turned.begin(), turned.end());
    for (auto& [a, b] : turned) std::swap(a, b);
    const auto first = fillReducingOrder(13 * 13 * 13, pairs, FillOrder::nestedDissection);
    EXPECT_EQ(fillReducingOrder(13 * 13 * 13, pairs, FillOrder::nestedDissection), first);
    EXPECT_EQ(fillReducingOrder(13 * 13 * 13, turned, FillOrder::nestedDissection), first) << "pairs in another order";
}

TEST(FillOrder, KnowsGraphsWithoutPairsAndWithoutNodes) {
    for (const FillOrder kind : {FillOrder::minimumDegree, FillOrder::nestedDissection}) {
        EXPECT_TRUE(fillReducingOrder(0, {}, kind).empty());
        std::vector<std::uint32_t> place = fillReducingOrder(5, {}, kind);
        std::sort(place.begin(), place.end());
        EXPECT_EQ(place, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
    }
}

TEST(FillOrder, SavesOperationsByDissectionInALargeCube) {
    const auto pairs = cubeOfTouchingBodies(20);
    const auto operations = [&](FillOrder kind) {
        BlockPattern pattern;
        pattern.analyse(8000, pairs, kind);
        return pattern.blockOperations();
    };
    const double byDissection = operations(FillOrder::nestedDissection);
    EXPECT_LT(byDissection, 0.7 * operations(FillOrder::minimumDegree));
    EXPECT_EQ(operations(FillOrder::bySize), byDissection);
}

// A chain has columns of two blocks, but for the last.
TEST(FillOrder, CountsTheOperationsOfAChain) {
    BlockPattern pattern;
    pattern.analyse(4, {{0, 1}, {1, 2}, {2, 3}}, FillOrder::minimumDegree);
    EXPECT_EQ(pattern.blockOperations(), 2 * 2 + 2 * 2 + 2 * 2 + 1);
}

}  // namespace
}  // namespace talus
