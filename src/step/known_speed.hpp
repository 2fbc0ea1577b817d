// How fast bodies will be, as far as the scene tells before the first step. Speeds that come of contacts are not known:
// what a run watches (run/watch.hpp) is for those.
#pragma once

#include "model/world.hpp"

namespace talus {

// m/s, the fastest impact to expect: initial speeds, moving walls, driven joints, pouring, free fall over the height of
// the scene, and what forces on bodies (loads) can do on the way to the next thing ahead.
double expectedSpeed(const WorldState& world);

// m/s, of the fastest point of a body with a prescribed motion, or of one that a drive of a joint moves.
double prescribedSpeed(const WorldState& world);

// m/s^2, the largest that gravity and loads, at any time, give to a body.
double largestKnownAcceleration(const WorldState& world);

}  // namespace talus
