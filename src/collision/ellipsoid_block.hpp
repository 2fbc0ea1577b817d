// The pairs of ellipsoids among some pairs that touched a step before: where they are nearest now, eight at a time
// (narrow/ellipsoid_batch.hpp).
#pragma once

#include <vector>

#include "collision/narrow/core_distance.hpp"
#include "collision/narrow/ellipsoid_batch.hpp"
#include "collision/pair_watch.hpp"

namespace talus {

class EllipsoidBlock {
public:
    // Looks at the pairs from begin to end that do not rest.
    void find(const World& world, const PairWatch& watch, double margin, std::size_t begin, std::size_t end);

    // What was found of a pair, or nullptr. Pairs must be asked for in order.
    const CoreDistance* of(std::size_t pair);

private:
    struct Found {
        std::size_t pair;
        bool swapped;       // the second body went first
        Vec3 first, other;  // m, centres of the body that went first and of the other
        CoreDistance nearest;
    };
    void addLane(const World& world, const PairWatch& watch, std::size_t pair);
    void runLanes(int count);

    EllipsoidBatch batch_{};
    std::vector<Found> waiting_, found_;
    std::size_t next_ = 0;
};

}  // namespace talus
