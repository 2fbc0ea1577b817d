#include "grains/trace.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace talus {
namespace {

struct Window {
    int left = std::numeric_limits<int>::max(), top = std::numeric_limits<int>::max(), right = -1, bottom = -1;
};

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

    // The longest way round; others go round grains or pores inside.
    std::vector<Vec2> outline() {
        std::vector<Vec2> best;
        double most = 0;
        for (std::size_t start = 0; start < next_.size(); ++start) {
            std::vector<Vec2> loop;
            for (std::size_t side = start; next_[side] != none;) {
                loop.push_back(crossing(side));
                const std::size_t after = next_[side];
                next_[side] = none;
                side = after;
            }
            if (loop.size() < 3) continue;
            const double area = areaOf(loop);
            if (area > most) most = area, best = std::move(loop);
        }
        return best;
    }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    bool inside(int x, int y) const {
        return s_.grain.holds(left_ + x, top_ + y) && s_.grain.at(left_ + x, top_ + y) == grain_;
    }

    // Brightness as far from the level, on the side of it where the pixel is.
    double value(int x, int y) const {
        const int ix = std::clamp(left_ + x, 0, s_.grain.width - 1), iy = std::clamp(top_ + y, 0, s_.grain.height - 1);
        const double away = std::abs(s_.brightness.at(ix, iy) - s_.level);
        return inside(x, y) ? away : -away;
    }

    // Sides of squares: 2 k from middle k to the one right of it, 2 k + 1 to the one below.
    std::size_t sideBetween(int x, int y, bool down) const {
        const std::size_t k =
            static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
        return 2 * k + (down ? 1 : 0);
    }

    Vec2 crossing(std::size_t side) const {
        const int x = static_cast<int>(side / 2 % static_cast<std::size_t>(width_));
        const int y = static_cast<int>(side / 2 / static_cast<std::size_t>(width_));
        const bool down = side % 2 == 1;
        const double here = value(x, y), there = down ? value(x, y + 1) : value(x + 1, y);
        const double gap = here - there, share = gap != 0 ? std::clamp(here / gap, 0.01, 0.99) : 0.5;
        const double px = left_ + x + 0.5 + (down ? 0 : share), py = top_ + y + 0.5 + (down ? share : 0);
        return {px, s_.grain.height - py};
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

std::vector<std::vector<Vec2>> traceOutlines(const Segmentation& s) {
    std::vector<Window> windows(s.names.size());
    for (int y = 0; y < s.grain.height; ++y) {
        for (int x = 0; x < s.grain.width; ++x) {
            if (s.grain.at(x, y) == 0) continue;
            Window& w = windows[s.grain.at(x, y) - 1];
            w = {std::min(w.left, x), std::min(w.top, y), std::max(w.right, x), std::max(w.bottom, y)};
        }
    }
    std::vector<std::vector<Vec2>> outlines;
    for (std::size_t k = 0; k < windows.size(); ++k) {
        outlines.push_back(Tracer(s, static_cast<std::uint32_t>(k + 1), windows[k]).outline());
    }
    return outlines;
}

}  // namespace talus
