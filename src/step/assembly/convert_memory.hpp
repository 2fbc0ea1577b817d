// What contacts remember when a run goes on with another method.
//
// To impulses: each contact keeps the force it bears, so that the first solve starts from it and elastic contacts keep
// their tangential springs; contacts that yield start afresh from their overlaps. To springs: each contact that
// overlaps gets the tangential stretch that bears the same force, as far as the friction of its present overlap allows;
// rolling springs start unloaded. Normal forces of springs follow from overlaps alone, and rigid contacts hardly
// overlap: a packing that goes over from rigid contacts to springs settles into them first.
#pragma once

#include "model/world.hpp"

namespace talus {

inline constexpr double anyTime = 1;  // s; impulses are scaled to the steps that use them

// Contacts remember what this model does (without candidates: emptyMemory()). impulseTime (s): that of the steps to
// come, for forces of springs that become impulses. Contact lists must be those of the present bodies.
void convertMemory(WorldState& world, ContactMemory model, double impulseTime = anyTime);

}  // namespace talus
