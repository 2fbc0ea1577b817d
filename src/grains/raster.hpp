// Values on the pixels of an image.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace talus {

template <class Value>
struct Grid {
    int width = 0, height = 0;
    std::vector<Value> values;  // row by row from the top

    Grid() = default;
    Grid(int w, int h, Value value = {})
        : width(w), height(h), values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h), value) {}

    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
    int column(std::size_t index) const { return static_cast<int>(index % static_cast<std::size_t>(width)); }
    int row(std::size_t index) const { return static_cast<int>(index / static_cast<std::size_t>(width)); }
    Value& at(int x, int y) { return values[index(x, y)]; }
    const Value& at(int x, int y) const { return values[index(x, y)]; }
    bool holds(int x, int y) const { return x >= 0 && y >= 0 && x < width && y < height; }
    bool onBorder(int x, int y) const { return x == 0 || y == 0 || x == width - 1 || y == height - 1; }
};

// The pixels around one: the first four share a side with it, the others a corner.
struct Step {
    int x, y;
};
inline constexpr Step stepsAround[8] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, 1}, {1, -1}, {-1, -1}};

// The smallest rectangle of pixels that holds something.
struct Window {
    int left = std::numeric_limits<int>::max(), top = std::numeric_limits<int>::max(), right = -1, bottom = -1;
};

// One window for each label from 1 to the largest.
inline std::vector<Window> windowsOf(const Grid<std::uint32_t>& labels) {
    std::vector<Window> windows;
    for (int y = 0; y < labels.height; ++y) {
        for (int x = 0; x < labels.width; ++x) {
            const std::uint32_t label = labels.at(x, y);
            if (label == 0) continue;
            if (label > windows.size()) windows.resize(label);
            Window& w = windows[label - 1];
            w = {std::min(w.left, x), std::min(w.top, y), std::max(w.right, x), std::max(w.bottom, y)};
        }
    }
    return windows;
}

}  // namespace talus
