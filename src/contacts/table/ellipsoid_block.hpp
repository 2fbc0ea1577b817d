// The pairs of ellipsoids among some pairs that touched a step before: where they are nearest now, eight at a time
// (narrow/ellipsoid_batch.hpp).
#pragma once

#include <array>
#include <vector>

#include "contacts/narrow/ellipsoid/ellipsoid_batch.hpp"
#include "contacts/table/pair_watch.hpp"

namespace talus {

class EllipsoidBlock {
public:
    // Looks at the pairs from begin to end that do not rest.
    void find(const WorldState& world, const PairWatch& watch, double margin, std::size_t begin, std::size_t end);

    // What was found of a pair, whatever its gap, or nullptr. Pairs must be asked for in order.
    const ContactPoint* of(std::size_t pair);

private:
    struct Lane {
        std::size_t pair;
        bool swapped;  // the second body goes first
        Vec3 centreA;  // m
        Vec3 centreB;  // m, of the image of the second body that is nearest to the first
    };
    struct Found {
        std::size_t pair;
        ContactPoint point;
    };
    void addLane(const WorldState& world, const PairWatch& watch, std::size_t pair);
    void runLanes();

    Vec3 period_;  // m, of the domain
    EllipsoidBatch batch_{};
    std::array<Lane, packLanes> lanes_;
    std::size_t laneCount_ = 0;
    std::vector<Found> found_;
    std::size_t next_ = 0;
};

}  // namespace talus
