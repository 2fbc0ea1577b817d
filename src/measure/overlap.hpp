// How deep two bodies are in each other: the one measure behind max_overlap in the series, in the summary, in the limit
// of the scene and in the message of a run that fails by it.
//
//   overlap of a pair = depth of its deepest contact / size of the pair
//   size of the pair  = min(R_a, R_b, w_a + w_b);  at a wall, which has no size, R_a
//
// R is the radius of the ball of equal volume (discs: of equal area), w half the least width of the body. Spheres have
// both alike, so theirs is the radius of the smaller one. The widths matter for thin bodies: two flakes have passed
// through each other when they are as deep as both are thick, whatever their volume. w is that of the box with the
// same volume and inertia, 0 for open surfaces, which have no thickness.
//
// Penalty contacts count once they touch (JKR necks reach across gaps), rigid and elastic bodies of contact dynamics
// always. Overlaps are known only while the contact lists are (Contacts::stale), and those of other shapes than spheres
// at the points that the last step found.
#pragma once

#include <cstdint>
#include <vector>

#include "model/world.hpp"

namespace talus {

// m, the size of a body, or of a shape at scale 1.
struct BodySize {
    double radius = 0;     // of the ball of equal volume
    double halfWidth = 0;  // half the least width
};
BodySize sizeOfShape(const Shape& shape);

// Sizes of the shapes of a world, each found once; holds no state.
class ShapeSizes {
public:
    // Call when shapes may have come since.
    void update(const WorldState& world);
    BodySize of(const WorldState& world, std::size_t body) const;
    // Half width over the radius of the ball of equal volume.
    double slimness(std::uint16_t shape) const { return shapes_[shape].halfWidth / shapes_[shape].radius; }

private:
    std::vector<BodySize> shapes_;  // over the bounding radius
};

struct DeepestOverlap {
    double fraction = 0;                   // -
    std::uint32_t owner = 0, partner = 0;  // body indices
    std::uint32_t id = 0;                  // of the owner: of equal overlaps that of the lowest counts

    DeepestOverlap& operator+=(const DeepestOverlap& other) {
        const bool deeper = other.fraction != fraction ? other.fraction > fraction : fraction > 0 && other.id < id;
        if (deeper) *this = other;
        return *this;
    }
};

// Looks at all bodies; fraction 0 if none overlap. Allocates nothing if the sizes are known.
DeepestOverlap findDeepestOverlap(const WorldState& world, ShapeSizes& sizes);
DeepestOverlap findDeepestOverlap(const WorldState& world);

// Looks at pairs in which some body is no sphere: the penalty method's loop over spheres finds theirs itself.
DeepestOverlap findDeepestOfShapes(const WorldState& world, ShapeSizes& sizes);

// Half the least width of the grains that move freely, those that sources will make included; infinite if there are
// none; m.
double smallestHalfWidth(const WorldState& world);

}  // namespace talus
