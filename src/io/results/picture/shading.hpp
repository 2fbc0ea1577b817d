// From what each pixel sees to its colour: background, light, ambient occlusion, lines.
//
// Ambient occlusion after M. McGuire, B. Osman, M. Bukowski, P. Hennessy, "The Alchemy screen-space ambient obscurance
// algorithm", HPG 2011: a pixel is darker the more of its surroundings in the depth buffer stand above its tangent
// plane.
#pragma once

#include <vector>

#include "io/results/picture/colours.hpp"
#include "io/results/picture/depth_buffer.hpp"

namespace talus {

struct Canvas {
    int width = 0, height = 0;
    std::vector<Colour> pixels;
};

// One colour per grain.
Canvas shade(const Camera& camera, const DepthBuffer& buffer, const EyeScene& scene,
             const std::vector<Colour>& colours);

// Lines in eye coordinates, hidden where something is in front of them; width in pixels.
void drawLines(Canvas& canvas, const Camera& camera, const DepthBuffer& buffer, const std::vector<Segment>& lines,
               double lineWidth);

// Each 2 x 2 pixels become one.
Canvas halve(const Canvas& canvas);

}  // namespace talus
