#include "solvers/linear/block_pattern.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace talus {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;

}  // namespace

void BlockPattern::analyse(std::size_t nodes, const std::vector<Pair>& pairs, FillOrder order) {
    place_ = fillReducingOrder(nodes, pairs, order);
    sortEntries(pairs);
    visitChildrenFirst(pairs);
    findSupernodes();
}

void BlockPattern::sortEntries(const std::vector<Pair>& pairs) {
    entries_.clear();
    for (const auto& [a, b] : pairs) {
        const auto [column, row] = std::minmax(place_[a], place_[b]);
        entries_.push_back({row, column});
    }
    const auto key = [](const Entry& e) { return std::pair(e.column, e.row); };
    std::sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) { return key(a) < key(b); });
    entries_.erase(std::unique(entries_.begin(), entries_.end()), entries_.end());
    entryStart_.assign(nodeCount() + 1, 0);
    for (const Entry& e : entries_) ++entryStart_[e.column + 1];
    for (std::size_t k = 0; k < nodeCount(); ++k) entryStart_[k + 1] += entryStart_[k];
}

// The parent of a column is the first row below it in the factor. Rows in turn: whatever chain of parents a row's
// entries begin ends there. Shortcuts to the ends of the chains keep this quick (Liu 1986).
std::vector<std::uint32_t> BlockPattern::eliminationTree() const {
    std::vector<Entry> byRow(entries_);
    std::sort(byRow.begin(), byRow.end());
    std::vector<std::uint32_t> parent(nodeCount(), none), shortcut(nodeCount(), none);
    for (const Entry& e : byRow) {
        std::uint32_t k = e.column;
        while (k != e.row) {
            const std::uint32_t next = std::exchange(shortcut[k], e.row);
            if (next == none) parent[k] = e.row;
            if (next == none) break;
            k = next;
        }
    }
    return parent;
}

void BlockPattern::visitChildrenFirst(const std::vector<Pair>& pairs) {
    const std::vector<std::uint32_t> parent = eliminationTree();
    const auto n = static_cast<std::uint32_t>(nodeCount());
    std::vector<std::uint32_t> firstChild(n, none), sibling(n, none), roots;
    for (std::uint32_t k = n; k-- > 0;) {
        if (parent[k] == none) {
            roots.push_back(k);
        } else {
            sibling[k] = std::exchange(firstChild[parent[k]], k);
        }
    }
    std::vector<std::uint32_t> visited(n), path;
    std::uint32_t count = 0;
    for (auto root = roots.rbegin(); root != roots.rend(); ++root) {
        path.push_back(*root);
        while (!path.empty()) {
            const std::uint32_t k = path.back();
            if (firstChild[k] != none) {
                path.push_back(std::exchange(firstChild[k], sibling[firstChild[k]]));
            } else {
                visited[k] = count++;
                path.pop_back();
            }
        }
    }
    for (std::uint32_t& place : place_) place = visited[place];
    sortEntries(pairs);
}

// Column k has the rows of its own entries and those of its children in the elimination tree. Columns whose rows are
// those of the one before, but for themselves, belong to its supernode.
void BlockPattern::findSupernodes() {
    const auto n = static_cast<std::uint32_t>(nodeCount());
    std::vector<std::vector<std::uint32_t>> children(n), rowsOf(n);  // the latter for as long as the parent needs them
    std::vector<std::uint32_t> seen(n, none);
    supernodes_.clear();
    rows_.clear();
    supernodeOf_.resize(n);
    fill_ = 0;
    for (std::uint32_t k = 0; k < n; ++k) {
        std::vector<std::uint32_t>& rows = rowsOf[k];
        const auto see = [&](std::uint32_t row) {
            if (row == k || seen[row] == k) return;
            seen[row] = k;
            rows.push_back(row);
        };
        for (std::uint64_t s = entryStart_[k]; s < entryStart_[k + 1]; ++s) see(entries_[s].row);
        for (const std::uint32_t child : children[k]) {
            for (const std::uint32_t row : rowsOf[child]) see(row);
        }
        std::sort(rows.begin(), rows.end());
        fill_ += rows.size();
        if (!rows.empty()) children[rows.front()].push_back(k);

        const bool joins = k > 0 && rowsOf[k - 1].size() == rows.size() + 1 && rowsOf[k - 1].front() == k;
        if (joins) {
            rows_.resize(supernodes_.back().rowStart);
        } else {
            supernodes_.push_back({k, k, rows_.size()});
        }
        supernodes_.back().end = k + 1;
        supernodeOf_[k] = static_cast<std::uint32_t>(supernodes_.size() - 1);
        rows_.insert(rows_.end(), rows.begin(), rows.end());
        for (const std::uint32_t child : children[k]) std::vector<std::uint32_t>().swap(rowsOf[child]);
    }
    stored_ = storedBelow_ = 0;
    for (std::size_t s = 0; s < supernodes_.size(); ++s) {
        const std::uint64_t width = supernodes_[s].width(), below = width * rowsBelow(s).size();
        stored_ += width * width + below;
        storedBelow_ += below;
    }
}

std::span<const std::uint32_t> BlockPattern::rowsBelow(std::size_t supernode) const {
    const std::uint64_t begin = supernodes_[supernode].rowStart;
    const std::uint64_t end = supernode + 1 < supernodes_.size() ? supernodes_[supernode + 1].rowStart : rows_.size();
    return std::span(rows_).subspan(begin, end - begin);
}

double BlockPattern::blockOperations() const {
    double sum = 0;
    for (std::size_t s = 0; s < supernodes_.size(); ++s) {
        for (std::uint32_t k = 0; k < supernodes_[s].width(); ++k) {
            const auto length = static_cast<double>(rowsBelow(s).size() + supernodes_[s].width() - k);
            sum += length * length;
        }
    }
    return sum;
}

std::uint64_t BlockPattern::slot(std::uint32_t a, std::uint32_t b) const {
    const auto [column, row] = std::minmax(place_[a], place_[b]);
    const auto begin = entries_.begin() + static_cast<std::ptrdiff_t>(entryStart_[column]);
    const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(entryStart_[column + 1]);
    const auto found = std::lower_bound(begin, end, row, [](const Entry& e, std::uint32_t r) { return e.row < r; });
    ENGINE_CHECK(found != end && found->row == row);
    return static_cast<std::uint64_t>(found - entries_.begin());
}

}  // namespace talus
