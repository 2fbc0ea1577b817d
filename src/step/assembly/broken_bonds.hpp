// Bonds that are lost for good (WorldState::contacts.brokenBonds), and points of solids that vanish with theirs.
#pragma once

#include "contacts/table/shape_points.hpp"
#include "step/assembly/build_problem.hpp"

namespace talus {

// The name under which a bond is remembered when it is broken for good. Points of solids have that of their pair.
BrokenBond bondBetween(const WorldState& world, const ContactPlace& place, std::uint32_t candidate);

// These pairs never bond again.
void rememberBroken(WorldState& world, const std::vector<BrokenBond>& broken);

// Points that found no successor: what their springs held goes to the ledger, and bonds of theirs are broken.
void loseBonds(WorldState& world, const std::vector<LostPoint>& lost);

}  // namespace talus
