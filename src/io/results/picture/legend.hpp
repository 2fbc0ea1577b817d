// What is written beside a picture: what its colours mean, and when it was.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "io/results/picture/canvas.hpp"

namespace talus {

struct Legend {
    std::string title;  // of the colours; empty: they mean nothing
    ColourScale scale;
    std::vector<std::pair<double, std::string>> names;  // of categories
    std::string note;                                   // at the foot of the picture
};

// In letters that go with the size of the canvas.
void drawLegend(Canvas& canvas, const Legend& legend);

}  // namespace talus
