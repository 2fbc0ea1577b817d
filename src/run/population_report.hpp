// What the end of a run has to say about grains that did not come and grains that went: sources that could not keep to
// their rate, and grains that fell past everything that could hold them.
#pragma once

#include <string>
#include <vector>

#include "model/world.hpp"

namespace talus {

// One line per source that made less than nine tenths of the grains that its rate and limit asked for by now.
std::vector<std::string> describeSources(const WorldState& world);

// Free grains below all walls, held bodies and sinks, with no plane that faces them, falling: nothing will stop them.
// Empty if there are none, if nothing in the scene is held, if a height means nothing (periodic along gravity), or if
// the scene has a domain, which watches by itself.
std::string describeFallen(const WorldState& world);

}  // namespace talus
