// Pictures of grains: fitted curves over their image, or grains side by side.
#include <algorithm>
#include <array>
#include <cmath>

#include "formats/png_file.hpp"
#include "geometry/nurbs/nurbs_curve.hpp"
#include "grains/raster.hpp"
#include "talus/tools/grains.hpp"

namespace talus {
namespace {

constexpr int usualWidth = 1200;   // pixels, about
constexpr int mostMagnified = 8;   // -, pixels of the picture for one of the image
constexpr double lineWidth = 2.2;  // pixels
constexpr std::size_t stepsPerArc = 24;

struct Ink {
    double red, green, blue;  // 0 to 255
};
constexpr Ink curveInk{214, 39, 40}, cornerInk{31, 119, 180}, textInk{20, 20, 20}, fillInk{222, 205, 170};

// Digits and # of 3 x 5 dots, one row after the other; enough to name grains.
constexpr std::array<const char*, 10> digits = {
    "111101101101111", "010110010010111", "111001111100111", "111001111001111", "101101111001001",
    "111100111001111", "111100111101111", "111001001001001", "111101111101111", "111101111001111"};

class Drawing {
public:
    Drawing(int width, int height, Ink ground) : pixels_(width, height, ground) {}

    int width() const { return pixels_.width; }
    int height() const { return pixels_.height; }
    void set(int x, int y, Ink ink) { pixels_.at(x, y) = ink; }

    // Covers each pixel once per line, so that the joints of its segments do not show.
    void line(const std::vector<Vec2>& places, Ink ink) {
        Grid<float> cover(width(), height(), 0);
        for (std::size_t k = 0; k < places.size(); ++k) {
            segment(places[k], places[(k + 1) % places.size()], cover);
        }
        for (std::size_t k = 0; k < cover.values.size(); ++k)
            blend(pixels_.values[k], ink, static_cast<double>(cover.values[k]));
    }

    void dot(const Vec2& place, double radius, Ink ink) {
        forEachNear(place, radius + 1, [&](int x, int y, double distance) {
            blend(pixels_.at(x, y), ink, std::clamp(radius + 0.5 - distance, 0.0, 1.0));
        });
    }

    // By rows: pixels whose middles are inside of the polygon.
    void fill(const std::vector<Vec2>& polygon, Ink ink) {
        for (int y = 0; y < height(); ++y) {
            std::vector<double> crossings;
            for (std::size_t k = 0; k < polygon.size(); ++k) {
                const Vec2 &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
                if ((a.y > y + 0.5) != (b.y > y + 0.5))
                    crossings.push_back(a.x + (y + 0.5 - a.y) * (b.x - a.x) / (b.y - a.y));
            }
            std::sort(crossings.begin(), crossings.end());
            for (std::size_t k = 0; k + 1 < crossings.size(); k += 2) {
                const int last = std::min(width() - 1, static_cast<int>(crossings[k + 1] - 0.5));
                for (int x = std::max(0, static_cast<int>(std::ceil(crossings[k] - 0.5))); x <= last; ++x)
                    set(x, y, ink);
            }
        }
    }

    void number(const Vec2& middle, std::size_t number, int size) {
        const std::string text = std::to_string(number);
        const int left = static_cast<int>(middle.x) - (4 * static_cast<int>(text.size()) - 1) * size / 2;
        const int top = static_cast<int>(middle.y) - 5 * size / 2;
        for (std::size_t k = 0; k < text.size(); ++k) {
            const char* dots = digits[static_cast<std::size_t>(text[k] - '0')];
            for (int j = 0; j < 15 * size * size; ++j) {
                const int x = j % (3 * size), y = j / (3 * size);
                if (dots[y / size * 3 + x / size] != '1') continue;
                const int px = left + 4 * size * static_cast<int>(k) + x, py = top + y;
                if (pixels_.holds(px, py)) set(px, py, textInk);
            }
        }
    }

    void write(const std::filesystem::path& file) const {
        std::vector<unsigned char> bytes;
        for (const Ink& p : pixels_.values) {
            for (const double c : {p.red, p.green, p.blue})
                bytes.push_back(static_cast<unsigned char>(std::clamp(c, 0.0, 255.0)));
        }
        writePng(file, width(), height(), bytes);
    }

private:
    static void blend(Ink& under, Ink over, double share) {
        under = {under.red + share * (over.red - under.red), under.green + share * (over.green - under.green),
                 under.blue + share * (over.blue - under.blue)};
    }

    template <class Function>
    void forEachNear(const Vec2& place, double reach, Function&& function) const {
        const int left = std::max(0, static_cast<int>(place.x - reach)),
                  top = std::max(0, static_cast<int>(place.y - reach));
        const int right = std::min(width() - 1, static_cast<int>(place.x + reach));
        const int bottom = std::min(height() - 1, static_cast<int>(place.y + reach));
        for (int y = top; y <= bottom; ++y) {
            for (int x = left; x <= right; ++x) function(x, y, norm(Vec2{x + 0.5, y + 0.5} - place));
        }
    }

    void segment(const Vec2& a, const Vec2& b, Grid<float>& cover) const {
        const Vec2 middle = 0.5 * (a + b);
        forEachNear(middle, 0.5 * norm(b - a) + lineWidth, [&](int x, int y, double) {
            const double distance = distanceToSegment({x + 0.5, y + 0.5}, a, b);
            const double share = std::clamp(0.5 * lineWidth + 0.5 - distance, 0.0, 1.0);
            cover.at(x, y) = std::max(cover.at(x, y), static_cast<float>(share));
        });
    }

    Grid<Ink> pixels_;
};

// From metres to pixels of a picture, whose rows go down.
struct View {
    double scale = 1;  // pixels per metre
    Vec2 origin;       // pixels, where (0, 0) is
    Vec2 operator()(const Vec2& p) const { return {origin.x + scale * p.x, origin.y - scale * p.y}; }
};

std::vector<Vec2> seenBy(const View& view, const NurbsCurve& curve) {
    std::vector<Vec2> places;
    for (const BezierArc& arc : curve.arcs()) {
        for (std::size_t k = 0; k < stepsPerArc; ++k) {
            places.push_back(view(positionAt(arc, static_cast<double>(k) / stepsPerArc)));
        }
    }
    return places;
}

void drawOutline(Drawing& drawing, const View& view, const Grain& grain, std::size_t number, int digitSize) {
    const NurbsCurve curve(translated(grain.outline, grain.position));
    drawing.line(seenBy(view, curve), curveInk);
    for (const double corner : corners(curve)) drawing.dot(view(curve.at(corner)), 4, cornerInk);
    drawing.number(view(grain.position), number, digitSize);
}

// The image, paler, each pixel a square.
Drawing magnified(const PngImage& image, int factor) {
    Drawing drawing(image.width * factor, image.height * factor, {255, 255, 255});
    const auto pale = [&](int x, int y, int channel) {
        const double value = image.samples[image.at(x, y, image.channels == 3 ? channel : 0)];
        return 90 + 165 * value / image.largest;
    };
    for (int y = 0; y < drawing.height(); ++y) {
        for (int x = 0; x < drawing.width(); ++x) {
            const int ix = x / factor, iy = y / factor;
            drawing.set(x, y, {pale(ix, iy, 0), pale(ix, iy, 1), pale(ix, iy, 2)});
        }
    }
    return drawing;
}

}  // namespace

void drawGrainsOverImage(const std::filesystem::path& picture, const GrainSet& set, const std::filesystem::path& image,
                         double scale) {
    const PngImage pixels = readPng(image);
    const int factor = std::clamp(usualWidth / std::max(pixels.width, pixels.height), 1, mostMagnified);
    Drawing drawing = magnified(pixels, factor);
    const View view{factor / scale, {0, static_cast<double>(drawing.height())}};
    for (std::size_t k = 0; k < set.grains.size(); ++k) drawOutline(drawing, view, set.grains[k], k + 1, 3);
    drawing.write(picture);
}

void drawGrains(const std::filesystem::path& picture, const GrainSet& set) {
    // As many columns as rows, each cell as large as the largest grain.
    double largest = 0;
    for (const Grain& g : set.grains) largest = std::max(largest, 2 * g.measures.circumscribedRadius);
    const int columns = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(set.grains.size()))));
    const int rows = (static_cast<int>(set.grains.size()) + columns - 1) / columns;
    const int cell = std::max(24, std::min(300, usualWidth / columns));
    Drawing drawing(columns * cell, rows * cell, {255, 255, 255});
    for (std::size_t k = 0; k < set.grains.size(); ++k) {
        const int column = static_cast<int>(k) % columns, row = static_cast<int>(k) / columns;
        const View view{0.8 * cell / largest, {(column + 0.5) * cell, (row + 0.5) * cell}};
        Grain grain = set.grains[k];
        grain.position = {};
        drawing.fill(seenBy(view, NurbsCurve(grain.outline)), fillInk);
        drawOutline(drawing, view, grain, k + 1, cell > 100 ? 3 : 1);
    }
    drawing.write(picture);
}

}  // namespace talus
