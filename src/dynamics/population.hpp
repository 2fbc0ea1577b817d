// Grains that come and go: sources fill free places of their region, sinks take out what enters theirs.
#pragma once

#include "state/size_distribution.hpp"
#include "state/world.hpp"

namespace talus {

// Inserts and removes what is due at world.time. Energies of grains that come or go are entered in the ledger.
void updatePopulation(World& world);

}  // namespace talus
