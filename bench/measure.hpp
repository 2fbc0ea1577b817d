// The speed of Talus on a world: steps per second of wall clock, with the present number of threads.
#pragma once

#include <cstdint>

#include "state/world.hpp"

namespace talus {

// How many steps warm up and how many count; the same for Talus and its peers.
struct StepCounts {
    std::uint64_t warmUp = 50, measured = 0;
};
// Some seconds of work for one core, and enough steps for a flow to rebuild its lists several times.
StepCounts stepsFor(std::uint64_t grains);

struct Measurement {
    double particleStepsPerSecond = 0;
    double contactsPerGrain = 0;    // each counted by both grains
    double bytesMovedPerGrain = 0;  // per step, estimate (bench/traffic.hpp)
    std::uint64_t rebuilds = 0;     // of the neighbour lists, while measuring
};

// Without the energy ledger, which peers do not keep either. Throws RunError if the numbers went bad.
Measurement measureSteps(World& world, double dt, const StepCounts& counts);

}  // namespace talus
