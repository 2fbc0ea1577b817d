// Grains that come and go: sources fill free places of their region, sinks take out what enters theirs.
#pragma once

#include "model/size_distribution.hpp"
#include "model/world.hpp"

namespace talus {

// Inserts and removes what is due at world.time. Energies of grains that come or go are entered in the ledger.
void updatePopulation(WorldState& world);

}  // namespace talus
