// Counter-based random numbers: the k-th number of stream s with seed r is a pure function of (r, s, k).
//
// So a run does not depend on the order in which numbers are drawn, and a checkpoint needs only the counter.
// Philox 4x32-10 of Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#pragma once

#include <array>
#include <cstdint>

#include "talus/vec3.hpp"

namespace talus {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

// A stream of numbers that remembers how many were drawn.
class Random {
public:
    Random(std::uint64_t seed, std::uint32_t stream, std::uint64_t drawn = 0)
        : seed_(seed), stream_(stream), drawn_(drawn) {}

    double uniform();  // in [0, 1), 53 random bits
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    double normal();  // mean 0, variance 1
    Vec3 inBox(const Vec3& low, const Vec3& high);
    std::uint64_t drawn() const { return drawn_; }

private:
    std::uint64_t seed_;
    std::uint32_t stream_;
    std::uint64_t drawn_;
};

}  // namespace talus
