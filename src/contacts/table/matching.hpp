// Contact memory follows its pair of bodies when the lists are rebuilt.
//
// Bodies::row says where the old lists knew each grain. A pair may have changed owner in between: the memory is then
// seen from the other side, and its vectors change sign.
#pragma once

#include "model/world.hpp"

namespace talus {

void carryMemory(const WorldState& world, const GrainContacts& old, GrainContacts& fresh);
void carryMemory(const WorldState& world, const WallContacts& old, WallContacts& fresh);

}  // namespace talus
