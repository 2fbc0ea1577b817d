// Finds out that a run has gone wrong: numbers that are none, grains that left the domain, overlaps too deep to be
// contacts. Only looks; the run loop decides what to do.
#pragma once

#include <optional>
#include <string>

#include "model/world.hpp"

namespace talus {

// A message with body, group, time, place, value and advice, or nothing if all is well. Of several troubles the
// gravest kind is told (not a number, then lost, then overlap), of that the body with the lowest id, for an overlap
// the deepest (measure/overlap.hpp).
std::optional<std::string> findTrouble(const WorldState& world, double maxOverlapFraction);

// False if a position, velocity, force or the like of some body is not a finite number.
bool isAllFinite(const WorldState& world);

// A message if in the last step, of length dt (s), some free body went further than this share of the smallest half
// width (m) of a body, and anything was on its way.
std::optional<std::string> findLeap(const WorldState& world, double dt, double halfWidth, double share);

}  // namespace talus
