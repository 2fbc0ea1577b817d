#include "model/joints.hpp"

#include <algorithm>

namespace talus {
namespace {

IgnoredPairs::value_type ordered(std::uint32_t a, std::uint32_t b) { return {std::min(a, b), std::max(a, b)}; }

}  // namespace

void Joints::add(Joint joint) {
    list.push_back(std::move(joint));
    forEachJointArray(*this, [&](const char*, auto& array) { array.resize(list.size()); });
}

void ignorePair(IgnoredPairs& pairs, std::uint32_t a, std::uint32_t b) {
    const auto pair = ordered(a, b);
    const auto place = std::lower_bound(pairs.begin(), pairs.end(), pair);
    if (place == pairs.end() || *place != pair) pairs.insert(place, pair);
}

bool isIgnored(const IgnoredPairs& pairs, std::uint32_t a, std::uint32_t b) {
    return !pairs.empty() && std::binary_search(pairs.begin(), pairs.end(), ordered(a, b));
}

}  // namespace talus
