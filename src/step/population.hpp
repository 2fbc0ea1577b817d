// Grains that come and go: sources fill free places of their region, sinks take out what enters theirs.
#pragma once

#include "model/size_distribution.hpp"
#include "model/world.hpp"

namespace talus {

// Inserts and removes what is due at world.time. Energies of grains that come or go are entered in the ledger.
void updatePopulation(WorldState& world);

// The grains that a source should have made by this time (s), by its rate and limit.
std::uint64_t grainsDue(const Source& source, double time);

}  // namespace talus
