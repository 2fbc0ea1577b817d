// Joints as users describe them (talus/joint.hpp) made part of a world.
#pragma once

#include "model/world.hpp"
#include "talus/joint.hpp"

namespace talus {

// A distance joint that holds its distance: nothing else acts along it.
bool isRod(const JointSettings& settings);

// Joins two bodies, given by id, where they are now; the second may be theWorld. Unless they are to collide, the
// bodies no longer touch each other.
void addJoint(WorldState& world, const JointSettings& settings, std::uint32_t first, std::uint32_t second);

}  // namespace talus
