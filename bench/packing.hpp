// The packing benchmark: equal spheres at rest in a box of four walls and a floor, Hertz-Mindlin, friction 0.5.
//
// The packing is made here: a jittered lattice falls, comes to rest under drag, and is repeated by reflection.
#pragma once

#include <cstdint>

#include "bench/start_state.hpp"

namespace talus {

inline constexpr double packingStep = 1e-6;  // s

// Which packing stands for a requested number of grains: up to some 10,000 grains a lattice of edge^3, above that
// copies x copies of the one of 22^3 = 10,648, whichever number is nearest.
struct PackingPlan {
    int edge = 0, copies = 0;
    bool operator==(const PackingPlan&) const = default;
    std::uint64_t grainCount() const;
};
PackingPlan planPacking(std::uint64_t requested);

// A jittered lattice of edge^3 grains with random velocities, from which a packing settles.
StartState makePackingLattice(int edge);

// The grains of this lattice when they have come to rest: kinetic energy next to nothing. Uses the present threads; the
// result does not depend on them.
std::vector<StartGrain> settleGrains(const StartState& lattice);

WorldState makePackingWorld(const StartState& start);

// Mean kinetic energy of a grain relative to m g d, the energy of a fall by one diameter.
double unrest(const WorldState& world);

}  // namespace talus
