// Bonds that are lost for good (World::contacts.brokenBonds), and points of solids that vanish with theirs.
#pragma once

#include "collision/shape_points.hpp"
#include "dynamics/build_problem.hpp"

namespace talus {

// The name under which a bond is remembered when it is broken for good. Points of solids have that of their pair.
BrokenBond bondBetween(const World& world, const ContactPlace& place, const ContactSource& source);

// These pairs never bond again.
void rememberBroken(World& world, const std::vector<BrokenBond>& broken);

// Points that found no successor: what their springs held goes to the ledger, and bonds of theirs are broken.
void loseBonds(World& world, const std::vector<LostPoint>& lost);

}  // namespace talus
