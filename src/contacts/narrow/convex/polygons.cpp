#include "contacts/narrow/convex/polygons.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"
#include "contacts/narrow/convex/shared_polygon.hpp"

namespace talus {
namespace {

// A polygon at its place in the plane: corner k, numbered on beyond the last.
struct PlacedPolygon {
    const PolygonShape* shape;  // nullptr: one corner at the origin of the frame
    double scale;
    PlanePoint centre, x, y;  // m; axes of its frame

    int count() const { return shape != nullptr ? int(shape->corners.size()) : 1; }
    PlanePoint corner(int k) const {
        if (shape == nullptr) return centre;
        const auto& c = shape->corners[std::size_t(k % count())];
        const double cx = scale * c.x, cy = scale * c.y;
        return {centre.x + cx * x.x + cy * y.x, centre.y + cx * x.y + cy * y.y};
    }
};

double across(const PlanePoint& n, const PlanePoint& p) { return n.x * p.x + n.y * p.y; }

struct Separation {
    double distance = -1e300;
    PlanePoint normal;  // out of the polygon whose edge it is
    PlanePoint onEdge, onOther;
};

// The edge of p whose line has the other polygon farthest outside.
Separation bestEdge(const PlacedPolygon& p, const PlacedPolygon& other) {
    Separation best;
    for (int k = 0; k < p.count() && p.count() > 1; ++k) {
        const PlanePoint a = p.corner(k), b = p.corner(k + 1);
        const double dx = b.x - a.x, dy = b.y - a.y, length = std::sqrt(dx * dx + dy * dy);
        const PlanePoint n{dy / length, -dx / length};
        PlanePoint nearest = other.corner(0);
        for (int m = 1; m < other.count(); ++m) {
            const PlanePoint c = other.corner(m);
            if (across(n, c) < across(n, nearest)) nearest = c;
        }
        const double d = across(n, nearest) - across(n, a);
        if (d > best.distance) best = {d, n, {nearest.x - d * n.x, nearest.y - d * n.y}, nearest};
    }
    return best;
}

// The nearest corner of `other` to an edge of p (or to its only corner).
Separation nearestCorner(const PlacedPolygon& p, const PlacedPolygon& other) {
    Separation best{1e300, {}, {}, {}};
    for (int k = 0; k < p.count(); ++k) {
        const PlanePoint a = p.corner(k), b = p.corner(k + 1);
        const double dx = b.x - a.x, dy = b.y - a.y, squared = dx * dx + dy * dy;
        for (int m = 0; m < other.count(); ++m) {
            const PlanePoint c = other.corner(m);
            const double t = squared > 0 ? std::clamp(((c.x - a.x) * dx + (c.y - a.y) * dy) / squared, 0.0, 1.0) : 0;
            const PlanePoint q{a.x + t * dx, a.y + t * dy};
            const double d = std::hypot(c.x - q.x, c.y - q.y);
            if (d < best.distance) best = {d, {c.x - q.x, c.y - q.y}, q, c};
        }
    }
    const double length = std::hypot(best.normal.x, best.normal.y);
    best.normal = length > 0 ? PlanePoint{best.normal.x / length, best.normal.y / length} : PlanePoint{0, 1};
    return best;
}

}  // namespace

CoreDistance polygonDistance(const ConvexCore& a, const ConvexCore& b) {
    const auto* shapeA = std::get_if<PolygonShape>(a.shape);
    const auto* shapeB = std::get_if<PolygonShape>(b.shape);
    ENGINE_CHECK(shapeA != nullptr || shapeB != nullptr);
    const Mat3& frame = shapeA != nullptr ? a.axes : b.axes;
    const auto inPlane = [&](const Vec3& v) {
        const Vec3 local = transposeTimes(frame, v);
        return PlanePoint{local.x, local.y};
    };
    const auto place = [&](const ConvexCore& c, const PolygonShape* shape) {
        return PlacedPolygon{shape, c.scale, inPlane(c.centre - b.centre), inPlane(column(c.axes, 0)),
                             inPlane(column(c.axes, 1))};
    };
    const PlacedPolygon polygonA = place(a, shapeA), polygonB = place(b, shapeB);
    const auto toWorld = [&](const PlanePoint& p) { return b.centre + frame * Vec3{p.x, p.y, 0}; };
    const auto direction = [&](const PlanePoint& p) { return frame * Vec3{p.x, p.y, 0}; };

    // Overlapping: the edge of least depth. Apart: the nearest corner and edge, unless they touch.
    Separation fromB = bestEdge(polygonB, polygonA), fromA = bestEdge(polygonA, polygonB);
    const double tiny = 1e-12 * (a.size + b.size);
    const double best = std::max(fromA.distance, fromB.distance);
    bool inB = fromB.distance >= fromA.distance;
    if (best > -tiny || (polygonA.count() == 1 && polygonB.count() == 1)) {
        const Separation nearB = nearestCorner(polygonB, polygonA), nearA = nearestCorner(polygonA, polygonB);
        if (std::min(nearA.distance, nearB.distance) > tiny || best == -1e300) {
            fromA = nearA, fromB = nearB;
            inB = fromB.distance <= fromA.distance;
        }
    }
    if (inB) return {fromB.distance, direction(fromB.normal), toWorld(fromB.onOther), toWorld(fromB.onEdge)};
    return {fromA.distance, -direction(fromA.normal), toWorld(fromA.onEdge), toWorld(fromA.onOther)};
}

}  // namespace talus
