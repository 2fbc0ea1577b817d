#include "solvers/linear/block_factor.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "base/stop.hpp"

namespace talus {
namespace {

constexpr std::uint32_t none = 0xFFFFFFFF;
constexpr std::size_t columnsAtOnce = 16;  // of blocks: above the diagonal of a symmetric matrix nothing is needed

// to = block
template <int B>
void write(const std::array<double, B * B>& block, Panel to) {
    for (int column = 0; column < B; ++column) {
        for (int row = 0; row < B; ++row) to(row, column) = block[B * row + column];
    }
}

// to = block^T
template <int B>
void writeTransposed(const std::array<double, B * B>& block, Panel to) {
    for (int column = 0; column < B; ++column) {
        for (int row = 0; row < B; ++row) to(row, column) = block[B * column + row];
    }
}

// to += from, B x B
template <int B>
void addBlock(ConstPanel from, Panel to) {
    for (int column = 0; column < B; ++column) {
        for (int row = 0; row < B; ++row) to(row, column) += from(row, column);
    }
}

// Several sums side by side, so that vector units can work on them.
double dot(const double* a, const double* b, std::size_t n) {
    constexpr std::size_t lanes = 8;
    std::array<double, lanes> sum{};
    std::size_t i = 0;
    for (; i + lanes <= n; i += lanes) {
        for (std::size_t k = 0; k < lanes; ++k) sum[k] += a[i + k] * b[i + k];
    }
    double total = 0;
    for (; i < n; ++i) total += a[i] * b[i];
    for (const double one : sum) total += one;
    return total;
}

}  // namespace

template <int B>
void BlockFactor<B>::analyse(std::size_t nodes, const std::vector<BlockPattern::Pair>& pairs) {
    pattern_.analyse(nodes, pairs);
    lowerStart_.assign(1, 0);
    upperStart_.assign(1, 0);
    for (std::size_t s = 0; s < pattern_.supernodes().size(); ++s) {
        const std::uint64_t columns = B * std::uint64_t{pattern_.supernodes()[s].width()};
        const std::uint64_t below = columns * B * pattern_.rowsBelow(s).size();
        lowerStart_.push_back(lowerStart_.back() + columns * columns + below);
        upperStart_.push_back(upperStart_.back() + below);
    }
}

template <int B>
std::uint64_t BlockFactor<B>::mostBytes() const {
    return (pattern_.storedBlocks() + pattern_.storedBelow()) * sizeof(Block);
}

template <int B>
void BlockFactor<B>::clear(Symmetry symmetry) {
    symmetry_ = symmetry;
    diagonal_.assign(pattern_.nodeCount(), Block{});
    below_.assign(pattern_.slotCount(), Block{});
    if (symmetry == Symmetry::general) above_.assign(pattern_.slotCount(), Block{});
}

template <int B>
typename BlockFactor<B>::Part BlockFactor<B>::part(std::size_t s) {
    const BlockPattern::Supernode& node = pattern_.supernodes()[s];
    Part p{node.first, node.end, pattern_.rowsBelow(s), {}, {}};
    p.lower = {lower_.data() + lowerStart_[s], p.rows()};
    if (symmetry_ == Symmetry::general) p.upper = {upper_.data() + upperStart_[s], p.rowsBelow()};
    return p;
}

// What the matrix has in these rows and columns.
template <int B>
void BlockFactor<B>::assemble(const Part& p) {
    const bool isGeneral = symmetry_ == Symmetry::general;
    std::fill_n(p.lower.data, p.rows() * p.columns(), 0.0);
    if (isGeneral) std::fill_n(p.upper.data, p.rowsBelow() * p.columns(), 0.0);
    for (std::size_t k = 0; k < p.below.size(); ++k) rowInPart_[p.below[k]] = static_cast<std::uint32_t>(k);
    for (std::uint32_t column = p.first; column < p.end; ++column) {
        const std::size_t j = B * static_cast<std::size_t>(column - p.first);
        write<B>(diagonal_[column], p.lower.at(j, j));
        for (std::uint64_t slot = pattern_.firstSlot(column); slot < pattern_.firstSlot(column + 1); ++slot) {
            const std::uint32_t row = pattern_.entries()[slot].row;
            const bool inSquare = row < p.end;
            const std::size_t i = B * static_cast<std::size_t>(inSquare ? row - p.first : rowInPart_[row]);
            write<B>(below_[slot], p.lower.at(inSquare ? i : p.columns() + i, j));
            if (!isGeneral) continue;
            if (inSquare) {
                write<B>(above_[slot], p.lower.at(j, i));
            } else {
                writeTransposed<B>(above_[slot], p.upper.at(i, j));
            }
        }
    }
}

// The effect of an earlier supernode whose rows [firstRow, lastRow) are columns of this one.
template <int B>
void BlockFactor<B>::takeAway(const Part& p, const Part& earlier, std::size_t firstRow, std::size_t lastRow) {
    const auto columnOf = [&](std::size_t k) { return B * static_cast<std::size_t>(earlier.below[k] - p.first); };
    const auto rowOf = [&](std::size_t k) {
        const std::uint32_t row = earlier.below[k];
        return row < p.end ? columnOf(k) : p.columns() + B * static_cast<std::size_t>(rowInPart_[row]);
    };
    // Rows from `row` on, columns [column, end): the product of what the earlier supernode has in these rows and
    // columns.
    const auto product = [&](ConstPanel a, ConstPanel b, std::size_t row, std::size_t column, std::size_t end) {
        const std::size_t rows = B * (earlier.below.size() - row), columns = B * (end - column);
        update_.resize(std::max(update_.size(), rows * columns));
        std::fill_n(update_.begin(), rows * columns, 0.0);
        subtractProduct({update_.data(), rows}, a.at(B * row, 0), b.at(B * column, 0), rows, columns, earlier.columns(),
                        product_);
        return ConstPanel{update_.data(), rows};
    };

    const bool isSymmetric = symmetry_ == Symmetry::symmetric;
    const ConstPanel lower = earlier.lower.at(earlier.columns(), 0), upper = isSymmetric ? lower : earlier.upper;
    for (std::size_t begin = firstRow, end; begin < lastRow; begin = end) {
        end = std::min(lastRow, begin + columnsAtOnce);
        const std::size_t top = isSymmetric ? begin : firstRow;
        const ConstPanel down = product(lower, upper, top, begin, end);
        for (std::size_t column = begin; column < end; ++column) {
            for (std::size_t row = isSymmetric ? column : top; row < earlier.below.size(); ++row) {
                addBlock<B>(down.at(B * (row - top), B * (column - begin)), p.lower.at(rowOf(row), columnOf(column)));
            }
        }
        if (isSymmetric || lastRow == earlier.below.size()) continue;
        const ConstPanel right = product(upper, lower, lastRow, begin, end);
        for (std::size_t column = begin; column < end; ++column) {
            for (std::size_t row = lastRow; row < earlier.below.size(); ++row) {
                addBlock<B>(right.at(B * (row - lastRow), B * (column - begin)),
                            p.upper.at(rowOf(row) - p.columns(), columnOf(column)));
            }
        }
    }
}

template <int B>
bool BlockFactor<B>::factorise(const Part& p) {
    if (symmetry_ == Symmetry::symmetric) return factoriseSymmetric(p.lower, p.rows(), p.columns(), product_);
    return factoriseGeneral(p.lower, p.rows(), p.columns(), p.upper, p.rowsBelow(), order_.data() + B * p.first,
                            product_);
}

// A supernode waits for the one that its row belongs to.
template <int B>
void BlockFactor<B>::hangOn(std::uint32_t supernode, std::size_t row) {
    const std::span<const std::uint32_t> below = pattern_.rowsBelow(supernode);
    nextRow_[supernode] = row;
    if (row == below.size()) return;
    nextWaiting_[supernode] = std::exchange(waiting_[pattern_.supernodeOf(below[row])], supernode);
}

template <int B>
bool BlockFactor<B>::factorise() {
    const auto count = static_cast<std::uint32_t>(pattern_.supernodes().size());
    lower_.resize(lowerStart_.back());
    upper_.resize(symmetry_ == Symmetry::general ? upperStart_.back() : 0);
    order_.resize(B * pattern_.nodeCount());
    rowInPart_.resize(pattern_.nodeCount());
    nextRow_.assign(count, 0);
    waiting_.assign(count, none);
    nextWaiting_.assign(count, none);
    for (std::uint32_t s = 0; s < count; ++s) {
        stopIfAsked();
        const Part here = part(s);
        assemble(here);
        for (std::uint32_t e = waiting_[s]; e != none;) {
            const std::uint32_t next = nextWaiting_[e];
            const Part earlier = part(e);
            const std::size_t first = nextRow_[e];
            std::size_t last = first;
            while (last < earlier.below.size() && earlier.below[last] < here.end) ++last;
            takeAway(here, earlier, first, last);
            hangOn(e, last);
            e = next;
        }
        if (!factorise(here)) return false;
        hangOn(s, 0);
    }
    return true;
}

// x <- L^-1 P x, for the columns of a supernode and what they leave to the rows below.
template <int B>
void BlockFactor<B>::solveForward(const Part& p) {
    const std::size_t columns = p.columns(), below = p.rowsBelow();
    double* x = x_.data() + B * p.first;
    if (symmetry_ == Symmetry::general) {
        gathered_.assign(x, x + columns);
        for (std::size_t k = 0; k < columns; ++k) x[k] = gathered_[order_[B * p.first + k]];
    }
    gathered_.assign(below, 0.0);
    for (std::size_t j = 0; j < columns; ++j) {
        const double* column = p.lower.column(j);
        if (symmetry_ == Symmetry::symmetric) x[j] /= column[j];
        const double value = x[j];
        for (std::size_t i = j + 1; i < columns; ++i) x[i] -= column[i] * value;
        for (std::size_t i = 0; i < below; ++i) gathered_[i] += column[columns + i] * value;
    }
    for (std::size_t k = 0; k < p.below.size(); ++k) {
        for (int c = 0; c < B; ++c) x_[B * p.below[k] + c] -= gathered_[B * k + c];
    }
}

// x <- L^-T x or U^-1 x
template <int B>
void BlockFactor<B>::solveBackward(const Part& p) {
    const std::size_t columns = p.columns(), below = p.rowsBelow();
    const bool isSymmetric = symmetry_ == Symmetry::symmetric;
    double* x = x_.data() + B * p.first;
    gathered_.resize(std::max(gathered_.size(), below));
    for (std::size_t k = 0; k < p.below.size(); ++k) {
        for (int c = 0; c < B; ++c) gathered_[B * k + c] = x_[B * p.below[k] + c];
    }
    for (std::size_t j = 0; j < columns; ++j) {
        x[j] -= dot(isSymmetric ? p.lower.column(j) + columns : p.upper.column(j), gathered_.data(), below);
    }
    for (std::size_t j = columns; j-- > 0;) {
        const double* column = p.lower.column(j);
        if (isSymmetric) {
            x[j] = (x[j] - dot(column + j + 1, x + j + 1, columns - j - 1)) / column[j];
        } else {
            x[j] /= column[j];
            for (std::size_t i = 0; i < j; ++i) x[i] -= column[i] * x[j];
        }
    }
}

template <int B>
void BlockFactor<B>::solve(std::vector<Segment>& x) {
    const std::size_t n = pattern_.nodeCount(), count = pattern_.supernodes().size();
    ENGINE_CHECK(x.size() == n);
    x_.resize(B * n);
    const auto at = [&](std::uint32_t node) {
        return x_.begin() + static_cast<std::ptrdiff_t>(B * pattern_.place(node));
    };
    for (std::uint32_t node = 0; node < n; ++node) std::copy(x[node].begin(), x[node].end(), at(node));
    for (std::size_t s = 0; s < count; ++s) solveForward(part(s));
    for (std::size_t s = count; s-- > 0;) solveBackward(part(s));
    for (std::uint32_t node = 0; node < n; ++node) std::copy_n(at(node), B, x[node].begin());
}

template class BlockFactor<3>;
template class BlockFactor<6>;

}  // namespace talus
