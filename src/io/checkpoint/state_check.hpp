// Is this state one that a step can start from? Asked of every checkpoint before it is believed, and before it is
// written: a state with a broken number or index must not replace the last good one.
#pragma once

#include <string>

#include "model/world.hpp"

namespace talus {

// The first fault found in the changing part of `state`, or an empty text. What the scene fixes (shapes, materials,
// motions, groups, number of walls, sources and sinks) is taken from `scene`.
std::string findFault(const WorldState& scene, const WorldState& state);

}  // namespace talus
