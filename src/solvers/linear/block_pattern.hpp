// Where the blocks of a sparse factor are: ordering, elimination tree and fill of a symmetric pattern of nodes.
//
// Nodes are eliminated in an order that keeps the fill low (fill_order.hpp), children of the elimination tree right
// before their parents. Columns with the same rows below them stand side by side then and form a supernode,
// which is stored and worked on as one dense matrix: its own columns on top, the common rows below. (To merge
// supernodes that differ by a few rows, as other programs do, was tried: blocks are dense enough as they are.)
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "solvers/linear/fill_order.hpp"

namespace talus {

class BlockPattern {
public:
    using Pair = std::pair<std::uint32_t, std::uint32_t>;

    // Columns [first, end) in the order of elimination.
    struct Supernode {
        std::uint32_t first = 0, end = 0;
        std::uint64_t rowStart = 0;  // of the rows below, which the next one's follow
        std::uint32_t width() const { return end - first; }
    };

    // A block of the matrix off the diagonal: its row, below its column.
    struct Entry {
        std::uint32_t row, column;
        auto operator<=>(const Entry&) const = default;
    };

    // Pairs of different nodes that have a block, in any order, each once or more.
    void analyse(std::size_t nodes, const std::vector<Pair>& pairs, FillOrder order = FillOrder::bySize);

    std::size_t nodeCount() const { return place_.size(); }
    std::uint64_t blockCount() const { return fill_; }  // of the factor below the diagonal

    // When a node is eliminated.
    std::uint32_t place(std::uint32_t node) const { return place_[node]; }

    // Pairs have slots, sorted by column and row; the row is that of the later node.
    std::uint64_t slot(std::uint32_t a, std::uint32_t b) const;
    std::size_t slotCount() const { return entries_.size(); }
    std::span<const Entry> entries() const { return entries_; }
    std::uint64_t firstSlot(std::uint32_t column) const { return entryStart_[column]; }

    std::span<const Supernode> supernodes() const { return supernodes_; }
    std::span<const std::uint32_t> rowsBelow(std::size_t supernode) const;  // ascending
    std::uint32_t supernodeOf(std::uint32_t column) const { return supernodeOf_[column]; }

    // Numbers of blocks that dense supernodes take: squares and rows below them, and the latter alone.
    std::uint64_t storedBlocks() const { return stored_; }
    std::uint64_t storedBelow() const { return storedBelow_; }

    // Multiplications and additions of blocks in one factorisation L L^T: the sum over the columns of the square of
    // the blocks that each has.
    double blockOperations() const;

private:
    void sortEntries(const std::vector<Pair>& pairs);
    std::vector<std::uint32_t> eliminationTree() const;
    void visitChildrenFirst(const std::vector<Pair>& pairs);
    void findSupernodes();

    std::vector<std::uint32_t> place_;  // of each node
    std::vector<Entry> entries_;        // by column, then row
    std::vector<std::uint64_t> entryStart_;
    std::vector<Supernode> supernodes_;
    std::vector<std::uint32_t> rows_, supernodeOf_;
    std::uint64_t fill_ = 0, stored_ = 0, storedBelow_ = 0;
};

}  // namespace talus
