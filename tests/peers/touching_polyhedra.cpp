// A million pairs of polyhedra that touch to round-off, against the exact answer (./dev check touching).
//
// The tests have a few thousand of these pairs. Rounding errors mislead a search once in ten thousand pairs or less, so
// more are wanted once in a while. A number of pairs per kind may be given, and the number of the first.
#include <fmt/format.h>

#include <cstdlib>

#include "unit/touching_errors.hpp"
#include "unit/touching_meshes.hpp"

namespace talus::samples {
namespace {

// Of one kind: the worst, and how many are beyond the limits.
struct Tally {
    TouchingErrors worst;
    std::uint64_t wrong = 0;

    void add(const TouchingErrors& e) {
        worst.normal = std::max(worst.normal, e.normal);
        worst.depth = std::max(worst.depth, e.depth);
        worst.ends = std::max(worst.ends, e.ends);
        worst.contacts = std::max(worst.contacts, e.contacts);
    }
};

std::uint64_t checkKind(const TouchingPairs& kind, std::uint64_t first, std::uint64_t count) {
    Tally tally;
    for (std::uint64_t number = first; number < first + count; ++number) {
        const TouchingErrors e = PlacedPair(kind.pair(number)).errors(kind.search);
        tally.add(e);
        if (TouchingLimits(kind.search, e.exact).allow(e)) continue;
        ++tally.wrong;
        fmt::print(
            "  pair {}: separation {:.3e}, told {:.3e}; normal off by {:.1e}, depth {:.1e}, ends {:.1e}, "
            "contacts {:.1e}\n",
            number, e.exact, e.told, e.normal, e.depth, e.ends, e.contacts);
    }
    fmt::print("{:30} {:7} pairs, {} wrong; at most: normal {:.1e}, depth {:.1e}, ends {:.1e}, contacts {:.1e}\n",
               kind.name, count, tally.wrong, tally.worst.normal, tally.worst.depth, tally.worst.ends,
               tally.worst.contacts);
    std::fflush(stdout);
    return tally.wrong;
}

// Meshes of which the hulls only touch have no overlap.
std::uint64_t checkMeshes(std::uint64_t first, std::uint64_t count) {
    const TouchingPairs pairs = hullsForMeshes();
    std::uint64_t wrong = 0;
    double worst = 0;
    for (std::uint64_t number = first; number < first + count; ++number) {
        const double deepest = deepestOfMeshes(pairs.pair(number));
        worst = std::max(worst, deepest);
        if (deepest < 1e-8) continue;
        ++wrong;
        fmt::print("  meshes {}: overlap {:.3e}\n", number, deepest);
    }
    fmt::print("{:30} {:7} pairs, {} wrong; at most: overlap {:.1e}\n", "hull or mesh and mesh", count, wrong, worst);
    return wrong;
}

}  // namespace
}  // namespace talus::samples

int main(int argc, char** argv) {
    const std::uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 150000;
    const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100000;
    std::uint64_t wrong = 0;
    // Hulls of many faces take the oracle a hundred times as long.
    for (const auto& kind : talus::samples::touchingKinds()) {
        const bool slow = kind.name == "hulls of many faces";
        wrong += talus::samples::checkKind(kind, first, slow ? count / 50 : count);
    }
    wrong += talus::samples::checkMeshes(first, count);
    return wrong == 0 ? 0 : 1;
}
