#include "io/results/picture/colours.hpp"

#include <algorithm>
#include <cmath>

#include "io/results/body_surfaces.hpp"

namespace talus {
namespace {

double toLinear(double srgb) { return srgb <= 0.04045 ? srgb / 12.92 : std::pow((srgb + 0.055) / 1.055, 2.4); }

double toDisplay(double linear) {
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}

// Nine even steps of the viridis map of S. van der Walt and N. Smith, 8 bit.
constexpr int viridis[9][3] = {{68, 1, 84},    {71, 45, 123}, {59, 82, 139},  {44, 114, 142}, {33, 145, 140},
                               {40, 174, 128}, {94, 201, 98}, {173, 220, 48}, {253, 231, 37}};

// The colour-blind safe colours of M. Okabe and K. Ito, yellow and black left out.
constexpr int palette[6][3] = {{86, 180, 233}, {230, 159, 0},   {0, 158, 115},
                               {213, 94, 0},   {204, 121, 167}, {0, 114, 178}};

double percentile(std::vector<double> values, double share) {
    const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), values.begin() + place, values.end());
    return values[static_cast<std::size_t>(place)];
}

// Values spread from `low` to `high` over the map; all the same give its middle. The darkest end of the map is left
// out: grains at rest should still show their shading.
std::vector<Colour> mapColours(const std::vector<double>& values, double low, double high) {
    constexpr double darkest = 0.15;
    std::vector<Colour> colours(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double share = high > low ? std::clamp((values[i] - low) / (high - low), 0.0, 1.0) : 0.5;
        colours[i] = mapColour(darkest + (1 - darkest) * share);
    }
    return colours;
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

Colour mapColour(double share) {
    const double place = 8 * (std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.0);
    const int k = std::min(7, static_cast<int>(place));
    const double part = place - k;
    // Between steps in display values, in which the map is even.
    const auto between = [&](int channel) {
        return toLinear(((1 - part) * viridis[k][channel] + part * viridis[k + 1][channel]) / 255);
    };
    return {between(0), between(1), between(2)};
}

Colour groupColour(std::size_t group) {
    // As they are, then paler, then darker.
    constexpr double kept[] = {1, 0.45, 0.5}, white[] = {0, 0.55, 0};
    const auto& c = palette[group % 6];
    const std::size_t round = group / 6 % 3;
    const auto channel = [&](int value) { return static_cast<int>(kept[round] * value + white[round] * 255); };
    return fromSrgb(channel(c[0]), channel(c[1]), channel(c[2]));
}

std::vector<Colour> grainColours(const WorldState& world, PictureColour by) {
    const Bodies& b = world.bodies;
    std::vector<Colour> colours(b.grainCount, fromSrgb(200, 204, 210));
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
    if (values.empty()) return colours;
    const auto [low, high] = std::minmax_element(values.begin(), values.end());
    const bool bySpeed = by == PictureColour::speed;
    const std::vector<Colour> mapped =
        mapColours(values, bySpeed ? 0 : *low, bySpeed ? percentile(values, 0.98) : *high);
    for (std::size_t k = 0; k < counted.size(); ++k) colours[counted[k]] = mapped[k];
    return colours;
}

}  // namespace talus
