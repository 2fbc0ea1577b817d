// Closed curves that tests of outlines share: smooth and with corners, convex and not, of every degree.
#pragma once

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "geometry/nurbs/nurbs_curve.hpp"

namespace talus::test {

using std::numbers::pi;

// Four arcs of a quarter turn, exact.
inline NurbsDefinition circle(double radius, Vec2 centre = {}) {
    const double w = std::sqrt(0.5), r = radius;
    NurbsDefinition d{.degree = 2,
                      .points = {{r, 0}, {r, r}, {0, r}, {-r, r}, {-r, 0}, {-r, -r}, {0, -r}, {r, -r}, {r, 0}},
                      .weights = {1, w, 1, w, 1, w, 1, w, 1},
                      .knots = {0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 4}};
    return translated(d, centre);
}

inline NurbsDefinition ellipse(double a, double b) {
    NurbsDefinition d = circle(1);
    for (Vec2& p : d.points) p = {a * p.x, b * p.y};
    return d;
}

inline NurbsDefinition polygon(std::vector<Vec2> corners) {
    NurbsDefinition d{.degree = 1, .points = std::move(corners)};
    d.points.push_back(d.points.front());
    d.knots.push_back(0);
    for (std::size_t k = 0; k < d.points.size(); ++k) d.knots.push_back(static_cast<double>(k));
    d.knots.push_back(d.knots.back());
    return d;
}

inline NurbsDefinition square(double side) {
    const double h = 0.5 * side;
    return polygon({{-h, -h}, {h, -h}, {h, h}, {-h, h}});
}

// Periodic, through none of these points; every `multiplicity`-th knot is a new one.
inline NurbsDefinition roundTrip(int degree, const std::vector<Vec2>& points, std::size_t multiplicity = 1) {
    const std::size_t n = points.size(), p = static_cast<std::size_t>(degree);
    NurbsDefinition d{.degree = degree};
    for (std::size_t k = 0; k < n + p; ++k) d.points.push_back(points[k % n]);
    const double turn = static_cast<double>(n / multiplicity);
    for (std::size_t k = 0; k < n + 2 * p + 1; ++k) {
        d.knots.push_back(static_cast<double>(k % n / multiplicity) + turn * static_cast<double>(k / n));
    }
    return d;
}

// A wavy ring of control points.
inline std::vector<Vec2> ring(std::size_t count, double wave, int lobes, std::uint64_t seed) {
    Random random(seed, 0);
    std::vector<Vec2> points;
    for (std::size_t k = 0; k < count; ++k) {
        const double angle = 2 * pi * static_cast<double>(k) / static_cast<double>(count);
        const double radius = 1 + wave * std::cos(lobes * angle) + 0.1 * random.uniform();
        points.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    }
    return points;
}

struct NamedCurve {
    std::string name;
    NurbsDefinition definition;
};

inline std::vector<NamedCurve> manyCurves() {
    NurbsDefinition weighted = roundTrip(4, ring(12, 0.3, 4, 9));
    Random random(3, 1);
    for (std::size_t k = 0; k < weighted.points.size(); ++k) weighted.weights.push_back(random.uniform(0.3, 3));
    for (std::size_t k = 0; k < 4; ++k) weighted.weights[12 + k] = weighted.weights[k];
    return {
        {"circle", circle(1)},
        {"long ellipse", ellipse(2, 0.1)},
        {"square", square(1.5)},
        {"polygon", polygon(ring(11, 0.25, 3, 5))},
        {"quadratic star", roundTrip(2, ring(24, 0.4, 6, 6))},
        {"cubic pebble", roundTrip(3, ring(12, 0.3, 3, 1))},
        {"cubic with corners", roundTrip(3, ring(15, 0.3, 5, 4), 3)},
        {"bean", roundTrip(3, {{1, -0.5}, {1.2, 0.6}, {0.3, 0.9}, {0, 0.15}, {-0.3, 0.9}, {-1.2, 0.6}, {-1, -0.5}})},
        {"weighted quartic", weighted},
        {"quintic", roundTrip(5, ring(20, 0.3, 4, 3))}};
}

}  // namespace talus::test
