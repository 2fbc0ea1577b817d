// Draws grain sizes; used where bodies are made (scene, pouring sources).
#pragma once

#include "base/random.hpp"
#include "model/population.hpp"

namespace talus {

// The smallest and the largest radius the distribution can give; 0 for asGiven, where the forms have it
// (grain_forms.hpp).
double smallestRadius(const SizeDistribution& size);
double largestRadius(const SizeDistribution& size);

// One radius of the distribution; 0 for asGiven.
double drawRadius(const SizeDistribution& size, Random& random);

}  // namespace talus
