#include "geometry/mesh/mesh_topology.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

namespace talus {
namespace {

struct HalfEdge {
    std::uint32_t low, high;  // corners
    std::uint32_t place;      // 3 triangle + side
    bool upward;              // runs from low to high
};

std::vector<HalfEdge> sortedHalfEdges(const std::vector<CornerTriple>& triangles) {
    std::vector<HalfEdge> halves;
    halves.reserve(3 * triangles.size());
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
        for (std::uint32_t k = 0; k < 3; ++k) {
            const std::uint32_t from = triangles[t][k], to = triangles[t][(k + 1) % 3];
            halves.push_back({std::min(from, to), std::max(from, to), 3 * t + k, from < to});
        }
    }
    std::sort(halves.begin(), halves.end(), [](const HalfEdge& a, const HalfEdge& b) {
        return std::tie(a.low, a.high, a.place) < std::tie(b.low, b.high, b.place);
    });
    return halves;
}

void note(std::optional<TriangleSide>& fault, const HalfEdge& half) {
    if (!fault) fault = TriangleSide{half.place / 3, static_cast<int>(half.place % 3)};
}

bool hasSide(const CornerTriple& t, std::uint32_t from, std::uint32_t to) {
    return (t[0] == from && t[1] == to) || (t[1] == from && t[2] == to) || (t[2] == from && t[0] == to);
}

// Triangles of a surface, largest first; of equal size the first of the list.
std::vector<std::uint32_t> bySize(const std::vector<Vec3>& areas) {
    std::vector<double> square(areas.size());
    for (std::size_t t = 0; t < areas.size(); ++t) square[t] = normSquared(areas[t]);
    std::vector<std::uint32_t> order(areas.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return square[a] > square[b]; });
    return order;
}

}  // namespace

Neighbours findNeighbours(const std::vector<CornerTriple>& triangles, SurfaceFaults& faults) {
    const std::vector<HalfEdge> halves = sortedHalfEdges(triangles);
    Neighbours neighbours(triangles.size(), {nothing, nothing, nothing});
    for (std::size_t first = 0, end; first < halves.size(); first = end) {
        end = first + 1;
        while (end < halves.size() && halves[end].low == halves[first].low && halves[end].high == halves[first].high) {
            ++end;
        }
        const HalfEdge& a = halves[first];
        if (end - first == 1) {
            note(faults.open, a);
        } else if (end - first > 2) {
            note(faults.shared, a);
        } else {
            const HalfEdge& b = halves[first + 1];
            if (a.upward == b.upward) note(faults.turned, a);
            neighbours[a.place / 3][a.place % 3] = b.place / 3;
            neighbours[b.place / 3][b.place % 3] = a.place / 3;
        }
    }
    return neighbours;
}

void orientAlike(std::vector<CornerTriple>& triangles, const Neighbours& neighbours) {
    std::vector<char> known(triangles.size(), 0);
    std::vector<std::uint32_t> reached;
    for (std::uint32_t first = 0; first < triangles.size(); ++first) {
        if (known[first]) continue;
        known[first] = 1;
        reached.assign(1, first);
        for (std::size_t k = 0; k < reached.size(); ++k) {
            const CornerTriple t = triangles[reached[k]];
            for (const std::uint32_t next : neighbours[reached[k]]) {
                if (next == nothing || known[next]) continue;
                known[next] = 1;
                reached.push_back(next);
                CornerTriple& other = triangles[next];
                const bool agrees =
                    hasSide(other, t[1], t[0]) || hasSide(other, t[2], t[1]) || hasSide(other, t[0], t[2]);
                if (!agrees) std::swap(other[1], other[2]);
            }
        }
    }
}

Vec3 areaVector(const std::vector<Vec3>& corners, const CornerTriple& t) {
    return cross(corners[t[1]] - corners[t[0]], corners[t[2]] - corners[t[0]]);
}

std::vector<std::uint32_t> findPlanePatches(const std::vector<Vec3>& corners,
                                            const std::vector<CornerTriple>& triangles, const Neighbours& neighbours,
                                            double tolerance) {
    std::vector<Vec3> areas(triangles.size());
    for (std::size_t t = 0; t < triangles.size(); ++t) areas[t] = areaVector(corners, triangles[t]);
    std::vector<std::uint32_t> patch(triangles.size(), nothing), reached;
    std::uint32_t patches = 0;
    for (const std::uint32_t seed : bySize(areas)) {
        if (patch[seed] != nothing) continue;
        const Vec3 normal = norm(areas[seed]) > 0 ? normalized(areas[seed]) : Vec3{};
        const Vec3& origin = corners[triangles[seed][0]];
        const auto isInPlane = [&](std::uint32_t corner) {
            return std::abs(dot(normal, corners[corner] - origin)) <= tolerance;
        };
        reached.assign(1, seed);
        patch[seed] = patches;
        for (std::size_t k = 0; k < reached.size(); ++k) {
            for (const std::uint32_t next : neighbours[reached[k]]) {
                if (next == nothing || patch[next] != nothing || dot(areas[next], normal) < 0) continue;
                if (!std::all_of(triangles[next].begin(), triangles[next].end(), isInPlane)) continue;
                patch[next] = patches;
                reached.push_back(next);
            }
        }
        ++patches;
    }
    return patch;
}

}  // namespace talus
