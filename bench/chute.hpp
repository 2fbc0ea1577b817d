// The chute benchmark: 32,000 equal spheres flow down a rough bed tilted by 26 degrees; periodic along and across.
//
// Parameters are those of the chute benchmark of LAMMPS. Grain diameter, mass and gravity are 1.
#pragma once

#include "bench/start_state.hpp"

namespace talus {

inline constexpr double chuteStep = 1e-4;

// Extent of the chute in grains; the lowest of the layers is the bed.
struct ChuteSize {
    int along = 40, across = 20, layers = 40;
};

// A lattice on a bed, shaken out of order, with the velocity profile of the flow.
StartState makeChuteLattice(const ChuteSize& size = {});

// The grains of this lattice when it has flowed for some steps, each ten times as long as those of the measurement.
inline constexpr int chuteSpinUp = 4000;
std::vector<StartGrain> flowGrains(const StartState& lattice, int steps = chuteSpinUp);

World makeChuteWorld(const StartState& start);

}  // namespace talus
