// The speed of contacts between bodies of other shapes than spheres, beside that of spheres.
#pragma once

#include <vector>

#include "talus/tools/bench.hpp"

namespace talus {

// One thread, blocks of 10,648 bodies turned at random that overlap their neighbours, the best of `rounds`: contacts
// over the time of a penalty step on a core. Then spheres on a mesh (bench/mesh_floor.hpp).
std::vector<BenchResult> measureShapes(int rounds);

}  // namespace talus
