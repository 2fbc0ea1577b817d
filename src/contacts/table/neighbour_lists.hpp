// Keeps the candidate lists of WorldState::contacts up to date: rebuilt only when bodies near each other may have moved
// against each other by the skin (travel.hpp).
//
// A rebuild wraps periodic positions, sorts the grains in space, lists grain pairs and wall faces within the skin,
// and moves the memory of touching contacts to its new place (matching by the rows the grains had before).
#pragma once

#include "contacts/broad/cell_grid.hpp"
#include "contacts/table/travel.hpp"
#include "model/world.hpp"

namespace talus {

// Scratch that survives between rebuilds; holds no state of the simulation.
struct NeighbourWorkspace {
    CellGrid grid;
    std::vector<std::uint32_t> order;
    Travel travel;
    double seconds = 0;  // of wall clock, spent so far
};

void rebuildLists(WorldState& world, NeighbourWorkspace& workspace);

// Rebuilds the lists if they no longer cover every pair that may touch; `moved` is the largest distance a free grain
// went since the last call. With a margin, every pair with a gap below it is wanted too.
bool refreshLists(WorldState& world, NeighbourWorkspace& workspace, double moved, double margin = 0);

// The longest gap across which a JKR neck holds, m; 0 without.
double longestNeck(const WorldState& world);

// A skin that suits these grains: a tenth of the mean diameter, more for JKR necks, which reach across a gap.
double defaultSkin(const WorldState& world);

}  // namespace talus
