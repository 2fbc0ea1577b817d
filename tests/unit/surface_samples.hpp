// Surfaces that the tests of NURBS bodies share.
#pragma once

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "geometry/nurbs/nurbs_surface.hpp"

namespace talus::test {

// An ellipsoid along the axes, exactly, of degree 2; poles on the z axis.
inline SurfaceDefinition ellipsoidSurface(const Vec3& semiAxes) {
    // A circle of four arcs and a half circle of two; corners between them have the weight of a right angle.
    constexpr std::array<std::array<double, 2>, 9> round{
        {{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}, {1, 0}}};
    constexpr std::array<std::array<double, 2>, 5> profile{{{0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}}};
    const double corner = std::numbers::sqrt2 / 2;
    SurfaceDefinition d{
        .degreeU = 2, .degreeV = 2, .columns = 9, .points = {}, .weights = {}, .knotsU = {}, .knotsV = {}};
    for (std::size_t j = 0; j < profile.size(); ++j) {
        for (std::size_t i = 0; i < round.size(); ++i) {
            const Vec3 unit{profile[j][0] * round[i][0], profile[j][0] * round[i][1], profile[j][1]};
            d.points.push_back(hadamard(semiAxes, unit));
            d.weights.push_back((i % 2 == 1 ? corner : 1) * (j % 2 == 1 ? corner : 1));
        }
    }
    d.knotsU = {0, 0, 0, 0.25, 0.25, 0.5, 0.5, 0.75, 0.75, 1, 1, 1};
    d.knotsV = {0, 0, 0, 0.5, 0.5, 1, 1, 1};
    return d;
}

struct ProfilePoint {
    double radius, z;  // m
};

// A cubic profile turned about the z axis; the circles are exact. Smooth at the poles if the two last points at each
// end have the same z.
inline SurfaceDefinition turnedSurface(const std::vector<ProfilePoint>& profile) {
    const SurfaceDefinition ball = ellipsoidSurface({1, 1, 1});
    SurfaceDefinition d{.degreeU = 2,
                        .degreeV = 3,
                        .columns = 9,
                        .points = {},
                        .weights = {},
                        .knotsU = ball.knotsU,
                        .knotsV = {0, 0, 0, 0}};
    for (const ProfilePoint& p : profile) {
        for (std::size_t i = 0; i < 9; ++i) {
            // The middle row of the ball is its equator.
            d.points.push_back({p.radius * ball.points[18 + i].x, p.radius * ball.points[18 + i].y, p.z});
            d.weights.push_back(ball.weights[18 + i]);
        }
    }
    const std::size_t inner = profile.size() - 4;
    for (std::size_t k = 1; k <= inner; ++k)
        d.knotsV.push_back(static_cast<double>(k) / static_cast<double>(inner + 1));
    d.knotsV.insert(d.knotsV.end(), 4, 1);
    return d;
}

// Two bulges and a waist.
inline SurfaceDefinition peanut() {
    return turnedSurface({{0, -2}, {0.8, -2}, {1.3, -1}, {0.2, 0}, {1.3, 1}, {0.8, 2}, {0, 2}});
}

// A ball with a hollow at its upper pole.
inline SurfaceDefinition dentedBall() {
    return turnedSurface({{0, -1}, {0.8, -1}, {1.4, 0}, {0.9, 1.2}, {0.5, 0.9}, {0.3, 0.2}, {0, 0.2}});
}

// Tips of 33 degrees at both ends.
inline SurfaceDefinition spindle() {
    return turnedSurface({{0, -1.6}, {0.15, -1.1}, {0.7, -0.4}, {0.7, 0.4}, {0.15, 1.1}, {0, 1.6}});
}

// Degree 1 in both directions: eight triangles, creases everywhere.
inline SurfaceDefinition octahedron() {
    SurfaceDefinition d{
        .degreeU = 1, .degreeV = 1, .columns = 5, .points = {}, .weights = {}, .knotsU = {}, .knotsV = {}};
    d.points.assign(5, {0, 0, -1});
    const std::vector<Vec3> equator{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {1, 0, 0}};
    d.points.insert(d.points.end(), equator.begin(), equator.end());
    d.points.insert(d.points.end(), 5, {0, 0, 1});
    d.knotsU = {0, 0, 1, 2, 3, 4, 4};
    d.knotsV = {0, 0, 1, 2, 2};
    return d;
}

// A bumpy body without any symmetry: cubic, periodic round the axis, smooth at its poles.
inline SurfaceDefinition bumpyBody(std::uint64_t seed, double bumps = 0.25) {
    constexpr std::size_t round = 8, rows = 9;
    SurfaceDefinition d{.degreeU = 3,
                        .degreeV = 3,
                        .columns = round + 3,
                        .points = {},
                        .weights = {},
                        .knotsU = {},
                        .knotsV = {0, 0, 0, 0}};
    Random random(seed, 0);
    for (std::size_t j = 0; j < rows; ++j) {
        const bool nearPole = j < 2 || j + 2 >= rows;
        const double up = std::numbers::pi * (static_cast<double>(j) / (rows - 1) - 0.5);
        std::vector<Vec3> row;
        for (std::size_t i = 0; i < round; ++i) {
            const double angle = 2 * std::numbers::pi * static_cast<double>(i) / round;
            const double r = nearPole ? 1 : 1 + bumps * random.uniform(-1, 1);
            Vec3 p{1.2 * r * std::cos(up) * std::cos(angle), r * std::cos(up) * std::sin(angle),
                   0.9 * r * std::sin(up)};
            if (nearPole) p.z = j < 2 ? -0.9 : 0.9;
            if (j == 0 || j + 1 == rows) p.x = p.y = 0;
            row.push_back(p);
        }
        for (std::size_t i = 0; i < round + 3; ++i) d.points.push_back(row[i % round]);
    }
    for (std::size_t k = 0; k < round + 7; ++k) d.knotsU.push_back(static_cast<double>(k) - 3);
    for (std::size_t k = 1; k < rows - 3; ++k) d.knotsV.push_back(static_cast<double>(k));
    d.knotsV.insert(d.knotsV.end(), 4, static_cast<double>(rows - 3));
    return d;
}

struct NamedSurface {
    std::string name;
    SurfaceDefinition definition;
};

inline std::vector<NamedSurface> manySurfaces() {
    return {{"ball", ellipsoidSurface({1, 1, 1})},
            {"ellipsoid", ellipsoidSurface({1, 0.6, 1.5})},
            {"peanut", peanut()},
            {"dented ball", dentedBall()},
            {"octahedron", octahedron()},
            {"spindle", spindle()},
            {"bumpy body", bumpyBody(3)}};
}

}  // namespace talus::test
