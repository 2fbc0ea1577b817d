#include "solvers/linear/fill_order.hpp"

#include <metis.h>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <array>
#include <limits>

namespace talus {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

constexpr std::size_t leastDissected = 1500;  // nodes, from which on nested dissection saves more than it takes

std::vector<std::uint32_t> minimumDegree(std::size_t nodes, const std::vector<Pair>& pairs) {
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(2 * pairs.size() + nodes);
    for (const auto& [a, b] : pairs) {
        entries.emplace_back(a, b, 1.0);
        entries.emplace_back(b, a, 1.0);
    }
    for (std::size_t i = 0; i < nodes; ++i) entries.emplace_back(i, i, 1.0);
    const auto size = static_cast<Eigen::Index>(nodes);
    Eigen::SparseMatrix<double> matrix(size, size);
    matrix.setFromTriplets(entries.begin(), entries.end());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> permutation(size);
    Eigen::AMDOrdering<int>()(matrix, permutation);

    // The permutation lists nodes in the order of elimination.
    std::vector<std::uint32_t> place(nodes);
    for (std::size_t k = 0; k < nodes; ++k) {
        place[static_cast<std::size_t>(permutation.indices()[static_cast<Eigen::Index>(k)])] =
            static_cast<std::uint32_t>(k);
    }
    return place;
}

// The neighbours of each node, ascending, as METIS wants them.
struct Neighbours {
    std::vector<idx_t> start, of;
};

Neighbours neighboursOf(std::size_t nodes, const std::vector<Pair>& pairs) {
    std::vector<Pair> both;
    both.reserve(2 * pairs.size());
    for (const auto& [a, b] : pairs) {
        both.emplace_back(a, b);
        both.emplace_back(b, a);
    }
    std::sort(both.begin(), both.end());
    both.erase(std::unique(both.begin(), both.end()), both.end());
    Neighbours n{.start = std::vector<idx_t>(nodes + 1, 0), .of = {}};
    n.of.reserve(both.size());
    for (const auto& [a, b] : both) {
        ++n.start[a + 1];
        n.of.push_back(static_cast<idx_t>(b));
    }
    for (std::size_t i = 0; i < nodes; ++i) n.start[i + 1] += n.start[i];
    return n;
}

// Empty if METIS gives up.
std::vector<std::uint32_t> nestedDissection(std::size_t nodes, const std::vector<Pair>& pairs) {
    if (nodes == 0 || 2 * pairs.size() > static_cast<std::size_t>(std::numeric_limits<idx_t>::max())) return {};
    Neighbours graph = neighboursOf(nodes, pairs);
    std::array<idx_t, METIS_NOPTIONS> options{};
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = 1;
    options[METIS_OPTION_NUMBERING] = 0;
    options[METIS_OPTION_PFACTOR] = 200;  // nodes with more than 20 times the mean number of neighbours: last
    auto count = static_cast<idx_t>(nodes);
    std::vector<idx_t> listed(nodes), place(nodes);
    const int outcome =
        METIS_NodeND(&count, graph.start.data(), graph.of.data(), nullptr, options.data(), listed.data(), place.data());
    if (outcome != METIS_OK) return {};
    return {place.begin(), place.end()};
}

}  // namespace

std::vector<std::uint32_t> fillReducingOrder(std::size_t nodes, const std::vector<Pair>& pairs, FillOrder kind) {
    if (nodes == 0) return {};
    const bool isLarge = kind == FillOrder::bySize && nodes >= leastDissected;
    if (isLarge || kind == FillOrder::nestedDissection) {
        std::vector<std::uint32_t> place = nestedDissection(nodes, pairs);
        if (!place.empty()) return place;
    }
    return minimumDegree(nodes, pairs);
}

}  // namespace talus
