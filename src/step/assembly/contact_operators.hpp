// The matrices D and A^-1 of a contact problem, from bodies and the places of their contacts.
#pragma once

#include "step/assembly/build_problem.hpp"

namespace talus {

// For spheres and walls that forces do not move.
void writeOperator(const WorldState& world, const std::vector<ContactPlace>& places, SphereContacts& contacts);

// For bodies of any shape and walls that can move.
void writeOperator(const WorldState& world, const std::vector<ContactPlace>& places, BodyContacts& contacts);

}  // namespace talus
