#include "io/results/picture/canvas.hpp"

#include <array>

namespace talus {
namespace {

// On top of what is there.
void lay(Pixel& pixel, const Colour& colour, double opacity) {
    pixel.light = (1 - opacity) * pixel.light + opacity * colour;
    pixel.opacity = (1 - opacity) * pixel.opacity + opacity;
}

Colour backgroundAt(double share) {
    const Colour top = fromSrgb(252, 253, 254), bottom = fromSrgb(226, 231, 237);
    return (1 - share) * top + share * bottom;
}

}  // namespace

void Cover::paint(Canvas& canvas, const Colour& ink) const {
    for (std::size_t k = 0; k < share_.size(); ++k) {
        if (share_[k] > 0) lay(canvas.pixels[k], ink, static_cast<double>(share_[k]));
    }
}

void fillRectangle(Canvas& canvas, double left, double top, double right, double bottom, const Colour& colour) {
    const auto pixel = [](double place, int limit) {
        return static_cast<int>(std::clamp(std::round(place), 0.0, static_cast<double>(limit)));
    };
    for (int y = pixel(top, canvas.height); y < pixel(bottom, canvas.height); ++y) {
        for (int x = pixel(left, canvas.width); x < pixel(right, canvas.width); ++x)
            lay(canvas.pixels[canvas.at(x, y)], colour, 1);
    }
}

void drawText(Canvas& canvas, double x, double y, std::string_view text, double capitalHeight, const Colour& ink) {
    Cover cover(canvas);
    for (TextStroke stroke : strokesOf(text, capitalHeight)) {
        stroke = {x + stroke.fromX, y + stroke.fromY, x + stroke.toX, y + stroke.toY};
        cover.addLine(stroke, std::max(1.0, 0.13 * capitalHeight), [](std::size_t, double) { return 1.0; });
    }
    cover.paint(canvas, ink);
}

Canvas halve(const Canvas& canvas) {
    Canvas half{canvas.width / 2, canvas.height / 2, {}};
    half.pixels.resize(static_cast<std::size_t>(half.width) * static_cast<std::size_t>(half.height));
    for (int y = 0; y < half.height; ++y) {
        for (int x = 0; x < half.width; ++x) {
            Pixel& sum = half.pixels[half.at(x, y)];
            for (const std::array<int, 2>& d : {std::array{0, 0}, {1, 0}, {0, 1}, {1, 1}}) {
                const Pixel& pixel = canvas.pixels[canvas.at(2 * x + d[0], 2 * y + d[1])];
                sum.light += 0.25 * pixel.light;
                sum.opacity += 0.25 * pixel.opacity;
            }
        }
    }
    return half;
}

std::vector<unsigned char> bytesOf(const Canvas& canvas, Background background) {
    std::vector<unsigned char> bytes;
    bytes.reserve(4 * canvas.pixels.size());
    for (int y = 0; y < canvas.height; ++y) {
        const Colour behind = backgroundAt((y + 0.5) / canvas.height);
        for (int x = 0; x < canvas.width; ++x) {
            const Pixel& pixel = canvas.pixels[canvas.at(x, y)];
            const bool isClear = background == Background::clear;
            const Colour colour = !isClear            ? pixel.light + (1 - pixel.opacity) * behind
                                  : pixel.opacity > 0 ? (1 / pixel.opacity) * pixel.light
                                                      : Colour{};
            for (const unsigned char channel : toSrgb(colour)) bytes.push_back(channel);
            if (isClear) bytes.push_back(static_cast<unsigned char>(std::lround(255 * std::min(1.0, pixel.opacity))));
        }
    }
    return bytes;
}

}  // namespace talus
