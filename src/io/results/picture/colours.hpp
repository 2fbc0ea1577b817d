// Colours of grains: a perceptually uniform map for quantities, distinct colours for groups.
#pragma once

#include <vector>

#include "io/results/picture/picture.hpp"

namespace talus {

// Linear light, red, green and blue from 0 to 1, so that shading may multiply and average.
using Colour = Vec3;

Colour fromSrgb(int red, int green, int blue);
// 0 to 255 per channel, as a PNG wants it.
std::array<unsigned char, 3> toSrgb(const Colour& colour);

// Viridis, from dark violet (0) to yellow (1); values outside are clamped.
Colour mapColour(double share);

// Distinct for 18 groups, the first six of them in the clearest colours; then they repeat.
Colour groupColour(std::size_t group);

// One colour per grain. The map spans 0 to the 98th percentile of speeds, or all radii. Held bodies that are no spheres
// act as walls: they are grey and do not count.
std::vector<Colour> grainColours(const WorldState& world, PictureColour by);

}  // namespace talus
