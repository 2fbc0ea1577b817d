// Convex polyhedra: corners, faces and edges, ready for support functions and clipping.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/shape.hpp"
#include "talus/vec3.hpp"

namespace talus {

struct ConvexHull {
    struct Face {
        Vec3 normal;                           // unit, outward
        double distance = 0;                   // m, from the origin along the normal; no corner lies beyond it
        std::vector<std::uint32_t> corners;    // against the clock seen from outside; coplanar triangles are one face
        std::vector<std::uint32_t> neighbour;  // face across the edge from corners[k] to corners[k + 1]
    };
    struct Edge {
        std::uint32_t from, to;     // corners; from is the lower number
        std::uint32_t left, right;  // faces: left has the edge in this direction, right in the other
    };

    std::vector<Vec3> corners;  // m
    double radius = 0;          // m, of the smallest ball about the origin that holds it
    std::vector<Face> faces;
    std::vector<Edge> edges;
    std::vector<std::vector<std::uint32_t>> around;  // corners joined by an edge to each corner, lowest number first
};

// The convex hull of points, with the origin at its centre of mass and its principal axes as axes.
struct HullInPlace {
    HullShape shape;
    Pose pose;  // of the shape's frame in the frame of the points
};

// Points within this part of the largest extent of a common plane form one face: data files with six digits give one
// face where one is meant.
inline constexpr double hullFaceTolerance = 1e-6;

// Bodies thinner than this part of their largest extent are refused as flat.
inline constexpr double leastHullThickness = 1e-5;

// Throws InputError, with a message that says what is wrong with the points. The rounding (m) is kept in the shape; the
// frame is that of the hull without it.
HullInPlace makeHull(const std::vector<Vec3>& points, double rounding = 0);

}  // namespace talus
