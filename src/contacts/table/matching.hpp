// Contact memory follows its pair of bodies when the lists are rebuilt.
//
// Bodies::row says where the old lists knew each grain. A pair may have changed owner in between: the memory is then
// seen from the other side, and its vectors change sign. Pairs of shapes keep their points, and their side.
#pragma once

#include "model/world.hpp"

namespace talus {

// Memory, and points of shapes, of the candidates of a new table that were in the old one.
void carryMemory(const WorldState& world, const ContactTable& old, ContactTable& fresh);

// Room for what so many candidates remember, none of which touches.
void makeRoom(const WorldState& world, std::size_t candidates, ContactMemory& memory);

}  // namespace talus
