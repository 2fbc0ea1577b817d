#include "solvers/block_pattern.hpp"

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>

#include "base/check.hpp"

namespace talus {

void BlockPattern::analyse(std::size_t nodes, const std::vector<Pair>& pairs) {
    order(nodes, pairs);
    fill(pairs);
    transpose();
}

void BlockPattern::order(std::size_t nodes, const std::vector<Pair>& pairs) {
    place_.resize(nodes);
    if (nodes == 0) return;
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
    for (std::size_t k = 0; k < nodes; ++k) {
        place_[static_cast<std::size_t>(permutation.indices()[static_cast<Eigen::Index>(k)])] =
            static_cast<std::uint32_t>(k);
    }
}

// Column k has the rows of its own pairs and those of its children in the elimination tree, whose parent is their first
// row.
void BlockPattern::fill(const std::vector<Pair>& pairs) {
    const std::size_t n = nodeCount();
    std::vector<std::vector<std::uint32_t>> own(n), children(n);
    for (const auto& [a, b] : pairs) {
        const auto [first, second] = std::minmax(place_[a], place_[b]);
        own[first].push_back(second);
    }
    columnStart_.assign(1, 0);
    row_.clear();
    std::vector<std::uint32_t> seen(n, 0xFFFFFFFF), rows;
    for (std::uint32_t k = 0; k < n; ++k) {
        rows.clear();
        const auto add = [&](std::uint32_t row) {
            if (row == k || seen[row] == k) return;
            seen[row] = k;
            rows.push_back(row);
        };
        for (const std::uint32_t row : own[k]) add(row);
        for (const std::uint32_t child : children[k]) {
            for (std::uint64_t s = columnStart_[child]; s < columnStart_[child + 1]; ++s) add(row_[s]);
        }
        std::sort(rows.begin(), rows.end());
        if (!rows.empty()) children[rows.front()].push_back(k);
        row_.insert(row_.end(), rows.begin(), rows.end());
        columnStart_.push_back(row_.size());
    }
}

void BlockPattern::transpose() {
    const std::size_t n = nodeCount();
    rowStart_.assign(n + 1, 0);
    for (const std::uint32_t row : row_) ++rowStart_[row + 1];
    for (std::size_t i = 0; i < n; ++i) rowStart_[i + 1] += rowStart_[i];
    rowEntries_.resize(row_.size());
    std::vector<std::uint64_t> next(rowStart_.begin(), rowStart_.end() - 1);
    for (std::uint32_t k = 0; k < n; ++k) {
        for (std::uint64_t s = columnStart_[k]; s < columnStart_[k + 1]; ++s) rowEntries_[next[row_[s]]++] = {k, s};
    }
}

std::uint64_t BlockPattern::slot(std::uint32_t a, std::uint32_t b) const {
    const auto [column, row] = std::minmax(place_[a], place_[b]);
    const auto begin = row_.begin() + static_cast<std::ptrdiff_t>(columnStart_[column]);
    const auto end = row_.begin() + static_cast<std::ptrdiff_t>(columnStart_[column + 1]);
    const auto found = std::lower_bound(begin, end, row);
    ENGINE_CHECK(found != end && *found == row);
    return static_cast<std::uint64_t>(found - row_.begin());
}

}  // namespace talus
