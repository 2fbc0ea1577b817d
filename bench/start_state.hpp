// The grains a benchmark starts from: the same for Talus and for a peer, and small enough to be handed around.
//
// Large states are small ones repeated along x and y. Copies of a packing at rest are mirror images of each other, so
// that grains which rest on a wall of the small one rest on their images in the large one; copies of a periodic flow
// are shifted. Grains are computed when asked for, never stored.
#pragma once

#include <cstdint>
#include <vector>

#include "model/world.hpp"

namespace talus {

struct StartGrain {
    Vec3 position;            // m
    Vec3 velocity, spin;      // m/s, rad/s
    std::uint64_t fixed = 0;  // 1: part of a bed that never moves
};

enum class Repeat { mirrored, shifted };

struct StartState {
    Vec3 tileSize;                 // m, the tile fills [0, tileSize]
    int copiesX = 1, copiesY = 1;  // of the tile
    Repeat repeat = Repeat::mirrored;
    double diameter = 0;  // m, of every grain
    double density = 0;   // kg/m^3
    std::vector<StartGrain> tile;

    Vec3 size() const { return {copiesX * tileSize.x, copiesY * tileSize.y, tileSize.z}; }
    std::uint64_t grainCount() const { return tile.size() * static_cast<std::uint64_t>(copiesX) * copiesY; }
    StartGrain grain(std::uint64_t index) const;
    bool atRest() const;
};

// Adds all grains to a world whose first material they are made of.
void placeGrains(const StartState& start, WorldState& world);

}  // namespace talus
