// C -= A B^T for dense matrices stored column by column: where sparse factors spend their time.
//
// Every entry of C is summed in a fixed order, in stretches of the common dimension: the same bits for any number of
// threads and on any vector unit.
#pragma once

#include <cstddef>
#include <vector>

#include "base/vector_units.hpp"

namespace talus {

// A matrix in someone's memory: entry (i, j) is at data[i + stride j].
template <class Number>
struct PanelView {
    Number* data = nullptr;
    std::size_t stride = 0;

    PanelView at(std::size_t row, std::size_t column) const { return {data + row + stride * column, stride}; }
    Number& operator()(std::size_t row, std::size_t column) const { return data[row + stride * column]; }
    // The column's first entry. A panel without rows may have no memory: nothing to refer to, but a pointer all the
    // same.
    Number* column(std::size_t column) const { return data + stride * column; }
    operator PanelView<const Number>() const { return {data, stride}; }
};
using Panel = PanelView<double>;
using ConstPanel = PanelView<const double>;

struct PanelProductWorkspace {
    std::vector<double> packed;  // a stretch of B
    std::vector<double> across;  // for those who have B the other way round
};

// C is rows x columns, A rows x depth, B columns x depth. C overlaps neither.
void subtractProduct(Panel c, ConstPanel a, ConstPanel b, std::size_t rows, std::size_t columns, std::size_t depth,
                     PanelProductWorkspace& workspace);

// --- the inner loop, compiled per vector unit
// -------------------------------------------------------------------------

constexpr std::size_t stripRows = 8, stripColumns = 6;  // of C, in registers
constexpr std::size_t longestStretch = 256;             // of the common dimension

// Some rows of C with one stretch of A and B. B is packed: six columns side by side for each step of the stretch, then
// the next six, zeros where there are no more.
struct PanelProductTask {
    Panel c;
    ConstPanel a;
    const double* packed = nullptr;
    std::size_t rows = 0, columns = 0, depth = 0;
};

using PanelProductKernel = void(const PanelProductTask& task);
std::vector<KernelVariant<PanelProductKernel>> runnablePanelProducts();

}  // namespace talus
