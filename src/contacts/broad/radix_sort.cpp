#include "contacts/broad/radix_sort.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace talus {

void radixSort(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values) {
    if (std::is_sorted(keys.begin(), keys.end())) return;
    constexpr int digitBits = 11;
    constexpr std::size_t buckets = std::size_t{1} << digitBits;
    std::uint64_t varying = 0;
    for (const std::uint64_t key : keys) varying |= key ^ keys.front();

    std::vector<std::uint64_t> otherKeys(keys.size());
    std::vector<std::uint32_t> otherValues(values.size());
    for (int shift = 0; shift < 64; shift += digitBits) {
        if ((varying >> shift & (buckets - 1)) == 0) continue;
        std::array<std::size_t, buckets> position{};
        for (const std::uint64_t key : keys) ++position[key >> shift & (buckets - 1)];
        std::size_t sum = 0;
        for (std::size_t& p : position) sum += std::exchange(p, sum);
        for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::size_t to = position[keys[i] >> shift & (buckets - 1)]++;
            otherKeys[to] = keys[i];
            otherValues[to] = values[i];
        }
        keys.swap(otherKeys);
        values.swap(otherValues);
    }
}

}  // namespace talus
