// Letters as strokes, for the legends of pictures: Hershey's simplex, of any size. Letters beyond ASCII become '?'.
#pragma once

#include <string_view>
#include <vector>

namespace talus {

// A straight piece of a letter, in pixels from the left end of the foot line, y down.
struct TextStroke {
    double fromX = 0, fromY = 0, toX = 0, toY = 0;
};
// capitalHeight in pixels.
std::vector<TextStroke> strokesOf(std::string_view text, double capitalHeight);
double widthOf(std::string_view text, double capitalHeight);

}  // namespace talus
