// Where a row of r and l of a file stands among the contacts of the problem.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

struct FclibLayout {
    int dimension = 3;              // rows per contact
    std::size_t contacts = 0;       // with friction
    std::size_t bilateralRows = 0;  // three at a time, after the contacts

    struct Place {
        std::size_t block = 0;
        int component = 0;
    };

    std::size_t contactRows() const { return static_cast<std::size_t>(dimension) * contacts; }
    std::size_t rows() const { return contactRows() + bilateralRows; }
    std::size_t blocks() const { return contacts + (bilateralRows + 2) / 3; }

    // Row of r, then of l.
    Place place(std::size_t row) const {
        const auto size = static_cast<std::size_t>(dimension);
        if (row < contactRows()) return {row / size, static_cast<int>(row % size)};
        const std::size_t k = row - contactRows();
        return {contacts + k / 3, static_cast<int>(k % 3)};
    }

    // How many components of a block are rows of the file; the others are filled in.
    int used(std::size_t block) const {
        if (block < contacts) return dimension;
        return static_cast<int>(std::min<std::size_t>(3, bilateralRows - 3 * (block - contacts)));
    }

    // A vector over all rows as one three-vector per block, and back.
    std::vector<Vec3> toBlocks(const std::vector<double>& values) const {
        std::vector<Vec3> result(blocks());
        for (std::size_t row = 0; row < values.size(); ++row)
            result[place(row).block][place(row).component] = values[row];
        return result;
    }
    std::vector<double> toRows(const std::vector<Vec3>& values) const {
        std::vector<double> result(rows());
        for (std::size_t row = 0; row < result.size(); ++row)
            result[row] = values[place(row).block][place(row).component];
        return result;
    }
};

}  // namespace talus
