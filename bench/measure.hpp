// The speed of the penalty method on a world: steps per second of wall clock, with the present number of threads.
#pragma once

#include <cstdint>

#include "model/world.hpp"

namespace talus {

// How many steps warm up and how many count; the same for Talus and its peers.
struct StepCounts {
    std::uint64_t warmUp = 50, measured = 0;
};
// Some seconds of work for one core, and enough steps for a flow to rebuild its lists several times.
StepCounts stepsFor(std::uint64_t grains);

struct Measurement {
    double itemsPerSecond = 0;     // particle-steps or contact-iterations
    double contactsPerGrain = 0;   // each counted by both grains
    double bytesMovedPerItem = 0;  // per grain and step, or contact and iteration; estimate (bench/traffic.hpp)
    std::uint64_t rebuilds = 0;    // of the neighbour lists, while measuring
    std::uint64_t items = 0;       // grains or contacts
};

// Without the energy ledger, which peers do not keep either. Throws RunError if the numbers went bad.
Measurement measureSteps(WorldState& world, double dt, const StepCounts& counts);

}  // namespace talus
