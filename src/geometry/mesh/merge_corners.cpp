#include "geometry/mesh/merge_corners.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace talus {
namespace {

// Applies new numbers to the triangles and keeps the corners that are their own representative.
void renumber(MeshFile& file, const std::vector<std::uint32_t>& representative) {
    std::vector<std::uint32_t> number(file.corners.size());
    std::vector<Vec3> kept;
    for (std::uint32_t c = 0; c < representative.size(); ++c) {
        if (representative[c] == c) {
            number[c] = static_cast<std::uint32_t>(kept.size());
            kept.push_back(file.corners[c]);
        } else {
            number[c] = number[representative[c]];
        }
    }
    file.corners = std::move(kept);
    for (auto& triangle : file.triangles) {
        for (std::uint32_t& corner : triangle) corner = number[corner];
    }
}

void mergeExactly(MeshFile& file) {
    const std::vector<Vec3>& p = file.corners;
    std::vector<std::uint32_t> order(p.size()), representative(p.size());
    std::iota(order.begin(), order.end(), 0u);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return std::tie(p[a].x, p[a].y, p[a].z, a) < std::tie(p[b].x, p[b].y, p[b].z, b);
    });
    for (std::size_t k = 0; k < order.size(); ++k) {
        const bool isNew = k == 0 || p[order[k]] != p[order[k - 1]];
        representative[order[k]] = isNew ? order[k] : representative[order[k - 1]];
    }
    renumber(file, representative);
}

// Corners sorted into cubes twice as wide as the distance searched, so that whatever is within it of a point lies in
// the eight cubes around the nearest corner of a cube.
class CubeGrid {
public:
    CubeGrid(const Vec3& origin, double distance) : origin_(origin), width_(2 * distance) {}

    template <class Visit>
    void forEachCubeNear(const Vec3& p, Visit&& visit) const {
        const std::array<std::int64_t, 3> base = cube(p - Vec3{0.5 * width_, 0.5 * width_, 0.5 * width_});
        for (int k = 0; k < 8; ++k) visit(key({base[0] + (k & 1), base[1] + (k >> 1 & 1), base[2] + (k >> 2)}));
    }
    std::uint64_t keyOf(const Vec3& p) const { return key(cube(p)); }

private:
    std::array<std::int64_t, 3> cube(const Vec3& p) const {
        const Vec3 q = (p - origin_) / width_;
        return {static_cast<std::int64_t>(std::floor(q.x)), static_cast<std::int64_t>(std::floor(q.y)),
                static_cast<std::int64_t>(std::floor(q.z))};
    }
    // At most 1e6 cubes along an axis, and a few about them: 21 bits each.
    static std::uint64_t key(const std::array<std::int64_t, 3>& c) {
        const auto bits = [](std::int64_t k) { return static_cast<std::uint64_t>(k + 16) & 0x1FFFFF; };
        return bits(c[0]) << 42 | bits(c[1]) << 21 | bits(c[2]);
    }

    Vec3 origin_;
    double width_;
};

BoundingBox boxOf(const std::vector<Vec3>& points) {
    BoundingBox box{points.front(), points.front()};
    for (const Vec3& p : points) extend(box, p);
    return box;
}

void mergeWithin(MeshFile& file, double tolerance) {
    const BoundingBox box = boxOf(file.corners);
    const Vec3 size = box.high - box.low;
    const double distance = tolerance * std::max({size.x, size.y, size.z});
    if (!(distance > 1e-200)) return;  // smaller ones have no inverse
    const CubeGrid grid(box.low, distance);
    // The map is only asked, never walked through: its order decides nothing.
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> kept;
    std::vector<std::uint32_t> representative(file.corners.size());
    for (std::uint32_t c = 0; c < file.corners.size(); ++c) {
        const Vec3& p = file.corners[c];
        std::uint32_t found = c;
        grid.forEachCubeNear(p, [&](std::uint64_t key) {
            const auto cube = kept.find(key);
            if (cube == kept.end()) return;
            for (const std::uint32_t other : cube->second) {
                if (normSquared(file.corners[other] - p) <= distance * distance) found = std::min(found, other);
            }
        });
        representative[c] = found;
        if (found == c) kept[grid.keyOf(p)].push_back(c);
    }
    renumber(file, representative);
}

bool hasTwoEqual(const std::array<std::uint32_t, 3>& t) { return t[0] == t[1] || t[1] == t[2] || t[2] == t[0]; }

void dropVanished(MeshFile& file, const std::vector<char>& wasWhole) {
    std::size_t kept = 0;
    for (std::size_t t = 0; t < file.triangles.size(); ++t) {
        if (wasWhole[t] && hasTwoEqual(file.triangles[t])) continue;
        file.triangles[kept] = file.triangles[t];
        if (!file.lines.empty()) file.lines[kept] = file.lines[t];
        ++kept;
    }
    file.triangles.resize(kept);
    if (!file.lines.empty()) file.lines.resize(kept);
}

}  // namespace

void mergeEqualCorners(MeshFile& file, double tolerance) {
    if (file.corners.empty()) return;
    mergeExactly(file);
    if (tolerance <= 0) return;
    std::vector<char> wasWhole;
    for (const auto& triangle : file.triangles) wasWhole.push_back(!hasTwoEqual(triangle));
    mergeWithin(file, tolerance);
    dropVanished(file, wasWhole);
}

}  // namespace talus
