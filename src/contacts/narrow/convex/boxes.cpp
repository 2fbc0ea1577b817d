#include "contacts/narrow/convex/boxes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace talus {
namespace {

// An edge axis must be better than the best face by this part of the size, lest rounding errors choose between axes
// that are the same.
constexpr double edgeBias = 1e-6;
// Squared sine below which two edges are parallel: faces tell all about them.
constexpr double parallelEdges = 1e-8;

enum class AxisKind { faceOfA, faceOfB, edges };

struct BestAxis {
    double separation = -1e300;  // m
    AxisKind kind = AxisKind::faceOfA;
    int i = 0, j = 0;  // number of the face's axis in i or j, or of both edges
};

// All in the frame of a.
struct BoxPair {
    std::array<double, 3> halfA, halfB;  // m
    std::array<double, 3> offset;        // m, centre of a from that of b
    Mat3 turn, size;                     // columns: axes of b, and their components without sign

    BoxPair(const ConvexCore& a, const ConvexCore& b) : halfA(halfSizeOf(a)), halfB(halfSizeOf(b)) {
        const Vec3 way = a.toLocal(a.centre - b.centre);
        offset = {way.x, way.y, way.z};
        for (int row = 0; row < 3; ++row) {
            for (int k = 0; k < 3; ++k) {
                turn(row, k) =
                    a.axes(0, row) * b.axes(0, k) + a.axes(1, row) * b.axes(1, k) + a.axes(2, row) * b.axes(2, k);
                size(row, k) = std::abs(turn(row, k));
            }
        }
    }
    static std::array<double, 3> halfSizeOf(const ConvexCore& core) {
        const Vec3 half = core.scale * std::get<BoxShape>(*core.shape).halfSize;
        return {half.x, half.y, half.z};
    }

    double alongB(int k) const { return offset[0] * turn(0, k) + offset[1] * turn(1, k) + offset[2] * turn(2, k); }
    double acrossFaceOfA(int k) const {
        return std::abs(offset[k]) - halfA[k] - size(k, 0) * halfB[0] - size(k, 1) * halfB[1] - size(k, 2) * halfB[2];
    }
    double acrossFaceOfB(int k) const {
        return std::abs(alongB(k)) - halfB[k] - size(0, k) * halfA[0] - size(1, k) * halfA[1] - size(2, k) * halfA[2];
    }
    // The cross product of edge i of a and edge j of b is (0, -turn(r, j), turn(q, j)) in the axes i, q, r.
    double squaredSine(int q, int r, int j) const { return turn(q, j) * turn(q, j) + turn(r, j) * turn(r, j); }
    double alongEdges(int q, int r, int j) const { return offset[r] * turn(q, j) - offset[q] * turn(r, j); }
};

void tryEdges(const BoxPair& pair, int i, int j, double bias, BestAxis& best) {
    const int q = (i + 1) % 3, r = (i + 2) % 3, m = (j + 1) % 3, n = (j + 2) % 3;
    const double along = std::abs(pair.alongEdges(q, r, j)) - pair.halfA[q] * pair.size(r, j) -
                         pair.halfA[r] * pair.size(q, j) - pair.halfB[m] * pair.size(i, n) -
                         pair.halfB[n] * pair.size(i, m);
    // Sines are at most 1: an overlap is at least this one.
    if (along <= std::min(0.0, best.separation + bias)) return;
    const double squared = pair.squaredSine(q, r, j);
    if (squared <= parallelEdges) return;
    const double separation = along / std::sqrt(squared);
    if (separation > best.separation + bias) best = {separation, AxisKind::edges, i, j};
}

// Unit, frame of a, from b to a.
Vec3 normalOf(const BoxPair& pair, const BestAxis& best) {
    Vec3 n;
    double along = 0;
    if (best.kind == AxisKind::faceOfA) {
        n[best.i] = 1;
        along = pair.offset[best.i];
    } else if (best.kind == AxisKind::faceOfB) {
        n = column(pair.turn, best.j);
        along = pair.alongB(best.j);
    } else {
        const int q = (best.i + 1) % 3, r = (best.i + 2) % 3;
        n[q] = -pair.turn(r, best.j);
        n[r] = pair.turn(q, best.j);
        n = n / std::sqrt(pair.squaredSine(q, r, best.j));
        along = pair.alongEdges(q, r, best.j);
    }
    return along < 0 ? -n : n;
}

// The corner that lies farthest in a direction, both in the frame of the box.
Vec3 cornerTowards(const std::array<double, 3>& half, const Vec3& direction) {
    return {std::copysign(half[0], direction.x), std::copysign(half[1], direction.y),
            std::copysign(half[2], direction.z)};
}

CoreDistance placed(const ConvexCore& a, const ConvexCore& b, const BoxPair& pair, const BestAxis& best) {
    const Vec3 local = normalOf(pair, best), n = a.axes * local;
    const Vec3 onA = a.centre + a.axes * cornerTowards(pair.halfA, -local);
    const Vec3 onB = b.centre + b.axes * cornerTowards(pair.halfB, transposeTimes(pair.turn, local));
    CoreDistance found{best.separation, n, onA, onB};
    if (best.kind == AxisKind::edges) {
        placeOnEdges({onA, column(a.axes, best.i)}, {onB, column(b.axes, best.j)}, found);
    } else if (best.kind == AxisKind::faceOfB) {
        found.onB = onA - best.separation * n;
    } else {
        found.onA = onB + best.separation * n;
    }
    return found;
}

bool isWithin(const ConvexCore& box, const std::array<double, 3>& half, const Vec3& point) {
    const Vec3 local = box.toLocal(point - box.centre);
    const double slack = 1e-12 * box.size;
    return std::abs(local.x) <= half[0] + slack && std::abs(local.y) <= half[1] + slack &&
           std::abs(local.z) <= half[2] + slack;
}

BestAxis bestAxis(const ConvexCore& a, const ConvexCore& b, const BoxPair& pair, double limit) {
    BestAxis best;
    for (int k = 0; k < 3; ++k) {
        const double ofA = pair.acrossFaceOfA(k), ofB = pair.acrossFaceOfB(k);
        if (ofA > best.separation) best = {ofA, AxisKind::faceOfA, k, 0};
        if (ofB > best.separation) best = {ofB, AxisKind::faceOfB, 0, k};
    }
    if (best.separation > limit) return best;
    const double bias = edgeBias * (a.size + b.size);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) tryEdges(pair, i, j, bias, best);
    }
    return best;
}

}  // namespace

CoreDistance boxDistance(const ConvexCore& a, const ConvexCore& b, double limit) {
    const BoxPair pair(a, b);
    const BestAxis best = bestAxis(a, b, pair, limit);
    const CoreDistance found = placed(a, b, pair, best);
    if (best.separation <= 0 || best.separation > limit) return found;
    // Two points of the boxes that are as far apart as an axis separates them are the nearest ones.
    if (isWithin(a, pair.halfA, found.onA) && isWithin(b, pair.halfB, found.onB)) return found;
    return coreDistance(a, b, limit);
}

}  // namespace talus
