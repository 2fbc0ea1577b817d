// The chute benchmark: 32,000 equal spheres flow down a rough bed tilted by 26 degrees; periodic along and across.
//
// Parameters are those of the chute benchmark of LAMMPS. Grain diameter, mass and gravity are 1.
#pragma once

#include "bench/start_state.hpp"

namespace talus {

inline constexpr double chuteStep = 1e-4;

// Extent in grains; the lowest of the layers is the bed. The benchmark takes 4 x 2 copies: 40 x 20 x 40 grains.
struct ChuteSize {
    int along = 10, across = 10, layers = 40;
};

// A lattice on a bed, shaken out of order, with the velocity profile of the flow; one copy.
StartState makeChuteLattice(const ChuteSize& size = {});

// The grains of this lattice when it has flowed for some steps, each ten times as long as those of the measurement:
// long enough for the lattice to collapse and for the shock of that to die down.
inline constexpr int chuteSpinUp = 12'000;
std::vector<StartGrain> flowGrains(const StartState& lattice, int steps = chuteSpinUp);

WorldState makeChuteWorld(const StartState& start);

}  // namespace talus
