// The local form of a contact problem: u = W r + V l + q, 0 = V^T r + R l + s.
#pragma once

#include <vector>

#include "io/fclib/sparse_matrix.hpp"

namespace talus {

struct LocalMatrices {
    SparseMatrix contacts, coupling, bilateral;  // W, V, R
    std::vector<double> contactOffset;           // q
    std::vector<double> bilateralOffset;         // s
};

}  // namespace talus
