// A sparse matrix in dense blocks of B x B, and its factors: L L^T if it is symmetric and positive definite, else L U.
//
//     factor.analyse(nodes, pairs);           once per graph
//     factor.clear(Symmetry::symmetric);      then for each matrix: write the blocks,
//     factor.diagonal(node), factor.below(slot), factor.above(slot)
//     factor.factorise();                     and take it apart
//     factor.solve(x);                        x <- A^-1 x
//
// The pattern is symmetric whatever the values are. Columns that have their rows in common (a supernode,
// block_pattern.hpp) are stored as one dense matrix: each takes away what the earlier ones that reach its columns leave
// to it, a product of dense matrices, and is then taken apart itself. Rows change places within a supernode only (L U):
// meant for matrices whose symmetric part is positive definite or nearly so. Every number is computed in a fixed order:
// the same bits for any number of threads.
#pragma once

#include <array>

#include "solvers/linear/block_pattern.hpp"
#include "solvers/linear/panel_factor.hpp"

namespace talus {

enum class Symmetry { symmetric, general };

template <int B>
class BlockFactor {
public:
    using Block = std::array<double, B * B>;  // row by row
    using Segment = std::array<double, B>;    // the part of a vector that belongs to a node

    void analyse(std::size_t nodes, const std::vector<BlockPattern::Pair>& pairs);
    const BlockPattern& pattern() const { return pattern_; }

    // All blocks zero.
    void clear(Symmetry symmetry);
    Block& diagonal(std::uint32_t node) { return diagonal_[pattern_.place(node)]; }
    // The block in the row of the later and the column of the earlier node of a pair, and for general matrices the one
    // across the diagonal.
    Block& below(std::uint64_t slot) { return below_[slot]; }
    Block& above(std::uint64_t slot) { return above_[slot]; }

    // False if a supernode was singular, not finite or, if symmetric, not positive definite.
    bool factorise();

    // In place, one segment per node.
    void solve(std::vector<Segment>& x);

    std::uint64_t bytes() const { return (lower_.size() + upper_.size()) * sizeof(double); }
    // Of the factors of a general matrix with this pattern.
    std::uint64_t mostBytes() const;

private:
    // One supernode with its memory.
    struct Part {
        std::uint32_t first, end;              // columns
        std::span<const std::uint32_t> below;  // rows
        Panel lower, upper;                    // square and rows below; for general matrices, U^T beside the square
        std::size_t columns() const { return B * static_cast<std::size_t>(end - first); }
        std::size_t rowsBelow() const { return B * below.size(); }
        std::size_t rows() const { return columns() + rowsBelow(); }
    };
    Part part(std::size_t supernode);
    void assemble(const Part& part);
    void takeAway(const Part& part, const Part& earlier, std::size_t firstRow, std::size_t lastRow);
    bool factorise(const Part& part);
    void hangOn(std::uint32_t supernode, std::size_t row);
    void solveForward(const Part& part);
    void solveBackward(const Part& part);

    BlockPattern pattern_;
    Symmetry symmetry_ = Symmetry::symmetric;
    std::vector<Block> diagonal_, below_, above_;  // of the matrix, by place and slot
    std::vector<double> lower_, upper_;            // of the factors, supernode after supernode
    std::vector<std::uint64_t> lowerStart_{0}, upperStart_{0};
    std::vector<std::uint32_t> order_;  // of the rows of each supernode, general matrices

    // Where an earlier supernode has its effect next: the first of its rows that was not used, and the others that wait
    // for the same supernode.
    std::vector<std::size_t> nextRow_;
    std::vector<std::uint32_t> waiting_, nextWaiting_;

    std::vector<std::uint32_t> rowInPart_;  // where a row below stands in the supernode at hand
    std::vector<double> update_, x_, gathered_;
    PanelProductWorkspace product_;
};

extern template class BlockFactor<3>;
extern template class BlockFactor<6>;

}  // namespace talus
