// Knots of B-splines along one direction: their rules, and the Bezier points of a span.
//
// Curves and both directions of surfaces share them. Points may be of any type that can be added and scaled.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "geometry/nurbs/bezier_arc.hpp"

namespace talus {

// Throws InputError that begins with `path` if these are no knots of so many points of the degree.
void checkKnots(std::span<const double> knots, int degree, std::size_t points, std::string_view path);

// De Boor's scheme with a parameter of its own in each round. `points` are the degree + 1 that the span depends on;
// `span`: the knot before the span.
template <class Point>
Point blossom(std::array<Point, highestDegree + 1> points, std::span<const double> knots, std::size_t degree,
              std::size_t span, const std::array<double, highestDegree>& arguments) {
    for (std::size_t round = 1; round <= degree; ++round) {
        for (std::size_t k = degree; k >= round; --k) {
            const std::size_t i = span - degree + k;
            const double share = (arguments[round - 1] - knots[i]) / (knots[i + degree - round + 1] - knots[i]);
            points[k] = (1 - share) * points[k - 1] + share * points[k];
        }
    }
    return points[degree];
}

// The Bezier points of the span from knots[span] to knots[span + 1]: the blossom at a, ..., a, b, ..., b.
template <class Point>
std::array<Point, highestDegree + 1> bezierPoints(const std::array<Point, highestDegree + 1>& points,
                                                  std::span<const double> knots, std::size_t degree, std::size_t span) {
    std::array<Point, highestDegree + 1> result{};
    for (std::size_t k = 0; k <= degree; ++k) {
        std::array<double, highestDegree> arguments{};
        for (std::size_t j = 0; j < degree; ++j) arguments[j] = j < degree - k ? knots[span] : knots[span + 1];
        result[k] = blossom(points, knots, degree, span, arguments);
    }
    return result;
}

}  // namespace talus
