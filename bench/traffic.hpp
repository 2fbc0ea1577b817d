// How many bytes a step moves between memory and processor: an estimate from the sizes of the arrays it goes through.
//
// Each loop of a step over arrays that are larger than the caches reads and writes each of them once. Counted is what
// the step asks for, as in the STREAM benchmark: not the lines that a write first fetches. Neighbours are near each
// other in memory, so a grain is fetched once however many contacts it has. Rebuilds of the lists are not counted.
#pragma once

#include "step/step.hpp"

namespace talus {

// Bytes per grain and step, of this world with its present lists.
double bytesMovedPerGrain(const WorldState& world, const StepWorkspace& workspace);

// Contacts that grains have with grains, per grain; each contact counts for both. Walls are not counted.
double contactsPerGrain(const WorldState& world);

}  // namespace talus
