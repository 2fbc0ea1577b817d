#include "grains/brightness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "talus/error.hpp"

namespace talus {
namespace {

constexpr std::size_t bins = 256;

Grid<double> greyOf(const PngImage& image) {
    Grid<double> grey(image.width, image.height);
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            double sum = 0;
            for (int c = 0; c < image.channels; ++c) sum += image.samples[image.at(x, y, c)];
            grey.at(x, y) = sum / image.channels / image.largest;
        }
    }
    return grey;
}

// Along rows, then along columns; the border is repeated outwards.
Grid<double> smoothed(const Grid<double>& grid, double width) {
    if (!(width > 0)) return grid;
    const int reach = static_cast<int>(std::ceil(4 * width));
    std::vector<double> weight;
    double sum = 0;
    for (int k = -reach; k <= reach; ++k) sum += weight.emplace_back(std::exp(-0.5 * k * k / (width * width)));
    const auto pass = [&](const Grid<double>& from, Step along) {
        Grid<double> to(from.width, from.height);
        for (int y = 0; y < from.height; ++y) {
            for (int x = 0; x < from.width; ++x) {
                double value = 0;
                for (int k = -reach; k <= reach; ++k) {
                    const int sx = std::clamp(x + k * along.x, 0, from.width - 1);
                    const int sy = std::clamp(y + k * along.y, 0, from.height - 1);
                    value += weight[static_cast<std::size_t>(k + reach)] * from.at(sx, sy);
                }
                to.at(x, y) = value / sum;
            }
        }
        return to;
    };
    return pass(pass(grid, {1, 0}), {0, 1});
}

// The split of the values between low and high that makes the means of both sides differ most.
double otsuThreshold(const std::vector<double>& values, double low, double high) {
    std::array<double, bins> count{};
    for (const double v : values) {
        count[std::min(bins - 1, static_cast<std::size_t>((v - low) / (high - low) * bins))] += 1;
    }
    double total = 0, sum = 0;
    for (std::size_t k = 0; k < bins; ++k) total += count[k], sum += count[k] * static_cast<double>(k);
    double below = 0, sumBelow = 0, best = -1;
    std::size_t split = 0;
    for (std::size_t k = 0; k + 1 < bins; ++k) {
        below += count[k];
        sumBelow += count[k] * static_cast<double>(k);
        if (below == 0 || below == total) continue;
        const double difference = sumBelow / below - (sum - sumBelow) / (total - below);
        const double between = below * (total - below) * difference * difference;
        if (between > best) best = between, split = k;
    }
    return low + (high - low) * static_cast<double>(split + 1) / bins;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double usualThreshold(const std::vector<double>& values, double low, double high) {
    const double split = otsuThreshold(values, low, high);
    std::vector<double> dark, bright;
    for (const double v : values) (v < split ? dark : bright).push_back(v);
    return dark.empty() || bright.empty() ? split : 0.5 * (median(dark) + median(bright));
}

// Grains are what most of the border is not.
bool grainsAreDark(const Brightness& b, const std::string& choice) {
    if (choice != "auto") return choice == "dark";
    int bright = 0, dark = 0;
    for (int y = 0; y < b.value.height; ++y) {
        for (int x = 0; x < b.value.width; ++x) {
            if (b.value.onBorder(x, y)) ++(b.value.at(x, y) > b.level ? bright : dark);
        }
    }
    return bright > dark;
}

std::uint64_t colourAt(const PngImage& image, int x, int y) {
    std::uint64_t colour = 0;
    for (int c = 0; c < image.channels; ++c) colour = colour << 16 | image.samples[image.at(x, y, c)];
    return colour;
}

std::uint64_t backgroundOf(const PngImage& image, const std::map<std::uint64_t, std::uint32_t>& colours) {
    if (colours.contains(0)) return 0;
    std::map<std::uint64_t, int> onBorder;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) {
            if (x == 0 || y == 0 || x == image.width - 1 || y == image.height - 1) ++onBorder[colourAt(image, x, y)];
        }
    }
    return std::max_element(onBorder.begin(), onBorder.end(), [](auto& a, auto& b) { return a.second < b.second; })
        ->first;
}

}  // namespace

Brightness findBrightness(const PngImage& image, const GrainImageOptions& options, const std::string& path) {
    Brightness b{.value = smoothed(greyOf(image), options.smoothing)};
    const auto [low, high] = std::minmax_element(b.value.values.begin(), b.value.values.end());
    if (*high - *low < 2.0 / 255) {
        throw InputError(
            fmt::format("{}: no contrast: all pixels are {:.3g} (0 black, 1 white); nothing to find", path, *low));
    }
    b.level = options.threshold ? *options.threshold : usualThreshold(b.value.values, *low, *high);
    if (!(b.level > *low && b.level < *high)) {
        throw InputError(
            fmt::format("--threshold: must be between the darkest and the brightest pixel of {}, {:.3g} and "
                        "{:.3g}, got {:g}",
                        path, *low, *high, b.level));
    }
    if (grainsAreDark(b, options.grains)) {
        for (double& v : b.value.values) v = 1 - v;
        b.level = 1 - b.level;
    }
    return b;
}

Grid<std::uint32_t> findLabels(const PngImage& image, const std::string& path) {
    std::map<std::uint64_t, std::uint32_t> colours;
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) colours.emplace(colourAt(image, x, y), 0);
    }
    const std::size_t pixels = image.samples.size() / static_cast<std::size_t>(image.channels);
    if (colours.size() > 2 && colours.size() > pixels / 20) {
        throw InputError(
            fmt::format("{}: {} colours in {} pixels are no labels of grains; for photographs use --kind grey", path,
                        colours.size(), pixels));
    }
    const std::uint64_t background = backgroundOf(image, colours);
    std::uint32_t next = 1;
    for (auto& [colour, label] : colours) label = colour == background ? 0 : next++;
    Grid<std::uint32_t> labels(image.width, image.height);
    for (int y = 0; y < image.height; ++y) {
        for (int x = 0; x < image.width; ++x) labels.at(x, y) = colours[colourAt(image, x, y)];
    }
    return labels;
}

std::string labelName(const PngImage& image, int x, int y) {
    if (image.channels == 1) return fmt::format("{}", image.samples[image.at(x, y)]);
    const int shift = image.largest == 255 ? 0 : 8;
    return fmt::format("#{:02x}{:02x}{:02x}", image.samples[image.at(x, y, 0)] >> shift,
                       image.samples[image.at(x, y, 1)] >> shift, image.samples[image.at(x, y, 2)] >> shift);
}

bool hasColours(const PngImage& image) {
    if (image.channels == 1) return false;
    for (std::size_t k = 0; k + 2 < image.samples.size(); k += 3) {
        if (image.samples[k] != image.samples[k + 1] || image.samples[k] != image.samples[k + 2]) return true;
    }
    return false;
}

}  // namespace talus
