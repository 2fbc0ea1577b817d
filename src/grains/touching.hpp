// Grains that touch in an image, told apart at their necks.
#pragma once

#include "grains/raster.hpp"

namespace talus {

// Distance of each pixel of a grain to the nearest pixel of none, in pixels; 0 elsewhere. What is outside of the image
// is no grain.
Grid<double> distanceToBackground(const Grid<std::uint32_t>& grain);

// Numbers the grains anew, from 1, with those split that hang together by a neck: peaks of the distance to the
// background are parts of one grain if the saddle between them is no lower than `neck` times the lower peak. Returns
// how many were split, and the numbers of the grains they were before.
struct NeckSplit {
    Grid<std::uint32_t> grain;
    std::uint32_t count = 0;
    std::vector<std::uint32_t> before;  // of new grain k + 1
};
NeckSplit splitAtNecks(const Grid<std::uint32_t>& grain, double neck);

}  // namespace talus
