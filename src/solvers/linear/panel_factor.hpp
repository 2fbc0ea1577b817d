// Factors of the columns that a sparse factor eliminates together: a dense square on top, and the rows below it.
#pragma once

#include <cstdint>
#include <vector>

#include "solvers/linear/panel_product.hpp"

namespace talus {

// The square becomes C with square = C C^T (its lower half; the upper is left as it is), the rows below become
// rows C^-T. `rows` counts both. False if the square is not positive definite.
bool factoriseSymmetric(Panel panel, std::size_t rows, std::size_t columns, PanelProductWorkspace& workspace);

// The square becomes L and U with square = P^T L U, L with a unit diagonal; order[k] is the row that went to row k. The
// rows below become rows U^-1. What stands to the right of the square is given transposed, rows x columns, and becomes
// that of L^-1 P right. False if the square is singular.
bool factoriseGeneral(Panel panel, std::size_t rows, std::size_t columns, Panel rightTransposed, std::size_t rightRows,
                      std::uint32_t* order, PanelProductWorkspace& workspace);

}  // namespace talus
