// How far bodies went since the contact lists were built, and whether these may miss a pair by now.
//
// Two bodies that are not listed were apart by at least the skin. They can touch when they have moved against each
// other by that much, wherever both went together: in a flow, grains travel many times the skin while neighbours stay
// neighbours. Space is cut into zones, wider than two grains and two skins, and for each the displacements of its
// grains are boxed in. Of pairs in the same zone or in zones side by side, no two may differ by more than the skin;
// others are so far apart that it takes longer ways than are allowed to any grain.
//
// Whether lists are too old is a question about the present state alone: answers are put off only as long as they are
// known, so that it does not matter when they were asked for (a resumed run rebuilds its lists when the whole one did).
#pragma once

#include <limits>
#include <vector>

#include "model/world.hpp"

namespace talus {

class Travel {
public:
    // All stand where the lists were built.
    void begin();

    // What was known is so no more: bodies were moved by others than steps, or lists were put back.
    void forget();

    // Whether a pair whose gap is below the margin (m) may be missing. No free grain has gone farther than `moved` (m)
    // since the last call.
    bool isTooFar(const WorldState& world, double moved, double margin);

private:
    struct Box {
        Vec3 low, high;  // m, of displacements; empty at first
        void include(const Vec3& way, double more);
        void include(const Box& other);
    };
    // Grains in a row, in the order of the bodies, that stood in the same zone.
    struct Run {
        std::uint32_t begin, end, zone;
    };

    void makeZones(const WorldState& world);
    // m, by which two grains that were near each other have moved against each other at most.
    double farthestApart(const WorldState& world);

    // As it was at the last look: m, the farthest way of a grain, and by how much neighbours differed. Nothing is known
    // while the way since then is infinite.
    double farthest_ = 0, apart_ = 0;
    double sinceLook_ = std::numeric_limits<double>::infinity();
    bool zonesMade_ = false;
    std::vector<Run> runs_;
    std::vector<Box> boxes_;                       // of each zone
    std::vector<std::uint32_t> firstNear_, near_;  // of each zone, those beside it that come later
};

}  // namespace talus
