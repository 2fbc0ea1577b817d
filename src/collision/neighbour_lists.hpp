// Keeps the candidate lists of World::contacts up to date: rebuilt only when something moved by half the skin.
//
// A rebuild wraps periodic positions, sorts the grains in space, lists grain pairs and wall faces within the skin,
// and moves the memory of touching contacts to its new place (matching by the rows the grains had before).
#pragma once

#include "collision/broad/cell_grid.hpp"
#include "state/world.hpp"

namespace talus {

// Scratch that survives between rebuilds; holds no state of the simulation.
struct NeighbourWorkspace {
    CellGrid grid;
    std::vector<std::uint32_t> order;
};

// True if the lists no longer cover every pair that may touch.
bool listsAreOld(const World& world);

void rebuildLists(World& world, NeighbourWorkspace& workspace);

inline bool refreshLists(World& world, NeighbourWorkspace& workspace) {
    if (!listsAreOld(world)) return false;
    rebuildLists(world, workspace);
    return true;
}

// A skin that suits these grains: a tenth of the mean diameter, more for JKR necks, which reach across a gap.
double defaultSkin(const World& world);

}  // namespace talus
