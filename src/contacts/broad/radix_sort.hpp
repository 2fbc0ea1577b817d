// Stable sort of keys with a value each, least significant digit first; only digits that differ cost a pass.
#pragma once

#include <cstdint>
#include <vector>

namespace talus {

void radixSort(std::vector<std::uint64_t>& keys, std::vector<std::uint32_t>& values);

}  // namespace talus
