// From a scene to the world at time 0: materials and their laws, walls, grains, sources and sinks.
//
// Checks what only the bodies can tell: overlaps, grains outside the domain or behind a wall, absurd sizes, too many
// bodies for the machine. Throws InputError naming the entries of the scene.
#pragma once

#include "state/world.hpp"
#include "talus/scene.hpp"

namespace talus {

World buildWorld(const Scene& scene);

inline constexpr double mostBodies = 1e8;
inline constexpr double bytesPerBody = 700;  // at the peak of a run, contacts and neighbour lists included

}  // namespace talus
