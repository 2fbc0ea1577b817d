// Draws what a new grain looks like: its form, its size and how it is turned. Used where bodies are made (scene,
// pouring sources). Spheres take one random number for their size, if any, and none for the rest.
#pragma once

#include "base/random.hpp"
#include "model/population.hpp"
#include "model/world.hpp"

namespace talus {

// A form of grains that have this shape at this scale where no other size is asked for.
GrainShare grainShareOf(const WorldState& world, std::uint16_t shape, double scale, double share);

struct DrawnGrain {
    std::uint16_t shape = 0;
    double radius = 0;            // m, of the bounding sphere
    double equivalentRadius = 0;  // m, of the ball (planar: disc) of equal volume
};
DrawnGrain drawGrain(const SizeDistribution& size, const std::vector<GrainShare>& forms, Random& random);

// The smallest and the largest bounding radius that can be drawn.
double smallestBoundingRadius(const SizeDistribution& size, const std::vector<GrainShare>& forms);
double largestBoundingRadius(const SizeDistribution& size, const std::vector<GrainShare>& forms);

// Uniform over all turns; in a planar scene over those in its plane. Spheres are not turned.
Quat drawOrientation(const WorldState& world, std::uint16_t shape, Random& random);

// The turn of a shape's frame that brings its plane z = 0 into the plane of a planar scene: x, y of the shape become
// x, y or x, z or y, z. None if the scene is not planar.
Quat planeTurn(const WorldState& world);

}  // namespace talus
