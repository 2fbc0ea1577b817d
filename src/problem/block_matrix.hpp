// The Delassus matrix W = D^T A^-1 D itself, sparse, in 3 x 3 blocks: for problems that come without bodies.
#pragma once

#include <cstdint>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

class BlockMatrix {
public:
    using State = std::vector<Vec3>;  // the reactions themselves

    // Rows of blocks, columns ascending; every row holds its diagonal block.
    std::vector<std::uint32_t> rowStart{0};
    std::vector<std::uint32_t> column;
    std::vector<Mat3> block;

    // Call when the rows are complete.
    void finish();

    std::size_t contactCount() const { return rowStart.size() - 1; }

    void start(const std::vector<Vec3>& reactions, State& state) const { state = reactions; }
    const Mat3& diagonal(std::size_t contact) const { return block[diagonal_[contact]]; }

    Vec3 velocity(const State& state, std::size_t contact) const {
        Vec3 u;
        for (std::uint32_t k = rowStart[contact]; k < rowStart[contact + 1]; ++k) u += block[k] * state[column[k]];
        return u;
    }

    void change(State& state, std::size_t contact, const Vec3& change) const { state[contact] += change; }

private:
    std::vector<std::uint32_t> diagonal_;  // where each row has its diagonal block
};

}  // namespace talus
