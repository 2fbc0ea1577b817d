// A sparse matrix in dense blocks of B x B, and its factors: L L^T if it is symmetric and positive definite, else L U.
//
//     factor.analyse(nodes, pairs);           once per graph
//     factor.clear(Symmetry::symmetric);      then for each matrix: write the blocks,
//     factor.diagonal(node), factor.below(slot), factor.above(slot)
//     factor.factorise();                     and take it apart
//     factor.solve(x);                        x <- A^-1 x
//
// The pattern is symmetric whatever the values are. Rows change places within a diagonal block only (L U): meant for
// matrices whose symmetric part is positive definite or nearly so. Every block is computed in a fixed order: the same
// bits for any number of threads.
#pragma once

#include <array>

#include "solvers/block_pattern.hpp"

namespace talus {

enum class Symmetry { symmetric, general };

template <int B>
class BlockFactor {
public:
    using Block = std::array<double, B * B>;  // row by row
    using Segment = std::array<double, B>;    // the part of a vector that belongs to a node

    void analyse(std::size_t nodes, const std::vector<BlockPattern::Pair>& pairs) { pattern_.analyse(nodes, pairs); }
    const BlockPattern& pattern() const { return pattern_; }

    // All blocks zero.
    void clear(Symmetry symmetry);
    Block& diagonal(std::uint32_t node) { return diagonal_[pattern_.place(node)]; }
    // The block in the row of the later and the column of the earlier node of a pair, and for general matrices the one
    // across the diagonal.
    Block& below(std::uint64_t slot) { return below_[slot]; }
    Block& above(std::uint64_t slot) { return above_[slot]; }

    // False if a diagonal block was singular, not finite or, if symmetric, not positive definite.
    bool factorise();

    // In place, one segment per node.
    void solve(std::vector<Segment>& x);

    std::uint64_t bytes() const { return (below_.size() + above_.size() + diagonal_.size()) * sizeof(Block); }

private:
    bool factoriseColumn(std::uint32_t column, std::vector<std::uint64_t>& slotOfRow);

    BlockPattern pattern_;
    Symmetry symmetry_ = Symmetry::symmetric;
    std::vector<Block> diagonal_;                     // factors of the diagonal blocks
    std::vector<std::array<std::uint8_t, B>> order_;  // of the rows of each, general matrices
    std::vector<Block> below_, above_;                // L and, for general matrices, U
    std::vector<std::uint64_t> slotOfRow_;
    std::vector<Segment> scratch_;
};

extern template class BlockFactor<3>;
extern template class BlockFactor<6>;

}  // namespace talus
