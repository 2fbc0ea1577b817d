// Where the blocks of a sparse factor are: ordering, elimination tree and fill of a symmetric pattern of nodes.
//
// Nodes are eliminated in an order that keeps the fill low (approximate minimum degree). Column k of the factor holds
// the rows below it, ascending, in elimination order; a block has a slot, counted through all columns.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace talus {

class BlockPattern {
public:
    using Pair = std::pair<std::uint32_t, std::uint32_t>;

    // One block in row `row` of the factor: at `slot`, in column `column`.
    struct RowEntry {
        std::uint32_t column;
        std::uint64_t slot;
    };

    // Pairs of different nodes that have a block, in any order, each once or more.
    void analyse(std::size_t nodes, const std::vector<Pair>& pairs);

    std::size_t nodeCount() const { return place_.size(); }
    std::uint64_t blockCount() const { return row_.size(); }  // below the diagonal, fill included

    // When a node is eliminated.
    std::uint32_t place(std::uint32_t node) const { return place_[node]; }
    // The slot of the block of two nodes that were named as a pair. The row is that of the later one.
    std::uint64_t slot(std::uint32_t a, std::uint32_t b) const;

    std::uint64_t columnStart(std::size_t column) const { return columnStart_[column]; }
    std::uint64_t columnEnd(std::size_t column) const { return columnStart_[column + 1]; }
    std::uint32_t row(std::uint64_t slot) const { return row_[slot]; }

    const RowEntry* rowBegin(std::size_t row) const { return rowEntries_.data() + rowStart_[row]; }
    const RowEntry* rowEnd(std::size_t row) const { return rowEntries_.data() + rowStart_[row + 1]; }

private:
    void order(std::size_t nodes, const std::vector<Pair>& pairs);
    void fill(const std::vector<Pair>& pairs);
    void transpose();

    std::vector<std::uint32_t> place_;        // of each node
    std::vector<std::uint64_t> columnStart_;  // of each column
    std::vector<std::uint32_t> row_;          // of each slot
    std::vector<std::uint64_t> rowStart_;
    std::vector<RowEntry> rowEntries_;
};

}  // namespace talus
