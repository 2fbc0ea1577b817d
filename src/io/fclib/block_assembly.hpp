// From the scalar entries of a file to the 3 x 3 blocks of a problem.
#pragma once

#include "io/fclib/layout.hpp"
#include "io/fclib/sparse_matrix.hpp"
#include "talus/contact_rows.hpp"

namespace talus {

// The matrix over all rows of the layout, contacts and bilateral ones, in blocks; finished. Components without a row
// get the mean diagonal of their block.
BlockMatrix assembleBlocks(const SparseMatrix& matrix, const FclibLayout& layout);

}  // namespace talus
