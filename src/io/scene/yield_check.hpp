// Yield limits that a scene gives partly as forces and partly as stresses can be compared once grains have sizes.
#pragma once

#include "model/world.hpp"
#include "talus/scene.hpp"

namespace talus {

// Throws InputError if a cap is not above what a contact bears in tension, for the smallest or the largest contacts
// that the grains and sources of the world can make.
void checkCaps(const Scene& scene, const WorldState& world);

}  // namespace talus
