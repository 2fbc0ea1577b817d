// Convex polyhedra: corners, faces and edges, ready for support functions and clipping.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

struct ConvexHull {
    struct Face {
        Vec3 normal;                           // unit, outward
        double distance = 0;                   // m, from the origin along the normal
        std::vector<std::uint32_t> corners;    // against the clock seen from outside; coplanar triangles are one face
        std::vector<std::uint32_t> neighbour;  // face across the edge from corners[k] to corners[k + 1]
    };
    struct Edge {
        std::uint32_t from, to;     // corners
        std::uint32_t left, right;  // faces
    };

    std::vector<Vec3> corners;  // m
    double radius = 0;          // m, of the smallest ball about the origin that holds it
    std::vector<Face> faces;
    std::vector<Edge> edges;
    std::vector<std::vector<std::uint32_t>> around;  // corners joined by an edge to each corner
};

}  // namespace talus
