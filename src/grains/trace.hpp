// Outlines of grains in an image, to parts of a pixel: marching squares on the brightness.
//
// Corners of the squares are middles of pixels. On a side between a pixel of the grain and another one, the outline is
// where the brightness, taken as linear, crosses the level; towards another grain or the border of the image it is half
// way. Pixels that only share a corner are not joined.
//
// Smooth edges place the outline to a small part of a pixel. Hard ones, where all of the change is between two pixels,
// and cuts between grains say only that it is somewhere between the middles of those two.
#pragma once

#include <vector>

#include "grains/segment.hpp"
#include "talus/vec2.hpp"

namespace talus {

// Against the clock, in pixels: x to the right, y up from the lower left corner of the image.
struct TracedOutline {
    std::vector<Vec2> points;
    std::vector<double> unsure;  // how far from each point the outline may be: 0 where the edge is smooth
};

// One outline per grain.
std::vector<TracedOutline> traceOutlines(const Segmentation& s);

double areaOf(const std::vector<Vec2>& polygon);

}  // namespace talus
