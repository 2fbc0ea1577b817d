// Outlines of grains in an image, to parts of a pixel: marching squares on the brightness.
//
// Corners of the squares are middles of pixels. On a side between a pixel of the grain and another one, the outline is
// where the brightness, taken as linear, crosses the level; towards another grain, a hole that was filled or the border
// of the image it is half way. Pixels that only share a corner are not joined.
#pragma once

#include <vector>

#include "grains/segment.hpp"
#include "talus/vec2.hpp"

namespace talus {

// Of each grain, against the clock, in pixels: x to the right, y up from the lower left corner of the image.
std::vector<std::vector<Vec2>> traceOutlines(const Segmentation& s);

double areaOf(const std::vector<Vec2>& polygon);

}  // namespace talus
