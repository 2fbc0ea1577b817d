// The matrices D and A^-1 of a contact problem, from bodies and the places of their contacts.
#pragma once

#include "step/assembly/build_problem.hpp"

namespace talus {

// The rows of these contacts; others may follow, then contacts.finish(). Spheres, and what cannot move, have round
// rows; a body of another shape, a guided one, or a wall that forces move makes a row of another kind.
void writeOperator(const WorldState& world, const std::vector<ContactPlace>& places, BodyContacts& contacts);

}  // namespace talus
