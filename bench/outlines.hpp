// The speed of contact geometry of outlines: closest points, and contacts of pairs of grains that touch.
#pragma once

#include <vector>

#include "talus/tools/bench.hpp"

namespace talus {

// One thread, on generated grains that are not convex, the best of `rounds`.
std::vector<BenchResult> measureOutlines(int rounds);

}  // namespace talus
