// Sparse matrices as they come out of a file and go into one: a list of entries in any order; those at one place add
// up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace talus {

struct SparseEntry {
    std::int32_t row = 0, column = 0;
    double value = 0;
};

struct SparseMatrix {
    std::size_t rows = 0, columns = 0;
    std::vector<SparseEntry> entries;

    void add(std::size_t row, std::size_t column, double value) {
        entries.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(column), value});
    }
};

// Row by row, columns ascending, one entry per place.
struct CompressedRows {
    std::vector<std::int32_t> rowStart, column;
    std::vector<double> value;
};
CompressedRows compressRows(const SparseMatrix& matrix);

}  // namespace talus
