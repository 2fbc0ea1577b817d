#include "io/fclib/block_assembly.hpp"

#include <algorithm>

namespace talus {
namespace {

// The entries of each row of blocks, in the order of the file.
struct EntriesByRow {
    std::vector<std::size_t> rowStart;
    std::vector<const SparseEntry*> entry;

    EntriesByRow(const SparseMatrix& matrix, const FclibLayout& layout) : rowStart(layout.blocks() + 1, 0) {
        const auto rowOf = [&](const SparseEntry& e) { return layout.place(static_cast<std::size_t>(e.row)).block; };
        for (const SparseEntry& e : matrix.entries) ++rowStart[rowOf(e) + 1];
        for (std::size_t row = 0; row < layout.blocks(); ++row) rowStart[row + 1] += rowStart[row];
        std::vector<std::size_t> next(rowStart.begin(), rowStart.end() - 1);
        entry.resize(matrix.entries.size());
        for (const SparseEntry& e : matrix.entries) entry[next[rowOf(e)]++] = &e;
    }
};

void fillUp(Mat3& diagonal, int used) {
    double sum = 0;
    for (int k = 0; k < used; ++k) sum += diagonal(k, k);
    for (int k = used; k < 3; ++k) diagonal(k, k) = sum / used;
}

}  // namespace

BlockMatrix assembleBlocks(const SparseMatrix& matrix, const FclibLayout& layout) {
    const EntriesByRow byRow(matrix, layout);
    const auto columnOf = [&](const SparseEntry* e) { return layout.place(static_cast<std::size_t>(e->column)); };
    BlockMatrix result;
    std::vector<std::uint32_t> columns;
    std::vector<std::uint32_t> slot(layout.blocks());  // of each column in the present row
    for (std::size_t row = 0; row < layout.blocks(); ++row) {
        // Which blocks the row has; the diagonal one always.
        const std::size_t begin = byRow.rowStart[row], end = byRow.rowStart[row + 1];
        columns.assign(1, static_cast<std::uint32_t>(row));
        for (std::size_t k = begin; k < end; ++k) {
            columns.push_back(static_cast<std::uint32_t>(columnOf(byRow.entry[k]).block));
        }
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        const auto first = static_cast<std::uint32_t>(result.column.size());
        for (std::uint32_t k = 0; k < columns.size(); ++k) slot[columns[k]] = first + k;
        result.column.insert(result.column.end(), columns.begin(), columns.end());
        result.block.resize(result.column.size());
        result.rowStart.push_back(static_cast<std::uint32_t>(result.column.size()));

        // What stands in them.
        for (std::size_t k = begin; k < end; ++k) {
            const SparseEntry& e = *byRow.entry[k];
            const FclibLayout::Place column = columnOf(&e);
            result.block[slot[column.block]](layout.place(static_cast<std::size_t>(e.row)).component,
                                             column.component) += e.value;
        }
        fillUp(result.block[slot[row]], layout.used(row));
    }
    result.finish();
    return result;
}

}  // namespace talus
