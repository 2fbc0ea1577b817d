#include "grains/segment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "grains/brightness.hpp"
#include "grains/touching.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr int fewestPixels = 8;  // a side

using Labels = Grid<std::uint32_t>;

// Pixels of one label that hang together.
struct Patch {
    std::uint32_t label = 0;
    std::vector<std::size_t> pixels;
    bool onBorder = false;
};

// All patches in the order of the image; neighbours are the first `neighbours` of stepsAround.
std::vector<Patch> patchesOf(const Labels& labels, int neighbours, bool ofBackground) {
    std::vector<Patch> patches;
    Grid<char> seen(labels.width, labels.height, 0);
    for (std::size_t start = 0; start < labels.values.size(); ++start) {
        if (seen.values[start] || (labels.values[start] == 0) != ofBackground) continue;
        Patch patch{.label = labels.values[start], .pixels = {start}};
        seen.values[start] = 1;
        for (std::size_t next = 0; next < patch.pixels.size(); ++next) {
            const int x = labels.column(patch.pixels[next]), y = labels.row(patch.pixels[next]);
            patch.onBorder = patch.onBorder || labels.onBorder(x, y);
            for (int k = 0; k < neighbours; ++k) {
                const int nx = x + stepsAround[k].x, ny = y + stepsAround[k].y;
                if (!labels.holds(nx, ny) || labels.at(nx, ny) != patch.label || seen.at(nx, ny)) continue;
                seen.at(nx, ny) = 1;
                patch.pixels.push_back(labels.index(nx, ny));
            }
        }
        patches.push_back(std::move(patch));
    }
    return patches;
}

void erase(Labels& labels, const Patch& patch, std::uint32_t label) {
    for (const std::size_t pixel : patch.pixels) labels.values[pixel] = label;
}

void dropNoise(Labels& labels, double smallest, std::vector<std::string>& notes) {
    std::size_t dropped = 0;
    for (const Patch& patch : patchesOf(labels, 4, false)) {
        if (static_cast<double>(patch.pixels.size()) >= smallest) continue;
        erase(labels, patch, 0);
        ++dropped;
    }
    if (dropped > 0)
        notes.push_back(fmt::format("{} specks smaller than {:g} pixels left out (--min-area)", dropped, smallest));
}

// The grain around a patch of background, or 0 if there are several.
std::uint32_t grainAround(const Labels& labels, const Patch& hole) {
    std::set<std::uint32_t> around;
    for (const std::size_t pixel : hole.pixels) {
        for (const Step& step : stepsAround) {
            const int x = labels.column(pixel) + step.x, y = labels.row(pixel) + step.y;
            if (labels.holds(x, y) && labels.at(x, y) > 0) around.insert(labels.at(x, y));
        }
    }
    return around.size() == 1 ? *around.begin() : 0;
}

// Specks of background inside are noise.
void fillSpecks(Labels& labels, double smallest, std::vector<std::string>& notes) {
    std::size_t filled = 0;
    for (const Patch& hole : patchesOf(labels, 8, true)) {
        if (hole.onBorder || static_cast<double>(hole.pixels.size()) >= smallest) continue;
        const std::uint32_t grain = grainAround(labels, hole);
        erase(labels, hole, grain);
        filled += grain > 0 ? 1 : 0;
    }
    if (filled > 0) notes.push_back(fmt::format("{} specks inside of grains filled (--min-area)", filled));
}

// What one grain encloses all around, with the pixels of other grains that lie in it.
std::vector<Patch> holesOf(const Labels& labels, std::uint32_t grain, const Window& w) {
    if (w.right < 0) return {};
    // 1 where the grain is not, within its window.
    Labels others(w.right - w.left + 1, w.bottom - w.top + 1);
    for (std::size_t k = 0; k < others.values.size(); ++k) {
        others.values[k] = labels.at(w.left + others.column(k), w.top + others.row(k)) == grain ? 0 : 1;
    }
    std::vector<Patch> holes;
    for (Patch& patch : patchesOf(others, 8, false)) {
        if (patch.onBorder) continue;
        for (std::size_t& pixel : patch.pixels) {
            pixel = labels.index(w.left + others.column(pixel), w.top + others.row(pixel));
        }
        holes.push_back(std::move(patch));
    }
    return holes;
}

// After grains that touch are told apart: what several of them enclose is no hole.
void fillHoles(Labels& labels, const GrainImageOptions& options, const std::string& path,
               std::vector<std::string>& notes) {
    std::size_t filled = 0, pixels = 0;
    std::set<std::uint32_t> swallowed;
    const std::vector<Window> windows = windowsOf(labels);
    for (std::size_t k = 0; k < windows.size(); ++k) {
        const auto grain = static_cast<std::uint32_t>(k + 1);
        for (const Patch& hole : holesOf(labels, grain, windows[k])) {
            std::set<std::uint32_t> within;
            for (const std::size_t pixel : hole.pixels) within.insert(labels.values[pixel]);
            within.erase(0);
            if (options.holes == "refuse") {
                throw InputError(fmt::format(
                    "{}: a grain has a hole of {} pixels at column {}, row {}{}; grains are solid: --holes fill closes "
                    "it",
                    path, hole.pixels.size(), labels.column(hole.pixels[0]), labels.row(hole.pixels[0]),
                    within.empty() ? "" : fmt::format(", with {} other grains in it", within.size())));
            }
            erase(labels, hole, grain);
            ++filled;
            pixels += hole.pixels.size();
            swallowed.merge(within);
        }
    }
    if (filled == 0) return;
    notes.push_back(fmt::format("{} holes filled, {} pixels in all{} (--holes)", filled, pixels,
                                swallowed.empty() ? "" : fmt::format(", with {} grains in them", swallowed.size())));
}

// Patches of the same label that do not hang together get labels of their own.
void separate(Labels& labels) {
    std::uint32_t count = 0;
    for (const Patch& patch : patchesOf(labels, 4, false)) erase(labels, patch, ++count);
}

void splitTouching(Labels& labels, const GrainImageOptions& options, const std::string& path,
                   std::vector<std::string>& notes) {
    if (options.touching == "keep") return;
    NeckSplit split = splitAtNecks(labels, options.neck);
    if (split.count == 0) return;
    if (options.touching == "refuse") {
        throw InputError(
            fmt::format("{}: in {} places grains touch, or one has a neck; --touching split cuts there, "
                        "--touching keep takes them for one",
                        path, split.count));
    }
    notes.push_back(fmt::format("{} patches cut at necks, as grains that touch (--touching, --neck)", split.count));
    labels = std::move(split.grain);
}

void treatBorder(Labels& labels, const GrainImageOptions& options, const std::string& path,
                 std::vector<std::string>& notes) {
    if (options.border == "keep") return;
    std::size_t dropped = 0;
    for (const Patch& patch : patchesOf(labels, 4, false)) {
        if (!patch.onBorder) continue;
        if (options.border == "refuse") {
            throw InputError(
                fmt::format("{}: the border cuts a grain at column {}, row {}; --border drop leaves it out, "
                            "--border keep closes it along the border",
                            path, labels.column(patch.pixels[0]), labels.row(patch.pixels[0])));
        }
        erase(labels, patch, 0);
        ++dropped;
    }
    if (dropped > 0) notes.push_back(fmt::format("{} grains cut by the border left out (--border)", dropped));
}

// Each patch a grain of its own, numbered in the order of the image.
void numberGrains(Segmentation& s, const std::vector<std::string>& labelNames) {
    std::map<std::string, int> used;
    Labels numbered(s.grain.width, s.grain.height);
    std::uint32_t count = 0;
    for (const Patch& patch : patchesOf(s.grain, 4, false)) {
        erase(numbered, patch, ++count);
        if (labelNames.empty()) {
            s.names.push_back(fmt::format("grain-{}", count));
            continue;
        }
        const std::string& name = labelNames[patch.label];
        const int times = ++used[name];
        s.names.push_back(times == 1 ? name : fmt::format("{}-{}", name, times));
    }
    s.grain = std::move(numbered);
}

std::vector<std::string> namesOfLabels(const PngImage& image, const Labels& labels) {
    std::vector<std::string> names;
    for (int y = 0; y < labels.height; ++y) {
        for (int x = 0; x < labels.width; ++x) {
            const std::uint32_t label = labels.at(x, y);
            if (label >= names.size()) names.resize(label + 1);
            if (names[label].empty()) names[label] = labelName(image, x, y);
        }
    }
    return names;
}

}  // namespace

Segmentation segment(const PngImage& image, const GrainImageOptions& options, const std::string& path,
                     std::vector<std::string>& notes) {
    if (image.width < fewestPixels || image.height < fewestPixels) {
        throw InputError(fmt::format("{}: {} x {} pixels are too few; at least {} each way", path, image.width,
                                     image.height, fewestPixels));
    }
    Segmentation s;
    std::vector<std::string> labelNames;
    s.isLabelled = options.kind == "labels" || (options.kind == "auto" && hasColours(image));
    if (s.isLabelled) {
        s.grain = findLabels(image, path);
        labelNames = namesOfLabels(image, s.grain);
        s.brightness = Grid<double>(image.width, image.height);
        for (std::size_t k = 0; k < s.grain.values.size(); ++k) s.brightness.values[k] = s.grain.values[k] > 0 ? 1 : 0;
    } else {
        Brightness found = findBrightness(image, options, path);
        s.brightness = std::move(found.value);
        s.level = found.level;
        s.grain = Labels(image.width, image.height);
        for (std::size_t k = 0; k < s.grain.values.size(); ++k)
            s.grain.values[k] = s.brightness.values[k] > s.level ? 1 : 0;
    }
    dropNoise(s.grain, options.smallestArea, notes);
    fillSpecks(s.grain, options.smallestArea, notes);
    if (!s.isLabelled) {
        separate(s.grain);
        splitTouching(s.grain, options, path, notes);
    }
    fillHoles(s.grain, options, path, notes);
    treatBorder(s.grain, options, path, notes);
    numberGrains(s, labelNames);
    if (s.names.empty()) {
        throw InputError(
            fmt::format("{}: no grain found{}{}", path, notes.empty() ? "" : ": ", fmt::join(notes, "; ")));
    }
    return s;
}

}  // namespace talus
