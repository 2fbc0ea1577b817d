// Contact forces and torques on all bodies, the same bits for any number of threads.
//
// Grains are cut into blocks whose size depends on their number only. Each block's rows are run by one thread. What
// they do to a grain of another block is summed in a slot, numbered by block and grain, and added to it in that order.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "model/world.hpp"
#include "step/forces/grain_forces.hpp"

namespace talus {

// Who adds to whom across blocks; rebuilt with the neighbour lists, holds no state of the simulation that its
// contacts do not hold.
struct ForceWorkspace {
    // Room for the blocks that threads are at work on, each taken by one.
    struct Rooms {
        struct Entry {
            BlockRoom room;
            std::atomic_flag taken;
        };
        std::vector<std::unique_ptr<Entry>> entries;  // one per thread
    };

    std::size_t blockSize = 0;
    std::vector<std::uint32_t> place;     // per candidate: where its partner stands in the block (GrainForceTask)
    std::vector<std::size_t> firstOther;  // per block
    std::vector<std::uint32_t> other;     // grains of other blocks that the rows of each block list, in order
    std::vector<Wrench> slots;            // on each of them
    Rooms rooms;
    std::vector<std::vector<std::uint32_t>> listed;  // of planForces()
    std::vector<std::size_t> firstPack;              // per block: its first entry of `touched`
    std::vector<std::uint8_t> touched;               // see GrainForceTask
    std::vector<std::size_t> firstEntry;             // per target block
    std::vector<std::uint32_t> entrySlot;            // slots that hold forces for that block, in order
    std::vector<DissipatedEnergy> dissipated;        // per block
    std::vector<double> rates;                       // 1/s, per body, of its dashpots (dashpot_shares.hpp)
    std::vector<double> ratesOfWalls;                // 1/s, per block and wall
    bool limited = true;                             // some of Bodies::dashpotShare are below 1, or may be
    HeldDashpots held;                               // of what was found last
    double fastestDashpot = 0;                       // 1/s, see fastestDashpot()
    std::vector<Wrench> onWalls;                     // per block and wall
    std::vector<double> pushOnWalls;                 // N, the same of WorldState::facePush
    std::vector<double> deepest;                     // per block: the largest overlap of a sphere (measure/overlap.hpp)

    double deepestOverlap() const;  // of all blocks
};

// Call after each rebuild of the neighbour lists.
void planForces(const WorldState& world, ForceWorkspace& workspace);

enum class Ledger { off, on };

// Also finds ForceWorkspace::rates.
void computeContactForces(WorldState& world, double dt, Ledger ledger, ForceWorkspace& workspace);

}  // namespace talus
