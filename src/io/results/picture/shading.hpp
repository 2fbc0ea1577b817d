// From what each pixel sees to its colour: background, light, ambient occlusion, lines.
//
// Ambient occlusion after M. McGuire, B. Osman, M. Bukowski, P. Hennessy, "The Alchemy screen-space ambient obscurance
// algorithm", HPG 2011: a pixel is darker the more of its surroundings in the depth buffer stand above its tangent
// plane.
#pragma once

#include <vector>

#include "io/results/picture/canvas.hpp"
#include "io/results/picture/depth_buffer.hpp"

namespace talus {

// One colour per grain. What nothing covers stays clear.
Canvas shade(const Camera& camera, const DepthBuffer& buffer, const EyeScene& scene,
             const std::vector<Colour>& colours);

// Lines in eye coordinates; width in pixels. Those that are hidden by something in front of them are left out, or
// show through.
enum class Hidden { leftOut, showsThrough };
void drawLines(Canvas& canvas, const Camera& camera, const DepthBuffer& buffer, const std::vector<Segment>& lines,
               double lineWidth, const Colour& ink, Hidden hidden = Hidden::leftOut);

}  // namespace talus
