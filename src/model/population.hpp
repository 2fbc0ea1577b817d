// Grains that come and go during a run: pouring sources and sink regions. Acted on by step/population.hpp.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "base/fields.hpp"
#include "talus/vec3.hpp"

namespace talus {

// Sizes of grains: radii of the balls of equal volume (of the discs of equal area in a planar scene).
struct SizeDistribution {
    enum class Kind { single, uniform, normal, table, asGiven };  // asGiven: each form has the size of its shape
    Kind kind = Kind::single;
    double radius = 0;            // m, single; mean of normal
    double low = 0, high = 0;     // m, uniform; cut-off of normal
    double deviation = 0;         // m, normal
    std::vector<double> radii;    // m, table
    std::vector<double> weights;  // table, by number, sum > 0
};

// One of the forms that new grains have.
struct GrainShare {
    std::uint16_t shape = 0;      // index into WorldState::shapes
    double share = 1;             // by number
    double equivalentRadius = 1;  // m, of the ball (planar: disc) of equal volume, in the size it is given in
    double boundingRadius = 1;    // m, in the same size
};

// Drops grains at random free places of a box at a given mean rate, until `limit` have been made.
struct Source {
    Vec3 low, high;                                                    // m, centres of new grains
    double rate = 0;                                                   // grains per second
    double start = 0, stop = std::numeric_limits<double>::infinity();  // s
    std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
    Vec3 velocity;  // m/s of new grains
    SizeDistribution size;
    std::vector<GrainShare> forms;  // spheres if empty
    std::uint16_t material = 0, group = 0;
    std::uint32_t stream = 0;  // of the random numbers

    std::uint64_t made = 0;     // grains made so far
    std::uint64_t drawn = 0;    // random numbers used so far
    std::uint64_t refused = 0;  // attempts that found no free place

    // Stages switch sources off and on; the clock of a source stands still meanwhile.
    double offTime = 0;    // s, for which it was off before
    double offSince = -1;  // s, when it was switched off; negative: it is on

    // What changes during a run.
    static constexpr auto fields() {
        return std::tuple{Field{"made", &Source::made}, Field{"drawn", &Source::drawn},
                          Field{"refused", &Source::refused}, Field{"offTime", &Source::offTime},
                          Field{"offSince", &Source::offSince}};
    }
};

// Removes every grain whose centre is inside the box.
struct Sink {
    Vec3 low, high;  // m
    std::uint64_t removed = 0;
    double removedMass = 0;  // kg
    bool on = true;          // as the stage says

    static constexpr auto fields() {
        return std::tuple{Field{"removed", &Sink::removed}, Field{"removedMass", &Sink::removedMass}};
    }
};

}  // namespace talus
