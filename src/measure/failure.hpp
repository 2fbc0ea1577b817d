// Finds out that a run has gone wrong: numbers that are none, grains that left the domain, overlaps too deep to be
// contacts. Only looks; the run loop decides what to do.
#pragma once

#include <optional>
#include <string>

#include "model/world.hpp"

namespace talus {

// A message with body, group, time, place, value and advice, or nothing if all is well. Of several troubles the
// gravest kind is told (not a number, then lost, then overlap), of that the body with the lowest id, for an overlap
// the deepest. An overlap is judged relative to the radius of the smaller grain; overlaps are known only while the
// contact lists are (Contacts::stale).
std::optional<std::string> findTrouble(const WorldState& world, double maxOverlapFraction);

// Largest overlap of two touching bodies relative to the radius of the smaller grain; 0 without contacts.
struct DeepestOverlap {
    double fraction = 0;                   // -
    std::uint32_t owner = 0, partner = 0;  // body indices
};
DeepestOverlap findDeepestOverlap(const WorldState& world);

}  // namespace talus
