// PNG images in and out, by libpng.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace talus {

// Samples as the file has them; palettes become colours, and transparency is dropped.
struct PngImage {
    int width = 0, height = 0;
    int channels = 1;                    // 1 grey, 3 red green blue
    int largest = 255;                   // of a sample: 255 or 65535
    std::vector<std::uint16_t> samples;  // row by row from the top
    std::size_t at(int x, int y, int channel = 0) const {
        return (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) *
                   static_cast<std::size_t>(channels) +
               static_cast<std::size_t>(channel);
    }
};

// Throws InputError if the file cannot be read, is no PNG image, is damaged, or has more than 16384 pixels a side or 64
// million in all.
PngImage readPng(const std::filesystem::path& file);

// From the bytes of a file; `name` is for messages.
PngImage decodePng(const std::string& bytes, const std::string& name);

// Red, green and blue of each pixel, and its opacity if there are four bytes for each, row by row from the top. Throws
// RunError if it cannot be written.
void writePng(const std::filesystem::path& file, int width, int height, std::span<const unsigned char> colours);

}  // namespace talus
