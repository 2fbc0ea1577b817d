// Which pixels of an image belong to which grain.
//
// Grey images are split at a threshold: N. Otsu, "A threshold selection method from gray-level histograms", IEEE Trans.
// SMC 9, 1979, moved half way between the medians of the two classes, where a smooth edge crosses it in the middle.
// Labelled images have a value or colour per grain. Pixels that share a side are of one grain; holes are filled; grains
// that touch are told apart by the distance to the background: where two of its peaks meet at a saddle that is low for
// the smaller of them, there is a neck.
#pragma once

#include <string>
#include <vector>

#include "formats/png_file.hpp"
#include "grains/raster.hpp"
#include "talus/tools/grains.hpp"

namespace talus {

struct Segmentation {
    Grid<double> brightness;         // -, grains are above the level
    double level = 0.5;              // -
    Grid<std::uint32_t> grain;       // 0: none, else number of the grain
    std::vector<std::string> names;  // of grain k + 1
    bool isLabelled = false;         // borders between grains are those of the image, not cuts at necks
};

// `path` is for messages. Notes are added to the list.
Segmentation segment(const PngImage& image, const GrainImageOptions& options, const std::string& path,
                     std::vector<std::string>& notes);

}  // namespace talus
