// The cost of a finely cut surface below many spheres, beside that of the spheres alone.
#pragma once

#include <vector>

#include "talus/tools/bench.hpp"

namespace talus {

// One thread, a wavy floor of 100,352 triangles, the best of `rounds`. On it lie about 100,000 spheres: a block of
// which the lowest layer touches the floor, or one layer of which all do. Steps with the same lists, and rebuilds of
// the lists.
std::vector<BenchResult> measureMeshFloor(int rounds);

}  // namespace talus
