// Colours of bodies: perceptually uniform maps for quantities, distinct colours for groups.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/world.hpp"

namespace talus {

// Linear light, red, green and blue from 0 to 1, so that shading may multiply and average.
using Colour = Vec3;

Colour fromSrgb(int red, int green, int blue);
// 0 to 255 per channel, as a PNG wants it.
std::array<unsigned char, 3> toSrgb(const Colour& colour);

// From dark (0) to light (1); values outside are clamped. InputError for a map that does not exist.
Colour mapColour(double share, std::string_view map = "viridis");
std::vector<std::string> colourMapNames();

// Distinct for 18 groups, the first six of them in the clearest colours; then they repeat.
Colour groupColour(std::size_t group);

// Which colour a value has.
struct ColourScale {
    double low = 0, high = 1;  // values at the two ends of the map
    std::string map = "viridis";
    bool isCategory = false;  // values are numbers of groups
};
Colour colourOf(const ColourScale& scale, double value);

// Ends that fit the values: of quantities that a few bodies have much more of than others zero and the 98th percentile,
// of others the lowest and the highest.
bool isSkewed(std::string_view field);
void fitEnds(ColourScale& scale, std::vector<double> values, bool isSkewed);

// What speed, radius and group are called as fields of frames (talus/frames.hpp).
enum class PictureColour { speed, radius, group };

// One colour per grain. Held bodies that are no spheres act as walls: they are grey and do not count, but for their
// groups.
std::vector<Colour> grainColours(const WorldState& world, PictureColour by);

// Of walls among the bodies.
Colour wallColour();

}  // namespace talus
