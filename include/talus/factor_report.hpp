// What the factors of second-order solvers cost.
#pragma once

#include <algorithm>
#include <cstdint>

namespace talus {

struct FactorReport {
    std::uint64_t nodes = 0;                     // rows of blocks
    std::uint64_t matrixBlocks = 0, blocks = 0;  // below the diagonal: of the matrix, and with fill
    std::uint64_t bytes = 0;
    std::uint64_t count = 0;  // of factorisations
    double seconds = 0;       // s, in all of them

    // Of two solves one after the other: the larger sizes, and what both cost.
    void add(const FactorReport& b) {
        if (blocks < b.blocks) nodes = b.nodes, matrixBlocks = b.matrixBlocks, blocks = b.blocks;
        bytes = std::max(bytes, b.bytes);
        count += b.count;
        seconds += b.seconds;
    }
};

// Of two that are kept at the same time.
inline FactorReport together(FactorReport a, const FactorReport& b) {
    const std::uint64_t bytes = a.bytes + b.bytes;
    a.add(b);
    a.bytes = bytes;
    return a;
}

}  // namespace talus
