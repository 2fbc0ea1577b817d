#include "io/results/picture/colours.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/results/body_surfaces.hpp"
#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

double toLinear(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4); }

double toDisplay(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

// Seventeen even steps of the perceptually uniform maps of matplotlib (viridis and inferno by S. van der Walt and
// N. Smith, cividis by J. Nunez, C. Anderton and R. Renslow), from low to high, as 0xRRGGBB.
struct Map {
    std::string_view name;
    std::array<int, 17> steps;
};
constexpr Map maps[] = {
    {"viridis",
     {0x440154, 0x48186a, 0x472d7b, 0x424086, 0x3b528b, 0x33638d, 0x2c728e, 0x26828e, 0x21918c, 0x1fa088, 0x28ae80,
      0x3fbc73, 0x5ec962, 0x84d44b, 0xaddc30, 0xd8e219, 0xfde725}},
    {"cividis",
     {0x00224e, 0x002e6a, 0x1a386f, 0x32436d, 0x434e6c, 0x535a6d, 0x61656f, 0x6f7073, 0x7d7c78, 0x8c8878, 0x9b9476,
      0xaba072, 0xbcae6c, 0xcdbb63, 0xdec958, 0xf0d846, 0xfee838}},
    {"inferno",
     {0x000004, 0x0b0724, 0x210c4a, 0x3d0965, 0x57106e, 0x71196e, 0x8a226a, 0xa32c61, 0xbc3754, 0xd24644, 0xe45a31,
      0xf1731d, 0xf98e09, 0xfcac11, 0xf9cb35, 0xf2ea69, 0xfcffa4}},
    {"grey",
     {0x303030, 0x3d3d3d, 0x4a4a4a, 0x575757, 0x646464, 0x717171, 0x7e7e7e, 0x8b8b8b, 0x979797, 0xa4a4a4, 0xb1b1b1,
      0xbebebe, 0xcbcbcb, 0xd8d8d8, 0xe5e5e5, 0xf2f2f2, 0xffffff}},
};

const Map& mapNamed(std::string_view name) {
    for (const Map& map : maps) {
        if (map.name == name) return map;
    }
    throw InputError(fmt::format("there is no colour map '{}'{}", name, didYouMean(name, colourMapNames())));
}

// The colour-blind safe colours of M. Okabe and K. Ito, yellow and black left out.
constexpr int palette[6][3] = {{86, 180, 233}, {230, 159, 0},   {0, 158, 115},
                               {213, 94, 0},   {204, 121, 167}, {0, 114, 178}};

// The darkest end of the maps is left out: grains at rest should still show their shading.
constexpr double darkest = 0.15;

double percentile(std::vector<double>& values, double share) {
    const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return values[static_cast<std::size_t>(place)];
}

}  // namespace

Colour fromSrgb(int red, int green, int blue) {
    return {toLinear(red / 255.0), toLinear(green / 255.0), toLinear(blue / 255.0)};
}

std::array<unsigned char, 3> toSrgb(const Colour& colour) {
    std::array<unsigned char, 3> bytes{};
    for (int k = 0; k < 3; ++k) {
        const double value = toDisplay(std::clamp(colour[k], 0.0, 1.0));
        bytes[static_cast<std::size_t>(k)] = static_cast<unsigned char>(std::lround(255 * value));
    }
    return bytes;
}

Colour mapColour(double share, std::string_view name) {
    const Map& map = mapNamed(name);
    const double place = 16 * (std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0);
    const auto k = static_cast<std::size_t>(std::min(15, static_cast<int>(place)));
    const double part = place - static_cast<double>(k);
    // Between steps in display values, in which the map is even.
    const auto between = [&](int shift) {
        const int low = map.steps[k] >> shift & 255, high = map.steps[k + 1] >> shift & 255;
        return toLinear(((1 - part) * low + part * high) / 255);
    };
    return {between(16), between(8), between(0)};
}

std::vector<std::string> colourMapNames() {
    std::vector<std::string> names;
    for (const Map& map : maps) names.emplace_back(map.name);
    return names;
}

Colour groupColour(std::size_t group) {
    // As they are, then paler, then darker.
    constexpr double kept[] = {1, 0.45, 0.5}, white[] = {0, 0.55, 0};
    const auto& c = palette[group % 6];
    const std::size_t round = group / 6 % 3;
    const auto channel = [&](int value) { return static_cast<int>(kept[round] * value + white[round] * 255); };
    return fromSrgb(channel(c[0]), channel(c[1]), channel(c[2]));
}

Colour colourOf(const ColourScale& scale, double value) {
    if (scale.isCategory) return groupColour(static_cast<std::size_t>(std::max(0.0, value)));
    const double share =
        scale.high > scale.low ? std::clamp((value - scale.low) / (scale.high - scale.low), 0.0, 1.0) : 0.5;
    return mapColour(darkest + (1 - darkest) * share, scale.map);
}

bool isSkewed(std::string_view field) {
    return field == "speed" || field == "force" || field == "pressure" || field == "spin";
}

void fitEnds(ColourScale& scale, std::vector<double> values, bool isSkewed) {
    std::erase_if(values, [](double value) { return !std::isfinite(value); });
    if (values.empty()) return;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    scale.low = isSkewed ? std::min(0.0, *low) : *low;
    scale.high = isSkewed ? percentile(values, 0.98) : *high;
}

Colour wallColour() { return fromSrgb(200, 204, 210); }

std::vector<Colour> grainColours(const WorldState& world, PictureColour by) {
    const Bodies& b = world.bodies;
    std::vector<Colour> colours(b.grainCount, wallColour());
    if (by == PictureColour::group) {
        for (std::size_t i = 0; i < b.grainCount; ++i) colours[i] = groupColour(b.group[i]);
        return colours;
    }
    std::vector<std::size_t> counted;
    std::vector<double> values;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (hasSurface(world, i) && b.inverseMass[i] == 0) continue;
        counted.push_back(i);
        values.push_back(by == PictureColour::speed ? norm(b.velocity[i]) : b.radius[i]);
    }
    ColourScale scale;
    fitEnds(scale, values, by == PictureColour::speed);
    for (std::size_t k = 0; k < counted.size(); ++k) colours[counted[k]] = colourOf(scale, values[k]);
    return colours;
}

}  // namespace talus
