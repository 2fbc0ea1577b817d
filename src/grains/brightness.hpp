// From an image to values between 0 and 1 with the grains above a level, or to a label per pixel.
#pragma once

#include <optional>
#include <string>

#include "formats/png_file.hpp"
#include "grains/raster.hpp"
#include "talus/tools/grains.hpp"

namespace talus {

struct Brightness {
    Grid<double> value;
    double level = 0.5;
};

// Throws InputError without contrast.
Brightness findBrightness(const PngImage& image, const GrainImageOptions& options, const std::string& path);

// One number per pixel, 0 for the background: what is black, or what most of the border is if nothing is.
// Throws InputError if there are too many labels to mean grains.
Grid<std::uint32_t> findLabels(const PngImage& image, const std::string& path);

// "37" or "#ff8000".
std::string labelName(const PngImage& image, int x, int y);

// Whether a pixel has a colour that is not grey.
bool hasColours(const PngImage& image);

}  // namespace talus
