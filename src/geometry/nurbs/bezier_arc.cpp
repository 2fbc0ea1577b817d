#include "geometry/nurbs/bezier_arc.hpp"

namespace talus {
namespace {

// The difference of order k of the first k + 1 points.
Vec3 difference(const std::array<Vec3, highestDegree + 1>& b, int order) {
    if (order == 0) return b[0];
    if (order == 1) return b[1] - b[0];
    if (order == 2) return b[2] - 2.0 * b[1] + b[0];
    return b[3] - 3.0 * (b[2] - b[1]) - b[0];
}

Vec2 plane(const Vec3& h) { return {h.x, h.y}; }

// Control points nearer to each other than this, squared, coincide: what is between them is round-off.
double coincidence(const BezierArc& arc) {
    double extent = 0;
    for (int k = 1; k <= arc.degree; ++k) extent = std::max(extent, normSquared(arc.point(k) - arc.first()));
    return 1e-24 * extent;
}

}  // namespace

CurvePoint evaluate(const BezierArc& arc, double t) {
    // De Casteljau; the last rows of the triangle hold the derivatives of the homogeneous curve.
    std::array<Vec3, highestDegree + 1> b = arc.control;
    std::array<Vec3, 4> h{};
    for (int rows = arc.degree; rows >= 0; --rows) {
        if (rows <= 3) {
            double factor = 1;
            for (int k = 0; k < rows; ++k) factor *= arc.degree - k;
            h[static_cast<std::size_t>(rows)] = factor * difference(b, rows);
        }
        for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) b[i] += t * (b[i + 1] - b[i]);
    }

    // The quotient rule, solved for the derivatives of the curve.
    CurvePoint c;
    c.position = plane(h[0]) / h[0].z;
    c.first = (plane(h[1]) - h[1].z * c.position) / h[0].z;
    c.second = (plane(h[2]) - 2 * h[1].z * c.first - h[2].z * c.position) / h[0].z;
    c.third = (plane(h[3]) - 3 * h[1].z * c.second - 3 * h[2].z * c.first - h[3].z * c.position) / h[0].z;
    return c;
}

Vec2 positionAt(const BezierArc& arc, double t) {
    std::array<Vec3, highestDegree + 1> b = arc.control;
    for (std::size_t rows = static_cast<std::size_t>(arc.degree); rows > 0; --rows) {
        for (std::size_t i = 0; i < rows; ++i) b[i] += t * (b[i + 1] - b[i]);
    }
    return plane(b[0]) / b[0].z;
}

std::pair<BezierArc, BezierArc> split(const BezierArc& arc, double t) {
    std::pair<BezierArc, BezierArc> parts{arc, arc};
    auto& [before, after] = parts;
    before.end = after.begin = arc.parameter(t);
    std::array<Vec3, highestDegree + 1>& b = after.control;
    const std::size_t degree = static_cast<std::size_t>(arc.degree);
    for (std::size_t row = 0; row < degree; ++row) {
        for (std::size_t i = 0; i < degree - row; ++i) b[i] += t * (b[i + 1] - b[i]);
        before.control[row + 1] = b[0];
    }
    return parts;
}

Vec2 firstTangent(const BezierArc& arc) {
    const double least = coincidence(arc);
    for (int k = 1; k <= arc.degree; ++k) {
        const Vec2 step = arc.point(k) - arc.first();
        if (normSquared(step) > least) return normalized(step);
    }
    return {};
}

Vec2 lastTangent(const BezierArc& arc) {
    const double least = coincidence(arc);
    for (int k = arc.degree - 1; k >= 0; --k) {
        const Vec2 step = arc.last() - arc.point(k);
        if (normSquared(step) > least) return normalized(step);
    }
    return {};
}

double distanceToSegment(const Vec2& point, const Vec2& from, const Vec2& to) {
    const Vec2 along = to - from, offset = point - from;
    const double squared = normSquared(along);
    const double share = squared > 0 ? std::clamp(dot(offset, along) / squared, 0.0, 1.0) : 0.0;
    return norm(offset - share * along);
}

double thickness(const BezierArc& arc) {
    // Distance to a convex set is a convex function: over the hull it is largest at a control point.
    double most = 0;
    for (int k = 1; k < arc.degree; ++k) {
        most = std::max(most, distanceToSegment(arc.point(k), arc.first(), arc.last()));
    }
    return most;
}

}  // namespace talus
