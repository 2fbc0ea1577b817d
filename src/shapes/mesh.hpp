// Triangle meshes: surfaces of bodies and of walls, with what contact search needs.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

struct TriangleMesh {
    static constexpr std::uint32_t noTriangle = 0xFFFFFFFF;

    std::vector<Vec3> corners;                             // m
    std::vector<std::array<std::uint32_t, 3>> triangles;   // against the clock seen from outside
    std::vector<std::array<std::uint32_t, 3>> neighbours;  // across the edge from corner k to k + 1, or noTriangle
    bool closed = false;                                   // bounds a volume
    double radius = 0;                                     // m, of the smallest ball about the origin that holds it

    // Bounding boxes in a binary tree, root first; leaves hold a range of `order`.
    struct Node {
        Vec3 low, high;                      // m
        std::uint32_t first = 0, count = 0;  // leaf: range of `order`; inner node: count 0, children first, first + 1
    };
    std::vector<Node> tree;
    std::vector<std::uint32_t> order;  // triangles as the leaves hold them
};

}  // namespace talus
