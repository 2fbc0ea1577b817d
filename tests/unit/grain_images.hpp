// Images of grains that tests draw: any figure, with smooth edges, noise and labels.
#pragma once

#include <png.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <vector>

#include "base/random.hpp"
#include "talus/vec2.hpp"

namespace talus::test {

using Figure = std::function<bool(const Vec2&)>;  // whether a place in pixels, y up, is inside

inline Figure disc(Vec2 centre, double radius) {
    return [=](const Vec2& p) { return norm(p - centre) < radius; };
}
inline Figure ellipseFigure(Vec2 centre, double a, double b) {
    return [=](const Vec2& p) { return std::hypot((p.x - centre.x) / a, (p.y - centre.y) / b) < 1; };
}
inline Figure polygonFigure(std::vector<Vec2> corners) {
    return [=](const Vec2& p) {
        bool inside = false;
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Vec2 &a = corners[k], &b = corners[(k + 1) % corners.size()];
            if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) inside = !inside;
        }
        return inside;
    };
}
// Two lobes with a waist.
inline Figure bean(Vec2 centre, double size) {
    return [=](const Vec2& p) {
        const Vec2 d = p - centre;
        return norm(d) < size * (1 + 0.45 * std::cos(2 * std::atan2(d.y, d.x)));
    };
}
inline Figure star(Vec2 centre, double outer, double inner, int tips) {
    std::vector<Vec2> corners;
    for (int k = 0; k < 2 * tips; ++k) {
        const double angle = 0.3 + M_PI * k / tips, radius = k % 2 == 0 ? outer : inner;
        corners.push_back(centre + radius * Vec2{std::cos(angle), std::sin(angle)});
    }
    return polygonFigure(corners);
}
// The band of this half width about r = pitch * angle, two and a half times round.
inline Figure spiral(Vec2 centre, double pitch, double halfWidth) {
    std::vector<Vec2> middle;
    for (double angle = 0.5; angle < 5 * M_PI; angle += 0.02) {
        middle.push_back(centre + pitch * angle * Vec2{std::cos(angle), std::sin(angle)});
    }
    return [=](const Vec2& p) {
        for (const Vec2& m : middle) {
            if (norm(p - m) < halfWidth) return true;
        }
        return false;
    };
}
inline Figure either(Figure a, Figure b) {
    return [=](const Vec2& p) { return a(p) || b(p); };
}
inline Figure without(Figure a, Figure b) {
    return [=](const Vec2& p) { return a(p) && !b(p); };
}

struct ImageSettings {
    int width = 100, height = 100;
    int subpixels = 8;  // 1: hard edges
    double ground = 30, grain = 220, noise = 0;
};

// Grey, 8 bits.
inline std::vector<std::uint16_t> drawGrey(const Figure& figure, const ImageSettings& s = {}) {
    Random random(11, 0);
    std::vector<std::uint16_t> pixels;
    for (int y = 0; y < s.height; ++y) {
        for (int x = 0; x < s.width; ++x) {
            double share = 0;
            for (int k = 0; k < s.subpixels * s.subpixels; ++k) {
                const double px = x + (k % s.subpixels + 0.5) / s.subpixels,
                             py = y + (k / s.subpixels + 0.5) / s.subpixels;
                share += figure({px, s.height - py}) ? 1.0 / (s.subpixels * s.subpixels) : 0.0;
            }
            const double value =
                s.ground + share * (s.grain - s.ground) + (s.noise > 0 ? s.noise * random.normal() : 0);
            pixels.push_back(static_cast<std::uint16_t>(std::lround(std::min(255.0, std::max(0.0, value)))));
        }
    }
    return pixels;
}

// A PNG file of 1 or 3 channels with 8 or 16 bits.
inline void savePng(const std::filesystem::path& file, int width, int height, int channels, int bits,
                    const std::vector<std::uint16_t>& samples) {
    std::FILE* out = std::fopen(file.c_str(), "wb");
    if (out == nullptr) throw std::runtime_error("cannot write " + file.string());
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, out);
    png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), bits,
                 channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    const std::size_t perRow = static_cast<std::size_t>(width) * static_cast<std::size_t>(channels);
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
        std::vector<unsigned char> row;
        for (std::size_t k = 0; k < perRow; ++k) {
            const std::uint16_t sample = samples[y * perRow + k];
            if (bits == 16) row.push_back(static_cast<unsigned char>(sample >> 8));
            row.push_back(static_cast<unsigned char>(sample & 0xFF));
        }
        png_write_row(png, row.data());
    }
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    std::fclose(out);
}

inline void saveGrey(const std::filesystem::path& file, const Figure& figure, const ImageSettings& s = {}) {
    savePng(file, s.width, s.height, 1, 8, drawGrey(figure, s));
}

}  // namespace talus::test
