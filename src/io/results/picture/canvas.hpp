// What a picture is drawn on: pixels that are clear until something covers them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "io/results/picture/colours.hpp"
#include "io/results/picture/stroke_font.hpp"

namespace talus {

// Linear light times opacity, and the opacity.
struct Pixel {
    Colour light;
    double opacity = 0;
};

struct Canvas {
    int width = 0, height = 0;
    std::vector<Pixel> pixels;

    std::size_t at(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

// How much of each pixel some lines cover: once, however many of them cross there.
class Cover {
public:
    explicit Cover(const Canvas& canvas)
        : width_(canvas.width), height_(canvas.height), share_(canvas.pixels.size(), 0) {}

    // opacityAt(pixel, t): of the line at the share t of its length.
    template <class OpacityAt>
    void addLine(const TextStroke& line, double lineWidth, OpacityAt opacityAt) {
        const int reach = static_cast<int>(std::ceil(0.5 * lineWidth));
        const int steps =
            static_cast<int>(std::clamp(std::ceil(std::hypot(line.toX - line.fromX, line.toY - line.fromY)), 1.0, 1e6));
        for (int k = 0; k <= steps; ++k) {
            const double t = static_cast<double>(k) / steps;
            const double cx = (1 - t) * line.fromX + t * line.toX, cy = (1 - t) * line.fromY + t * line.toY;
            if (cx < -reach || cy < -reach || cx > width_ + reach || cy > height_ + reach) continue;
            for (int y = static_cast<int>(cy) - reach; y <= static_cast<int>(cy) + reach; ++y) {
                for (int x = static_cast<int>(cx) - reach; x <= static_cast<int>(cx) + reach; ++x) {
                    if (x < 0 || y < 0 || x >= width_ || y >= height_) continue;
                    if (std::hypot(x + 0.5 - cx, y + 0.5 - cy) > 0.5 * lineWidth) continue;
                    const std::size_t pixel =
                        static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
                    share_[pixel] = std::max(share_[pixel], static_cast<float>(opacityAt(pixel, t)));
                }
            }
        }
    }

    void paint(Canvas& canvas, const Colour& ink) const;

private:
    int width_, height_;
    std::vector<float> share_;
};

void fillRectangle(Canvas& canvas, double left, double top, double right, double bottom, const Colour& colour);

// From the left end of its foot line.
void drawText(Canvas& canvas, double x, double y, std::string_view text, double capitalHeight, const Colour& ink);

// Each 2 x 2 pixels become one.
Canvas halve(const Canvas& canvas);

// Four bytes per pixel: red, green, blue (not times the opacity) and opacity. Three if there is a background: from
// white above to a bluish grey below.
enum class Background { clear, light };
std::vector<unsigned char> bytesOf(const Canvas& canvas, Background background);

}  // namespace talus
