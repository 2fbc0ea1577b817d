// Polyhedra whose faces, edges or corners coincide to round-off, against exact arithmetic. The check of many more pairs
// is ./dev check touching.
#include <gtest/gtest.h>

#include "touching_errors.hpp"

namespace talus {
namespace {

using samples::PlacedPair;
using samples::TouchingErrors;
using samples::TouchingLimits;
using samples::TouchingPairs;

void expectRight(const TouchingPairs& kind, std::uint64_t number) {
    const TouchingErrors e = PlacedPair(kind.pair(number)).errors(kind.search);
    const TouchingLimits limits(kind.search, e.exact);
    EXPECT_LE(e.normal, limits.normal) << kind.name << " " << number;
    EXPECT_LE(e.depth, limits.depth) << kind.name << " " << number << ": separation " << e.exact << ", told " << e.told;
    EXPECT_LE(e.ends, limits.ends) << kind.name << " " << number;
    EXPECT_LE(e.contacts, limits.contacts) << kind.name << " " << number;
}

TEST(TouchingPolyhedra, AreAsDeepInEachOtherAsExactArithmeticTells) {
    for (const TouchingPairs& kind : samples::touchingKinds()) {
        const std::uint64_t count = kind.name == "hulls of many faces" ? 20 : 600;
        for (std::uint64_t number = 0; number < count && !HasFailure(); ++number) expectRight(kind, number);
    }
}

// Some were found deep in each other, or without their nearest contact, or with their nearest points elsewhere.
TEST(TouchingPolyhedra, ThatRoundingErrorsMisledASearchAboutAreFoundRight) {
    const std::vector<std::vector<std::uint64_t>> numbers{
        {3085, 3887, 4649, 5163}, {2556, 5706, 6181, 7073, 7445}, {795, 1350, 5771, 6445, 9948},
        {2198, 6303, 7965, 8920}, {1969, 2201, 3441, 3692},       {7177},
        {764, 1465, 1495}};
    const std::vector<TouchingPairs> kinds = samples::touchingKinds();
    for (std::size_t kind = 0; kind < numbers.size(); ++kind) {
        for (const std::uint64_t number : numbers[kind]) expectRight(kinds[kind], number);
    }
}

}  // namespace
}  // namespace talus
