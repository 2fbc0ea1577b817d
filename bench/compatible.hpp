// The cost of compatible forces (solvers/compatible/compatible.hpp) beside that of the solve whose forces they replace.
#pragma once

#include <vector>

#include "talus/tools/bench.hpp"

namespace talus {

// A square pyramid of 2,870 frictionless spheres on its fixed lowest layer, 14,440 contacts, one thread: contacts over
// the time that the forces of springs take, with APGD to 1e-6 as the peer; both best of `rounds`. Hooke's law, the same
// with two kinds of spheres, and Hertz's.
std::vector<BenchResult> measureCompatible(int rounds);

}  // namespace talus
