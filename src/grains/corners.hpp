// Corners of outlines traced in an image.
//
// At a corner the outline turns sharply within a few pixels and hardly before and after; a small round grain turns as
// fast everywhere and has none.
#pragma once

#include <vector>

#include "grains/path.hpp"

namespace talus {

struct TracedCorner {
    double along = 0;  // length along the path
    Vec2 place;        // where the lines on both sides meet: pixels cut corners
};

// Rough edges are staircases of pixels: short parts of them turn by chance.
enum class Edge { smooth, rough };

std::vector<TracedCorner> findCorners(const ClosedPath& path, double leastAngle, Edge edge);

}  // namespace talus
