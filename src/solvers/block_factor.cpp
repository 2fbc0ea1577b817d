#include "solvers/block_factor.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "base/check.hpp"

namespace talus {
namespace {

template <int B>
using Block = std::array<double, B * B>;

// c -= a b
template <int B>
inline void subtractProduct(Block<B>& c, const Block<B>& a, const Block<B>& b) {
    for (int row = 0; row < B; ++row) {
        std::array<double, B> sum{};
        for (int k = 0; k < B; ++k) {
            for (int column = 0; column < B; ++column) sum[column] += a[B * row + k] * b[B * k + column];
        }
        for (int column = 0; column < B; ++column) c[B * row + column] -= sum[column];
    }
}

template <int B>
inline Block<B> transposed(const Block<B>& a) {
    Block<B> t;
    for (int row = 0; row < B; ++row) {
        for (int column = 0; column < B; ++column) t[B * column + row] = a[B * row + column];
    }
    return t;
}

// x -= a y
template <int B>
inline void subtractProduct(std::array<double, B>& x, const Block<B>& a, const std::array<double, B>& y) {
    for (int row = 0; row < B; ++row) {
        for (int k = 0; k < B; ++k) x[row] -= a[B * row + k] * y[k];
    }
}

// x -= a^T y
template <int B>
inline void subtractTransposed(std::array<double, B>& x, const Block<B>& a, const std::array<double, B>& y) {
    for (int k = 0; k < B; ++k) {
        for (int row = 0; row < B; ++row) x[row] -= a[B * k + row] * y[k];
    }
}

// --- one diagonal block ---------------------------------------------------------------------------------------------

// a = C C^T, C in the lower half; false if a is not positive definite.
template <int B>
bool factoriseSymmetric(Block<B>& a) {
    for (int k = 0; k < B; ++k) {
        double pivot = a[(B + 1) * k];
        for (int j = 0; j < k; ++j) pivot -= a[B * k + j] * a[B * k + j];
        if (!(pivot > 0 && pivot <= std::numeric_limits<double>::max())) return false;
        a[(B + 1) * k] = std::sqrt(pivot);
        for (int row = k + 1; row < B; ++row) {
            double sum = a[B * row + k];
            for (int j = 0; j < k; ++j) sum -= a[B * row + j] * a[B * k + j];
            a[B * row + k] = sum / a[(B + 1) * k];
        }
    }
    return true;
}

// x <- C^-1 x
template <int B>
inline void solveLower(const Block<B>& c, double* x) {
    for (int row = 0; row < B; ++row) {
        for (int k = 0; k < row; ++k) x[row] -= c[B * row + k] * x[k];
        x[row] /= c[(B + 1) * row];
    }
}

// x <- C^-T x
template <int B>
inline void solveLowerTransposed(const Block<B>& c, double* x) {
    for (int row = B; row-- > 0;) {
        for (int k = row + 1; k < B; ++k) x[row] -= c[B * k + row] * x[k];
        x[row] /= c[(B + 1) * row];
    }
}

// a = P^T L U, L with a unit diagonal, both in place of a; order[k] is the row of a that went to row k.
template <int B>
bool factoriseGeneral(Block<B>& a, std::array<std::uint8_t, B>& order) {
    for (int k = 0; k < B; ++k) order[k] = static_cast<std::uint8_t>(k);
    for (int k = 0; k < B; ++k) {
        int pivot = k;
        for (int row = k + 1; row < B; ++row) {
            if (std::abs(a[B * row + k]) > std::abs(a[B * pivot + k])) pivot = row;
        }
        for (int column = 0; column < B; ++column) std::swap(a[B * k + column], a[B * pivot + column]);
        std::swap(order[k], order[pivot]);
        const double value = a[(B + 1) * k];
        if (value == 0 || !std::isfinite(value)) return false;
        for (int row = k + 1; row < B; ++row) {
            const double factor = a[B * row + k] /= value;
            for (int column = k + 1; column < B; ++column) a[B * row + column] -= factor * a[B * k + column];
        }
    }
    return true;
}

// x <- a^-1 x
template <int B>
void solveGeneral(const Block<B>& lu, const std::array<std::uint8_t, B>& order, std::array<double, B>& x) {
    const std::array<double, B> given = x;
    for (int row = 0; row < B; ++row) {
        x[row] = given[order[row]];
        for (int k = 0; k < row; ++k) x[row] -= lu[B * row + k] * x[k];
    }
    for (int row = B; row-- > 0;) {
        for (int k = row + 1; k < B; ++k) x[row] -= lu[B * row + k] * x[k];
        x[row] /= lu[(B + 1) * row];
    }
}

// The row x of a matrix becomes that of the matrix times a^-1: x <- x U^-1 L^-1 P.
template <int B>
void solveGeneralRow(const Block<B>& lu, const std::array<std::uint8_t, B>& order, double* x) {
    std::array<double, B> y;
    for (int column = 0; column < B; ++column) {
        y[column] = x[column];
        for (int k = 0; k < column; ++k) y[column] -= y[k] * lu[B * k + column];
        y[column] /= lu[(B + 1) * column];
    }
    for (int column = B; column-- > 0;) {
        for (int k = column + 1; k < B; ++k) y[column] -= y[k] * lu[B * k + column];
    }
    for (int column = 0; column < B; ++column) x[order[column]] = y[column];
}

}  // namespace

template <int B>
void BlockFactor<B>::clear(Symmetry symmetry) {
    symmetry_ = symmetry;
    diagonal_.assign(pattern_.nodeCount(), Block{});
    below_.assign(pattern_.blockCount(), Block{});
    if (symmetry == Symmetry::general) above_.assign(pattern_.blockCount(), Block{});
}

// Left-looking: a column takes away what the earlier ones that reach its row leave to it, then divides by its pivot.
template <int B>
bool BlockFactor<B>::factoriseColumn(std::uint32_t column, std::vector<std::uint64_t>& slotOfRow) {
    const std::uint64_t begin = pattern_.columnStart(column), end = pattern_.columnEnd(column);
    for (std::uint64_t s = begin; s < end; ++s) slotOfRow[pattern_.row(s)] = s;

    for (const auto* e = pattern_.rowBegin(column); e != pattern_.rowEnd(column); ++e) {
        const std::uint64_t earlierEnd = pattern_.columnEnd(e->column);
        const Block& left = below_[e->slot];
        if (symmetry_ == Symmetry::symmetric) {
            const Block right = transposed<B>(left);
            subtractProduct<B>(diagonal_[column], left, right);
            for (std::uint64_t s = e->slot + 1; s < earlierEnd; ++s) {
                subtractProduct<B>(below_[slotOfRow[pattern_.row(s)]], below_[s], right);
            }
        } else {
            const Block& right = above_[e->slot];
            subtractProduct<B>(diagonal_[column], left, right);
            for (std::uint64_t s = e->slot + 1; s < earlierEnd; ++s) {
                const std::uint64_t target = slotOfRow[pattern_.row(s)];
                subtractProduct<B>(below_[target], below_[s], right);
                subtractProduct<B>(above_[target], left, above_[s]);
            }
        }
    }

    // Divide by the pivot, row by row.
    if (symmetry_ == Symmetry::symmetric) {
        if (!factoriseSymmetric<B>(diagonal_[column])) return false;
        for (std::uint64_t s = begin; s < end; ++s) {
            for (int row = 0; row < B; ++row) solveLower<B>(diagonal_[column], below_[s].data() + B * row);
        }
    } else {
        if (!factoriseGeneral<B>(diagonal_[column], order_[column])) return false;
        for (std::uint64_t s = begin; s < end; ++s) {
            for (int row = 0; row < B; ++row) {
                solveGeneralRow<B>(diagonal_[column], order_[column], below_[s].data() + B * row);
            }
        }
    }
    return true;
}

template <int B>
bool BlockFactor<B>::factorise() {
    order_.resize(diagonal_.size());
    slotOfRow_.resize(diagonal_.size());
    for (std::uint32_t column = 0; column < diagonal_.size(); ++column) {
        if (!factoriseColumn(column, slotOfRow_)) return false;
    }
    return true;
}

template <int B>
void BlockFactor<B>::solve(std::vector<Segment>& x) {
    const std::size_t n = diagonal_.size();
    ENGINE_CHECK(x.size() == n);
    scratch_.resize(n);
    for (std::uint32_t node = 0; node < n; ++node) scratch_[pattern_.place(node)] = x[node];
    const bool isSymmetric = symmetry_ == Symmetry::symmetric;

    for (std::size_t k = 0; k < n; ++k) {
        if (isSymmetric) solveLower<B>(diagonal_[k], scratch_[k].data());
        for (std::uint64_t s = pattern_.columnStart(k); s < pattern_.columnEnd(k); ++s) {
            subtractProduct<B>(scratch_[pattern_.row(s)], below_[s], scratch_[k]);
        }
    }
    for (std::size_t k = n; k-- > 0;) {
        for (std::uint64_t s = pattern_.columnStart(k); s < pattern_.columnEnd(k); ++s) {
            if (isSymmetric) {
                subtractTransposed<B>(scratch_[k], below_[s], scratch_[pattern_.row(s)]);
            } else {
                subtractProduct<B>(scratch_[k], above_[s], scratch_[pattern_.row(s)]);
            }
        }
        if (isSymmetric) {
            solveLowerTransposed<B>(diagonal_[k], scratch_[k].data());
        } else {
            solveGeneral<B>(diagonal_[k], order_[k], scratch_[k]);
        }
    }
    for (std::uint32_t node = 0; node < n; ++node) x[node] = scratch_[pattern_.place(node)];
}

template class BlockFactor<3>;
template class BlockFactor<6>;

}  // namespace talus
