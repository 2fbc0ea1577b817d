// A binary tree of boxes along the axes, to find quickly what lies near a place.
//
// Built by halving at the median of the box centres along the longest direction, so that the tree is as deep as the
// logarithm of the number of boxes whatever they are. The same boxes give the same tree.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

struct BoundingBox {
    Vec3 low, high;  // m
};

inline BoundingBox boxAround(const Vec3& centre, double radius) {
    const Vec3 r{radius, radius, radius};
    return {centre - r, centre + r};
}
inline void extend(BoundingBox& box, const Vec3& p) {
    for (int k = 0; k < 3; ++k) {
        box.low[k] = std::min(box.low[k], p[k]);
        box.high[k] = std::max(box.high[k], p[k]);
    }
}
inline BoundingBox unionOf(BoundingBox a, const BoundingBox& b) {
    extend(a, b.low);
    extend(a, b.high);
    return a;
}
inline bool overlap(const BoundingBox& a, const BoundingBox& b) {
    return a.low.x <= b.high.x && b.low.x <= a.high.x && a.low.y <= b.high.y && b.low.y <= a.high.y &&
           a.low.z <= b.high.z && b.low.z <= a.high.z;
}
inline double squaredDistance(const BoundingBox& box, const Vec3& p) {
    const auto outside = [](double low, double high, double x) { return std::max(std::max(low - x, x - high), 0.0); };
    const Vec3 d{outside(box.low.x, box.high.x, p.x), outside(box.low.y, box.high.y, p.y),
                 outside(box.low.z, box.high.z, p.z)};
    return normSquared(d);
}

struct BoundingTree {
    struct Node {
        BoundingBox box;
        std::uint32_t first = 0, count = 0;  // leaf: range of `order`; inner node: count 0, children first, first + 1
    };
    std::vector<Node> nodes;           // root first; empty if there is nothing
    std::vector<std::uint32_t> order;  // items as the leaves hold them

    static constexpr std::size_t mostDepth = 64;
};

BoundingTree buildTree(const std::vector<BoundingBox>& boxes);

// Calls visit(item) for every item in a leaf that isNear(box) cannot rule out.
template <class IsNear, class Visit>
void forEachItem(const BoundingTree& tree, IsNear&& isNear, Visit&& visit) {
    if (tree.nodes.empty() || !isNear(tree.nodes[0].box)) return;
    std::array<std::uint32_t, BoundingTree::mostDepth> stack;
    std::size_t waiting = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
        const BoundingTree::Node& node = tree.nodes[stack[--waiting]];
        for (std::uint32_t k = 0; k < node.count; ++k) visit(tree.order[node.first + k]);
        if (node.count > 0) continue;
        // The first child is looked at first, so items come in the order of the leaves.
        if (isNear(tree.nodes[node.first + 1].box)) stack[waiting++] = node.first + 1;
        if (isNear(tree.nodes[node.first].box)) stack[waiting++] = node.first;
    }
}

// Calls visit(item) for the items whose boxes meet a box, or a ball.
template <class Visit>
void forEachItemIn(const BoundingTree& tree, const BoundingBox& box, Visit&& visit) {
    forEachItem(
        tree, [&](const BoundingBox& b) { return overlap(b, box); }, visit);
}
template <class Visit>
void forEachItemWithin(const BoundingTree& tree, const Vec3& centre, double distance, Visit&& visit) {
    const double square = distance * distance;
    forEachItem(
        tree, [&](const BoundingBox& b) { return squaredDistance(b, centre) <= square; }, visit);
}

// Distance of a point from the nearest leaf, or `limit` if that is smaller. No item is nearer.
double leastDistanceTo(const BoundingTree& tree, const Vec3& point, double limit);

}  // namespace talus
