// The inner loop of penalty DEM: forces between the grains of one block of rows.
//
// The loop is compiled several times for different vector units (grain_forces.kernel.cpp) and the best one this
// machine can run is chosen at start. All variants give the same bits: no variant may fuse or reorder operations.
//
// Rows of one block are worked off by one thread. Forces on partners inside the block are added in place; those on
// partners in other blocks go to a slot of their own and are added later, in order of the slots (contact_forces.cpp).
#pragma once

#include <cstdint>

#include "base/vector_units.hpp"
#include "contacts/narrow/spheres.hpp"
#include "laws/contact_law.hpp"
#include "step/forces/dashpot_shares.hpp"

namespace talus {

// Force and torque on a body, and the dashpots behind them: one line of the cache, added to as eight numbers at once.
struct alignas(64) Wrench {
    Vec3 force;           // N
    double dashpots = 0;  // N s/m, see strongestDashpot()
    Vec3 torque;          // N m
    double unused = 0;
};

inline constexpr std::uint32_t noSlot = 0xFFFFFFFF;  // the partner is in the same block

struct GrainForceTask {
    LawKinds kinds;
    bool tally = false;  // count dissipated energy
    BodyView bodies{};
    const PairLaw* laws = nullptr;  // materials x materials
    std::size_t materials = 0;
    Vec3 period;    // m, infinity if not periodic
    double dt = 0;  // s

    std::uint32_t begin = 0, end = 0;  // rows of this block
    const std::uint32_t* rowStart = nullptr;
    const std::uint32_t* owner = nullptr;  // of each candidate: the row it stands in
    const std::uint32_t* partner = nullptr;
    const std::uint32_t* slot = nullptr;  // of each candidate: where the force on its partner goes, or noSlot
    const double* radii = nullptr;        // m, of each candidate: the sum of both
    TangentSpring* tangent = nullptr;
    RollingSpring* rolling = nullptr;  // null unless the law has a rolling spring
    // Which of eight candidates in a row, counted from the first of the block, touched at the last step; a bit each.
    // Kept up by the loops of the plain laws, which so need not read the memory of what does not touch.
    std::uint8_t* touched = nullptr;

    Wrench* sums = nullptr;  // room for one per row of the block
    Vec3* force = nullptr;   // N, of all bodies; rows [begin, end) are set, not added to
    Vec3* torque = nullptr;
    double* rates = nullptr;  // 1/s, likewise (dashpot_shares.hpp)
    Dashpots dashpots = Dashpots::limited;
    Wrench* cross = nullptr;                    // all slots
    std::uint32_t firstSlot = 0, lastSlot = 0;  // those of this block
    DissipatedEnergy dissipated;                // out
    double deepest = 0;                         // out, largest overlap over the smaller radius
};

using GrainForceKernel = void(GrainForceTask&);
using GrainForceVariant = KernelVariant<GrainForceKernel>;

// The best variant this machine runs, or the one named in the environment variable TALUS_KERNEL.
const GrainForceVariant& grainForceVariant();

// All variants this machine can run, plainest first.
std::vector<GrainForceVariant> runnableGrainForceVariants();

}  // namespace talus
