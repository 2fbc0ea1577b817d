// Non-uniform rational B-splines as they are written down.
//
//   C(u) = sum_i N_i(u) w_i P_i / sum_i N_i(u) w_i
//
// with the basis functions N_i of the degree over the knots. An outline is closed and runs against the clock. Two ways
// of closing are known: the first and the last knot repeated degree + 1 times and the first point given again as the
// last (clamped), or the first `degree` points given again at the end with knots that repeat after one turn (periodic).
// The curve is for u from knots[degree] to knots[points.size()]. A knot repeated `degree` times makes a corner.
#pragma once

#include <vector>

#include "talus/vec2.hpp"

namespace talus {

struct NurbsDefinition {
    int degree = 3;               // 1 (polygon) to 5
    std::vector<Vec2> points;     // m, control points
    std::vector<double> weights;  // -, > 0, one per point; empty: all 1
    std::vector<double> knots;    // -, never decreasing, points.size() + degree + 1 of them
};

}  // namespace talus
