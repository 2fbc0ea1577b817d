#include "geometry/mesh/bounding_tree.hpp"

#include <numeric>

namespace talus {
namespace {

constexpr std::uint32_t leafSize = 4;

class Builder {
public:
    explicit Builder(const std::vector<BoundingBox>& boxes) : boxes_(boxes) {
        tree_.order.resize(boxes.size());
        std::iota(tree_.order.begin(), tree_.order.end(), 0u);
    }

    BoundingTree build() {
        if (boxes_.empty()) return {};
        tree_.nodes.push_back({boxOf(0, count()), 0, count()});
        // Nodes are appended behind the one that is cut, so the loop comes to all of them.
        for (std::uint32_t node = 0; node < tree_.nodes.size(); ++node) cut(node);
        return std::move(tree_);
    }

private:
    std::uint32_t count() const { return static_cast<std::uint32_t>(boxes_.size()); }

    Vec3 centre(std::uint32_t item) const { return 0.5 * (boxes_[item].low + boxes_[item].high); }

    BoundingBox boxOf(std::uint32_t first, std::uint32_t size) const {
        BoundingBox box = boxes_[tree_.order[first]];
        for (std::uint32_t k = 1; k < size; ++k) box = unionOf(box, boxes_[tree_.order[first + k]]);
        return box;
    }

    int longestAxis(std::uint32_t first, std::uint32_t size) const {
        const Vec3 start = centre(tree_.order[first]);
        BoundingBox centres{start, start};
        for (std::uint32_t k = 1; k < size; ++k) extend(centres, centre(tree_.order[first + k]));
        const Vec3 extent = centres.high - centres.low;
        return extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    }

    void cut(std::uint32_t node) {
        const std::uint32_t first = tree_.nodes[node].first, size = tree_.nodes[node].count;
        const auto begin = tree_.order.begin() + first;
        if (size <= leafSize) return std::sort(begin, begin + size);
        // Equal centres are told apart by their numbers: which items go where is then unique.
        const int axis = longestAxis(first, size);
        const std::uint32_t half = size / 2;
        std::nth_element(begin, begin + half, begin + size, [&](std::uint32_t a, std::uint32_t b) {
            const double ca = centre(a)[axis], cb = centre(b)[axis];
            return ca != cb ? ca < cb : a < b;
        });
        tree_.nodes[node].first = static_cast<std::uint32_t>(tree_.nodes.size());
        tree_.nodes[node].count = 0;
        tree_.nodes.push_back({boxOf(first, half), first, half});
        tree_.nodes.push_back({boxOf(first + half, size - half), first + half, size - half});
    }

    const std::vector<BoundingBox>& boxes_;
    BoundingTree tree_;
};

}  // namespace

BoundingTree buildTree(const std::vector<BoundingBox>& boxes) { return Builder(boxes).build(); }

double leastDistanceTo(const BoundingTree& tree, const Vec3& point, double limit) {
    if (tree.nodes.empty()) return limit;
    double best = limit * limit;
    std::array<std::uint32_t, BoundingTree::mostDepth> stack;
    std::size_t waiting = 0;
    stack[waiting++] = 0;
    while (waiting > 0) {
        const BoundingTree::Node& node = tree.nodes[stack[--waiting]];
        const double distance = squaredDistance(node.box, point);
        if (distance >= best) continue;
        if (node.count > 0) {
            best = distance;
            continue;
        }
        // The nearer child first: it rules out more of the other.
        const double left = squaredDistance(tree.nodes[node.first].box, point);
        const double right = squaredDistance(tree.nodes[node.first + 1].box, point);
        stack[waiting++] = left < right ? node.first + 1 : node.first;
        stack[waiting++] = left < right ? node.first : node.first + 1;
    }
    return std::sqrt(best);
}

}  // namespace talus
