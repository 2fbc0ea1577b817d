// Meshes whose faces, edges or corners coincide to round-off with those of a hull or another mesh.
#include "touching_meshes.hpp"

#include <gtest/gtest.h>

namespace talus {
namespace {

// Meshes tell ways out past each of their faces, so overlaps are deeper than the least. What is no overlap at all is
// none of any face.
TEST(TouchingMeshes, OverlapNowhereIfHullsOfTheirFormOnlyTouch) {
    const samples::TouchingPairs pairs = samples::hullsForMeshes();
    const auto look = [&](std::uint64_t number) {
        EXPECT_LT(samples::deepestOfMeshes(pairs.pair(number)), 1e-8) << number;
    };
    for (std::uint64_t number = 0; number < 2000; ++number) look(number);
    // Some that did, by one part of the search or another.
    for (const std::uint64_t number : {2661, 4239, 4252, 6910, 11866, 19577, 49633, 63138, 89400, 95996}) look(number);
}

}  // namespace
}  // namespace talus
