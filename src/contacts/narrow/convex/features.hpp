// Names of contacts that are made of several names.
#pragma once

#include <cstdint>
#include <vector>

#include "contacts/narrow/contact_points.hpp"

namespace talus {

// Two names as one of 64 bits; the order matters. By the mixing of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
inline std::uint64_t joinedFeature(std::uint64_t first, std::uint64_t second) {
    const auto mix = [](std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    };
    return mix(mix(first + 0x9E3779B97F4A7C15u) ^ (second + 0x632BE59BD9B4E019u));
}

// Puts the points from `start` on in the order of their features, each of which is then unique.
void orderByFeature(std::vector<ContactPoint>& points, std::size_t start);

}  // namespace talus
