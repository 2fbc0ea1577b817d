#include "collision/narrow/boxes.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

// Of the size: an edge axis must be better than the best face by this much, lest rounding errors choose between axes
// that are the same.
constexpr double edgeBias = 1e-6;
// Squared sine below which two edges are parallel: faces tell all about them.
constexpr double parallelEdges = 1e-8;

// All in the frame of a.
struct BoxPair {
    Vec3 halfA, halfB;  // m
    Mat3 turn;          // columns: axes of b
    Vec3 offset;        // m, centre of a from that of b

    // Separation along a unit axis that points from b to a.
    double reachA(const Vec3& n) const {
        return halfA.x * std::abs(n.x) + halfA.y * std::abs(n.y) + halfA.z * std::abs(n.z);
    }
    double reachB(const Vec3& n) const {
        const Vec3 m = transposeTimes(turn, n);
        return halfB.x * std::abs(m.x) + halfB.y * std::abs(m.y) + halfB.z * std::abs(m.z);
    }
    double separation(const Vec3& n) const { return std::abs(dot(n, offset)) - reachA(n) - reachB(n); }
};

struct BestAxis {
    double separation = -1e300;  // m
    Vec3 normal;                 // frame of a, from b to a
    bool isEdge = false;
};

void tryAxis(const BoxPair& pair, const Vec3& axis, bool isEdge, double bias, BestAxis& best) {
    const double s = pair.separation(axis);
    if (s > best.separation + bias) best = {s, dot(axis, pair.offset) < 0 ? -axis : axis, isEdge};
}

Vec3 halfSizeOf(const ConvexCore& core) { return core.scale * std::get<BoxShape>(*core.shape).halfSize; }

// The points of two edges that are nearest to each other: from a corner of each along their directions.
void nearestOnEdges(const Vec3& p, const Vec3& u, const Vec3& q, const Vec3& v, CoreDistance& found) {
    const Vec3 d = q - p;
    const double uv = dot(u, v), below = 1 - uv * uv;
    const double s = (dot(d, u) - uv * dot(d, v)) / below, t = (uv * dot(d, u) - dot(d, v)) / below;
    found.onA = p + s * u;
    found.onB = q + t * v;
}

// Index of the axis of a core that is most across a direction: that of the edge which supports it.
Vec3 edgeAcross(const ConvexCore& core, const Vec3& n) {
    const Vec3 local = core.toLocal(n);
    const int k = std::abs(local.x) < std::abs(local.y) ? (std::abs(local.x) < std::abs(local.z) ? 0 : 2)
                                                        : (std::abs(local.y) < std::abs(local.z) ? 1 : 2);
    return column(core.axes, k);
}

CoreDistance placed(const ConvexCore& a, const ConvexCore& b, const BestAxis& best) {
    const Vec3 n = a.axes * best.normal;
    CoreDistance found{best.separation, n, a.support(-n), b.support(n)};
    if (best.isEdge) {
        nearestOnEdges(found.onA, edgeAcross(a, n), found.onB, edgeAcross(b, n), found);
        return found;
    }
    // The lowest corner of a over the face of b, or the highest of b under the face of a.
    const Vec3 alongB = b.toLocal(n);
    const bool faceOfB = std::max({std::abs(alongB.x), std::abs(alongB.y), std::abs(alongB.z)}) > 1 - 1e-12;
    if (faceOfB) {
        found.onB = found.onA - best.separation * n;
    } else {
        found.onA = found.onB + best.separation * n;
    }
    return found;
}

}  // namespace

CoreDistance boxDistance(const ConvexCore& a, const ConvexCore& b, double limit) {
    BoxPair pair{halfSizeOf(a), halfSizeOf(b), {}, a.toLocal(a.centre - b.centre)};
    for (int k = 0; k < 3; ++k) {
        const Vec3 axis = a.toLocal(column(b.axes, k));
        for (int row = 0; row < 3; ++row) pair.turn(row, k) = axis[row];
    }
    BestAxis best;
    for (int k = 0; k < 3; ++k) {
        Vec3 axis;
        axis[k] = 1;
        tryAxis(pair, axis, false, 0, best);
        tryAxis(pair, column(pair.turn, k), false, 0, best);
        if (best.separation > limit) return placed(a, b, best);
    }
    const double bias = edgeBias * (a.size + b.size);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            Vec3 axis;
            axis[i] = 1;
            const Vec3 across = cross(axis, column(pair.turn, j));
            const double squared = normSquared(across);
            if (squared > parallelEdges) tryAxis(pair, across / std::sqrt(squared), true, bias, best);
        }
    }
    if (best.separation > 0) return coreDistance(a, b, limit);
    return placed(a, b, best);
}

}  // namespace talus
