#include "grains/trace.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace talus {
namespace {

constexpr double halfPixel = 0.5;
constexpr double straightCut = 2;       // pixels
constexpr std::size_t besideCut = 4;    // points
constexpr double leastHardness = 0.85;  // of hard edges, on average; those smoothed over one pixel have 0.75

// The outline of one grain within the window that holds it, with one pixel around.
class Tracer {
public:
    Tracer(const Segmentation& s, std::uint32_t grain, const Window& window)
        : s_(s),
          grain_(grain),
          left_(window.left - 1),
          top_(window.top - 1),
          width_(window.right - window.left + 3),
          height_(window.bottom - window.top + 3),
          next_(2 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_), none) {
        for (int y = 0; y + 1 < height_; ++y) {
            for (int x = 0; x + 1 < width_; ++x) linkSides(x, y);
        }
    }

    // The way round with the largest area.
    TracedOutline outline() {
        std::vector<Crossing> best;
        double most = 0;
        for (std::size_t start = 0; start < next_.size(); ++start) {
            std::vector<Crossing> loop;
            for (std::size_t side = start; next_[side] != none;) {
                loop.push_back(crossing(side));
                const std::size_t after = next_[side];
                next_[side] = none;
                side = after;
            }
            if (loop.size() < 3) continue;
            const double area = areaOf(placesOf(loop));
            if (area > most) most = area, best = std::move(loop);
        }
        if (!s_.isLabelled) straightenCuts(best);
        return {placesOf(best), unsureOf(best)};
    }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    // Where the outline goes from one pixel to the next.
    struct Crossing {
        Vec2 place;
        double hardness = 1;  // -, share of the edge's change of brightness that is between these two pixels
        bool isCut = false;   // not seen in the brightness: between grains, or at the border of the image
        std::uint32_t neighbour = 0;
    };

    static std::vector<Vec2> placesOf(const std::vector<Crossing>& loop) {
        std::vector<Vec2> places;
        for (const Crossing& c : loop) places.push_back(c.place);
        return places;
    }

    // One edge is hard or smooth as a whole: smooth ones have pixels by chance that are nearly full or nearly empty.
    // Beside a cut pixels are of both grains.
    static std::vector<double> unsureOf(const std::vector<Crossing>& loop) {
        double sum = 0, seen = 0;
        for (const Crossing& c : loop) {
            if (!c.isCut) sum += c.hardness, ++seen;
        }
        const bool hard = sum > leastHardness * seen;
        std::vector<double> unsure(loop.size(), hard ? halfPixel : 0);
        for (std::size_t k = 0; k < loop.size(); ++k) {
            if (!loop[k].isCut) continue;
            for (std::size_t j = 0; j <= 2 * besideCut; ++j) {
                unsure[(k + loop.size() * besideCut + j - besideCut) % loop.size()] = halfPixel;
            }
        }
        return unsure;
    }

    // Cuts at necks run from pixel to pixel as the distance to the background happens to go: where they are nearly
    // straight they become so, the same for both grains.
    static void straightenCuts(std::vector<Crossing>& loop) {
        const std::size_t n = loop.size();
        const auto at = [&](std::size_t k) -> Crossing& { return loop[k % n]; };
        const auto joined = [&](const Crossing& a, const Crossing& b) {
            return a.isCut && b.isCut && a.neighbour > 0 && a.neighbour == b.neighbour;
        };
        for (std::size_t first = 0; first < n; ++first) {
            if (joined(at(first + n - 1), at(first))) continue;
            std::size_t last = first;
            while (last < first + n && joined(at(last), at(last + 1))) ++last;
            const Vec2 from = at(first).place, along = at(last).place - from;
            bool straight = last > first + 1;
            for (std::size_t k = first; straight && k <= last; ++k) {
                straight = std::abs(cross(at(k).place - from, along)) <= straightCut * norm(along);
            }
            for (std::size_t k = first; straight && k <= last; ++k) {
                at(k).place = from + static_cast<double>(k - first) / static_cast<double>(last - first) * along;
            }
        }
    }

    std::uint32_t grainAt(int x, int y) const {
        return s_.grain.holds(left_ + x, top_ + y) ? s_.grain.at(left_ + x, top_ + y) : 0;
    }
    bool inside(int x, int y) const { return grainAt(x, y) == grain_; }

    // Brightness above the level; the border of the image is repeated outwards.
    double value(int x, int y) const {
        const int ix = std::clamp(left_ + x, 0, s_.grain.width - 1), iy = std::clamp(top_ + y, 0, s_.grain.height - 1);
        return s_.brightness.at(ix, iy) - s_.level;
    }

    // Sides of squares: 2 k from middle k to the one right of it, 2 k + 1 to the one below.
    std::size_t sideBetween(int x, int y, bool down) const {
        const std::size_t k =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
        return 2 * k + (down ? 1 : 0);
    }

    Crossing crossing(std::size_t side) const {
        const int x = static_cast<int>(side / 2 % static_cast<std::size_t>(width_));
        const int y = static_cast<int>(side / 2 / static_cast<std::size_t>(width_));
        const Step step = side % 2 == 1 ? Step{0, 1} : Step{1, 0};
        const double here = value(x, y), there = value(x + step.x, y + step.y);
        const bool isIn = inside(x, y);
        Crossing c{.isCut = isIn ? !(here > 0 && there <= 0) : !(there > 0 && here <= 0),
                   .neighbour = isIn ? grainAt(x + step.x, y + step.y) : grainAt(x, y)};
        const double share = c.isCut ? 0.5 : std::clamp(here / (here - there), 0.01, 0.99);
        c.place = {left_ + x + 0.5 + step.x * share, s_.grain.height - (top_ + y + 0.5 + step.y * share)};
        if (!c.isCut) c.hardness = hardnessOf(x, y, step, here, there);
        return c;
    }

    // With the next pixel on either side, if it is on the same side of the outline.
    double hardnessOf(int x, int y, Step step, double here, double there) const {
        const double before = value(x - step.x, y - step.y), after = value(x + 2 * step.x, y + 2 * step.y);
        double low = std::min(here, there), high = std::max(here, there);
        const double change = high - low;
        if ((before > 0) == (here > 0)) low = std::min(low, before), high = std::max(high, before);
        if ((after > 0) == (there > 0)) low = std::min(low, after), high = std::max(high, after);
        return change / (high - low);
    }

    // The four sides of the square against the clock; the outline leaves a square where the way round goes out of the
    // grain, and comes from where it last went in.
    void linkSides(int x, int y) {
        const std::array corner = {inside(x, y), inside(x, y + 1), inside(x + 1, y + 1), inside(x + 1, y)};
        const std::array side = {sideBetween(x, y, true), sideBetween(x, y + 1, false), sideBetween(x + 1, y, true),
                                 sideBetween(x, y, false)};
        for (std::size_t k = 0; k < 4; ++k) {
            if (!corner[k] || corner[(k + 1) % 4]) continue;
            std::size_t in = (k + 3) % 4;
            while (corner[in] || !corner[(in + 1) % 4]) in = (in + 3) % 4;
            next_[side[k]] = side[in];
        }
    }

    const Segmentation& s_;
    std::uint32_t grain_;
    int left_, top_, width_, height_;
    std::vector<std::size_t> next_;
};

}  // namespace

double areaOf(const std::vector<Vec2>& polygon) {
    double sum = 0;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        sum += 0.5 * cross(polygon[k] - polygon[0], polygon[(k + 1) % polygon.size()] - polygon[0]);
    }
    return sum;
}

std::vector<TracedOutline> traceOutlines(const Segmentation& s) {
    const std::vector<Window> windows = windowsOf(s.grain);
    std::vector<TracedOutline> outlines;
    for (std::size_t k = 0; k < windows.size(); ++k) {
        outlines.push_back(Tracer(s, static_cast<std::uint32_t>(k + 1), windows[k]).outline());
    }
    return outlines;
}

}  // namespace talus
