// Contacts of spheres as such: FCLIB knows masses and Jacobians only, but solvers know contacts of spheres by two lever
// arms, and sweep over them several times as fast as over blocks.
#pragma once

#include <optional>

#include "talus/contact_rows.hpp"

namespace talus {

// The same bodies in the same order, and what cannot move after them; nothing if a body is no sphere, or a contact does
// not lie between centres or has other tangents than contactFrame().
std::optional<BodyContacts> recogniseSpheres(const BodyContacts& blocks);

}  // namespace talus
