#include "grains/touching.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace talus {
namespace {

constexpr double leastPeak = 2;           // pixels; flatter ones are noise of the outline
constexpr double leastShareOfPeak = 0.2;  // of the higher peak

// Squared distances in one row from those across it: the lower envelope of parabolas (P. Felzenszwalb, D. Huttenlocher,
// "Distance transforms of sampled functions", Theory of Computing 8, 2012).
void transformLine(std::vector<double>& f) {
    const std::size_t n = f.size();
    std::vector<std::size_t> top(n);
    std::vector<double> begin(n + 1);
    std::size_t k = 0;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    begin[0] = -infinity;
    begin[1] = infinity;
    const auto meet = [&](std::size_t q, std::size_t p) {
        const double a = static_cast<double>(q), b = static_cast<double>(p);
        return (f[q] + a * a - f[p] - b * b) / (2 * (a - b));
    };
    for (std::size_t q = 1; q < n; ++q) {
        double s = meet(q, top[k]);
        while (k > 0 && s <= begin[k]) s = meet(q, top[--k]);
        top[++k] = q;
        begin[k] = s;
        begin[k + 1] = infinity;
    }
    std::vector<double> result(n);
    k = 0;
    for (std::size_t q = 0; q < n; ++q) {
        while (begin[k + 1] < static_cast<double>(q)) ++k;
        const double away = static_cast<double>(q) - static_cast<double>(top[k]);
        result[q] = away * away + f[top[k]];
    }
    f = result;
}

// Basins around the peaks of the distance, joined where no neck is between them.
class Basins {
public:
    Basins(const Grid<std::uint32_t>& grain, double neck)
        : grain_(grain), distance_(distanceToBackground(grain)), neck_(neck), basin_(grain.width, grain.height, none) {}

    NeckSplit split() {
        // From the middle of the grains outwards; equal distances in the order of the image.
        std::vector<std::size_t> order;
        for (std::size_t k = 0; k < grain_.values.size(); ++k) {
            if (grain_.values[k] > 0) order.push_back(k);
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return distance_.values[a] > distance_.values[b]; });
        for (const std::size_t pixel : order) flood(pixel);
        return number();
    }

private:
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    std::uint32_t root(std::uint32_t basin) {
        while (parent_[basin] != basin) basin = parent_[basin] = parent_[parent_[basin]];
        return basin;
    }

    void flood(std::size_t pixel) {
        const int x = grain_.column(pixel), y = grain_.row(pixel);
        std::uint32_t here = none;
        double steepest = -1;
        for (const Step& step : stepsAround) {
            const int nx = x + step.x, ny = y + step.y;
            if (!grain_.holds(nx, ny) || grain_.at(nx, ny) != grain_.values[pixel] || basin_.at(nx, ny) == none)
                continue;
            const std::uint32_t there = root(basin_.at(nx, ny));
            if (here != none && there != here) join(here, there, distance_.values[pixel]);
            // A pixel belongs to the basin of its highest neighbour.
            if (distance_.at(nx, ny) > steepest) steepest = distance_.at(nx, ny), here = root(there);
            here = root(here);
        }
        if (here == none) {
            here = static_cast<std::uint32_t>(parent_.size());
            parent_.push_back(here);
            peak_.push_back(distance_.values[pixel]);
        }
        basin_.values[pixel] = here;
    }

    void join(std::uint32_t a, std::uint32_t b, double saddle) {
        const double low = std::min(peak_[a], peak_[b]), high = std::max(peak_[a], peak_[b]);
        const bool apart = saddle < neck_ * low && low >= leastPeak && low >= leastShareOfPeak * high;
        if (apart) return;
        const std::uint32_t higher = peak_[a] >= peak_[b] ? a : b;
        parent_[higher == a ? b : a] = higher;
    }

    NeckSplit number() {
        NeckSplit split{.grain = Grid<std::uint32_t>(grain_.width, grain_.height)};
        std::vector<std::uint32_t> numberOf(parent_.size(), 0);
        std::vector<std::uint32_t> parts;  // of each grain there was
        for (std::size_t k = 0; k < grain_.values.size(); ++k) {
            if (grain_.values[k] == 0) continue;
            std::uint32_t& number = numberOf[root(basin_.values[k])];
            if (number == 0) {
                split.before.push_back(grain_.values[k]);
                number = static_cast<std::uint32_t>(split.before.size());
                parts.resize(std::max<std::size_t>(parts.size(), grain_.values[k] + 1), 0);
                ++parts[grain_.values[k]];
            }
            split.grain.values[k] = number;
        }
        split.count =
            static_cast<std::uint32_t>(std::count_if(parts.begin(), parts.end(), [](auto n) { return n > 1; }));
        return split;
    }

    const Grid<std::uint32_t>& grain_;
    Grid<double> distance_;
    double neck_;
    Grid<std::uint32_t> basin_;
    std::vector<std::uint32_t> parent_;
    std::vector<double> peak_;  // pixels
};

}  // namespace

Grid<double> distanceToBackground(const Grid<std::uint32_t>& grain) {
    // A frame of background around the image.
    const int w = grain.width + 2, h = grain.height + 2;
    const double far = 4.0 * w * w + 4.0 * h * h;
    Grid<double> squared(w, h, 0.0);
    for (int y = 0; y < grain.height; ++y) {
        for (int x = 0; x < grain.width; ++x) squared.at(x + 1, y + 1) = grain.at(x, y) > 0 ? far : 0;
    }
    std::vector<double> line;
    for (int x = 0; x < w; ++x) {
        line.clear();
        for (int y = 0; y < h; ++y) line.push_back(squared.at(x, y));
        transformLine(line);
        for (int y = 0; y < h; ++y) squared.at(x, y) = line[static_cast<std::size_t>(y)];
    }
    Grid<double> distance(grain.width, grain.height);
    for (int y = 0; y < grain.height; ++y) {
        line.clear();
        for (int x = 0; x < w; ++x) line.push_back(squared.at(x, y + 1));
        transformLine(line);
        for (int x = 0; x < grain.width; ++x) distance.at(x, y) = std::sqrt(line[static_cast<std::size_t>(x) + 1]);
    }
    return distance;
}

NeckSplit splitAtNecks(const Grid<std::uint32_t>& grain, double neck) { return Basins(grain, neck).split(); }

}  // namespace talus
