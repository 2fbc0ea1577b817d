#include "io/fclib/sparse_matrix.hpp"

#include <algorithm>

namespace talus {

CompressedRows compressRows(const SparseMatrix& matrix) {
    std::vector<SparseEntry> entries = matrix.entries;
    std::stable_sort(entries.begin(), entries.end(), [](const SparseEntry& a, const SparseEntry& b) {
        return a.row != b.row ? a.row < b.row : a.column < b.column;
    });
    CompressedRows result;
    result.rowStart.assign(matrix.rows + 1, 0);
    for (std::size_t k = 0; k < entries.size(); ++k) {
        const SparseEntry& e = entries[k];
        if (k > 0 && entries[k - 1].row == e.row && entries[k - 1].column == e.column) {
            result.value.back() += e.value;
            continue;
        }
        ++result.rowStart[static_cast<std::size_t>(e.row) + 1];
        result.column.push_back(e.column);
        result.value.push_back(e.value);
    }
    for (std::size_t row = 0; row < matrix.rows; ++row) result.rowStart[row + 1] += result.rowStart[row];
    return result;
}

}  // namespace talus
