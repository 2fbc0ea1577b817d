// The inner loop of penalty DEM: forces between the grains of one block of rows.
//
// The loop is compiled several times for different vector units (grain_forces.kernel.cpp) and the best one this
// machine can run is chosen at start. All variants give the same bits: no variant may fuse or reorder operations.
//
// Rows of one block are worked off by one thread, which first copies what the loop reads of their grains, and of the
// grains of other blocks that they may touch ("others"), side by side: the rest goes on in a few hundred kilobytes near
// the processor. Forces on others are summed here and added to them later, in a fixed order (contact_forces.cpp).
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

// What the search for touching pairs reads of a grain: four numbers at once.
struct alignas(32) GrainPlace {
    Vec3 position;      // m
    double radius = 0;  // m
};

// What the law reads of a grain: eight numbers at once of which a pair needs differences and sums, then eight of which
// it needs both.
struct alignas(64) GrainState {
    Vec3 velocity, midVelocity;                  // m/s
    double inverseMass = 0, inverseInertia = 0;  // 1/kg, 1/(kg m^2)
    Vec3 spin, midSpin;                          // rad/s
    double radius = 0, dashpotShare = 0;         // m, -
};

// Room for the grains of one block, its own first.
struct BlockRoom {
    std::vector<GrainPlace> places;
    std::vector<GrainState> states;
    std::vector<std::uint16_t> materials;
    std::vector<Wrench> sums;

    void resize(std::size_t grains) {
        places.resize(grains), states.resize(grains), materials.resize(grains), sums.resize(grains);
    }
};

struct GrainForceTask {
    LawKinds kinds;
    bool tally = false;  // count dissipated energy
    BodyView bodies{};
    const PairLaw* laws = nullptr;  // materials x materials
    std::size_t materials = 0;
    Vec3 period;    // m, infinity if not periodic
    double dt = 0;  // s

    std::uint32_t begin = 0, end = 0;      // rows of this block
    const std::uint32_t* other = nullptr;  // grains of other blocks that these rows list
    std::uint32_t others = 0;              // how many
    const std::uint32_t* rowStart = nullptr;
    // Of each candidate: where its partner stands in the block, first the rows, then the others.
    const std::uint32_t* partner = nullptr;
    TangentSpring* tangent = nullptr;
    RollingSpring* rolling = nullptr;  // null unless the law has a rolling spring
    // Which of eight candidates in a row, counted from the first of the block, touched at the last step; a bit each, so
    // that the memory of what does not touch need not be read.
    std::uint8_t* touched = nullptr;

    // Room for the grains of the block: rows and others.
    GrainPlace* places = nullptr;
    GrainState* states = nullptr;
    std::uint16_t* material = nullptr;
    Wrench* sums = nullptr;

    Vec3* force = nullptr;  // N, of all bodies; rows [begin, end) are set, not added to
    Vec3* torque = nullptr;
    double* rates = nullptr;  // 1/s, likewise (dashpot_shares.hpp)
    Dashpots dashpots = Dashpots::limited;
    Wrench* onOthers = nullptr;   // out, one for each
    DissipatedEnergy dissipated;  // out
    double deepest = 0;           // out, largest overlap over the smaller radius

    std::uint32_t rows() const { return end - begin; }
};

using GrainForceKernel = void(GrainForceTask&);
using GrainForceVariant = KernelVariant<GrainForceKernel>;

// The best variant this machine runs, or the one named in the environment variable TALUS_KERNEL.
const GrainForceVariant& grainForceVariant();

// All variants this machine can run, plainest first.
std::vector<GrainForceVariant> runnableGrainForceVariants();

}  // namespace talus
