#include "solvers/linear/panel_factor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace talus {
namespace {

constexpr std::size_t chunk = 8;  // columns at a time: among themselves by hand, with all before them as a product

// c[0..rows) -= factor a[0..rows)
void subtractMultiple(double* c, double factor, const double* a, std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) c[i] -= factor * a[i];
}

void divide(double* c, double divisor, std::size_t rows) {
    const double factor = 1 / divisor;
    for (std::size_t i = 0; i < rows; ++i) c[i] *= factor;
}

bool isUsable(double pivot) { return std::abs(pivot) <= std::numeric_limits<double>::max() && pivot != 0; }

// The square alone, column by column: P square = L U.
bool eliminate(Panel square, std::size_t size, std::uint32_t* order, PanelProductWorkspace& ws) {
    for (std::size_t k = 0; k < size; ++k) order[k] = static_cast<std::uint32_t>(k);
    std::vector<double>& across = ws.across;  // rows of U, transposed
    across.resize(std::max(across.size(), size * chunk));
    for (std::size_t begin = 0; begin < size; begin += chunk) {
        const std::size_t end = std::min(size, begin + chunk);
        for (std::size_t k = begin; k < end; ++k) {
            std::size_t pivot = k;
            for (std::size_t row = k + 1; row < size; ++row) {
                if (std::abs(square(row, k)) > std::abs(square(pivot, k))) pivot = row;
            }
            if (!isUsable(square(pivot, k))) return false;
            if (pivot != k) {
                for (std::size_t column = 0; column < size; ++column) {
                    std::swap(square(k, column), square(pivot, column));
                }
                std::swap(order[k], order[pivot]);
            }
            divide(&square(k, k) + 1, square(k, k), size - k - 1);
            for (std::size_t column = k + 1; column < end; ++column) {
                subtractMultiple(&square(k, column) + 1, square(k, column), &square(k, k) + 1, size - k - 1);
            }
        }
        for (std::size_t column = end; column < size; ++column) {
            for (std::size_t k = begin; k < end; ++k) {
                subtractMultiple(&square(k, column) + 1, square(k, column), &square(k, k) + 1, end - k - 1);
                across[(column - end) + size * (k - begin)] = square(k, column);
            }
        }
        subtractProduct(square.at(end, end), square.at(end, begin), ConstPanel{across.data(), size}, size - end,
                        size - end, end - begin, ws);
    }
    return true;
}

// rows <- rows U^-1, U in the upper half of the square.
void divideByUpper(Panel rows, std::size_t count, ConstPanel square, std::size_t size, PanelProductWorkspace& ws) {
    std::vector<double>& across = ws.across;  // columns of U, transposed
    across.resize(std::max(across.size(), size * chunk));
    for (std::size_t begin = 0; begin < size; begin += chunk) {
        const std::size_t end = std::min(size, begin + chunk);
        for (std::size_t k = 0; k < begin; ++k) {
            for (std::size_t j = begin; j < end; ++j) across[(j - begin) + chunk * k] = square(k, j);
        }
        subtractProduct(rows.at(0, begin), rows, ConstPanel{across.data(), chunk}, count, end - begin, begin, ws);
        for (std::size_t j = begin; j < end; ++j) {
            for (std::size_t k = begin; k < j; ++k) {
                subtractMultiple(rows.column(j), square(k, j), rows.column(k), count);
            }
            divide(rows.column(j), square(j, j), count);
        }
    }
}

// rows <- rows P^T L^-T, L with a unit diagonal in the lower half of the square.
void divideByLower(Panel rows, std::size_t count, ConstPanel square, std::size_t size, const std::uint32_t* order,
                   PanelProductWorkspace& ws) {
    std::vector<double>& given = ws.across;
    given.resize(std::max(given.size(), size));
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t j = 0; j < size; ++j) given[j] = rows(i, j);
        for (std::size_t j = 0; j < size; ++j) rows(i, j) = given[order[j]];
    }
    for (std::size_t begin = 0; begin < size; begin += chunk) {
        const std::size_t end = std::min(size, begin + chunk);
        subtractProduct(rows.at(0, begin), rows, square.at(begin, 0), count, end - begin, begin, ws);
        for (std::size_t j = begin; j < end; ++j) {
            for (std::size_t k = begin; k < j; ++k) {
                subtractMultiple(rows.column(j), square(j, k), rows.column(k), count);
            }
        }
    }
}

}  // namespace

bool factoriseSymmetric(Panel panel, std::size_t rows, std::size_t columns, PanelProductWorkspace& ws) {
    for (std::size_t begin = 0; begin < columns; begin += chunk) {
        const std::size_t end = std::min(columns, begin + chunk);
        subtractProduct(panel.at(begin, begin), panel.at(begin, 0), panel.at(begin, 0), rows - begin, end - begin,
                        begin, ws);
        for (std::size_t j = begin; j < end; ++j) {
            for (std::size_t k = begin; k < j; ++k) {
                subtractMultiple(&panel(j, j), panel(j, k), &panel(j, k), rows - j);
            }
            if (!(panel(j, j) > 0) || !isUsable(panel(j, j))) return false;
            const double root = std::sqrt(panel(j, j));
            panel(j, j) = root;
            divide(&panel(j, j) + 1, root, rows - j - 1);
        }
    }
    return true;
}

bool factoriseGeneral(Panel panel, std::size_t rows, std::size_t columns, Panel right, std::size_t rightRows,
                      std::uint32_t* order, PanelProductWorkspace& ws) {
    if (!eliminate(panel, columns, order, ws)) return false;
    divideByUpper(panel.at(columns, 0), rows - columns, panel, columns, ws);
    divideByLower(right, rightRows, panel, columns, order, ws);
    return true;
}

}  // namespace talus
