#include "contacts/narrow/convex/shared_polygon.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

// Polygons while they are cut: each corner knows the edge that leaves it, of the first polygon (number) or of the
// second (-1 - number).
struct CutCorner {
    PlanePoint at;
    int edge;
};
struct CutPolygon {
    int count = 0;
    std::array<CutCorner, PlanePolygon::mostCorners> corners;
};

// A line with the inner side where the distance is positive.
struct Cut {
    PlanePoint start;
    double nx, ny;  // unit
    int edge;       // number in the second polygon

    double inside(const PlanePoint& p) const { return nx * (p.x - start.x) + ny * (p.y - start.y); }
};

Cut cutAlong(const PlanePolygon& polygon, int edge) {
    const PlanePoint &a = polygon.corners[edge], &b = polygon.corners[(edge + 1) % polygon.count];
    const double dx = b.x - a.x, dy = b.y - a.y, length = std::sqrt(dx * dx + dy * dy);
    return length > 0 ? Cut{a, -dy / length, dx / length, edge} : Cut{a, 0, 0, edge};
}

PlanePoint between(const PlanePoint& a, const PlanePoint& b, double da, double db) {
    const double t = da / (da - db);
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
}

void append(CutPolygon& p, const PlanePoint& at, int edge) {
    if (p.count < PlanePolygon::mostCorners) p.corners[p.count++] = {at, edge};
}

// Sutherland and Hodgman: the part of a polygon on the inner side of a line.
void cutPolygon(const CutPolygon& polygon, const Cut& cut, double slack, CutPolygon& kept) {
    kept.count = 0;
    for (int k = 0; k < polygon.count; ++k) {
        const CutCorner &a = polygon.corners[k], &b = polygon.corners[(k + 1) % polygon.count];
        const double da = cut.inside(a.at), db = cut.inside(b.at);
        const bool leaves = da >= -slack && db < -slack, enters = da < -slack && db >= -slack;
        // A corner near the line stands for the crossing as well.
        if (da >= -slack) append(kept, a.at, leaves && da <= slack ? -1 - cut.edge : a.edge);
        if (leaves && da > slack) append(kept, between(a.at, b.at, da, db), -1 - cut.edge);
        if (enters && db > slack) append(kept, between(a.at, b.at, da, db), a.edge);
    }
}

SharedCorner cornerBetween(int incoming, int outgoing, const PlanePoint& at, int secondCount) {
    if (incoming >= 0 && outgoing >= 0) return {at, SharedCorner::From::first, outgoing, -1};
    if (incoming >= 0) return {at, SharedCorner::From::crossing, incoming, -1 - outgoing};
    if (outgoing >= 0) return {at, SharedCorner::From::crossing, outgoing, -1 - incoming};
    // The later of two edges of the second polygon starts at the corner they share.
    const int p = -1 - incoming, q = -1 - outgoing;
    return {at, SharedCorner::From::second, -1, (p + 1) % secondCount == q ? q : p};
}

void cutSegment(const PlanePolygon& segment, const PlanePolygon& polygon, double slack, SharedPolygon& shared) {
    std::array<SharedCorner, 2> ends;
    for (int k = 0; k < 2; ++k) ends[k] = {segment.corners[k], SharedCorner::From::first, k, -1};
    for (int edge = 0; edge < polygon.count; ++edge) {
        const Cut cut = cutAlong(polygon, edge);
        const double d[2] = {cut.inside(ends[0].at), cut.inside(ends[1].at)};
        if (d[0] < -slack && d[1] < -slack) return;
        for (int k = 0; k < 2; ++k) {
            if (d[k] >= -slack) continue;
            const PlanePoint at = d[1 - k] > 0 ? between(ends[k].at, ends[1 - k].at, d[k], d[1 - k]) : ends[1 - k].at;
            ends[k] = {at, SharedCorner::From::crossing, 0, edge};
        }
    }
    shared.count = 2;
    std::copy(ends.begin(), ends.end(), shared.corners.begin());
}

}  // namespace

void findSharedPolygon(const PlanePolygon& first, const PlanePolygon& second, double slack, SharedPolygon& shared) {
    shared.count = 0;
    if (first.count == 2) return cutSegment(first, second, slack, shared);
    std::array<CutPolygon, 2> polygons;
    CutPolygon *polygon = &polygons[0], *kept = &polygons[1];
    for (int k = 0; k < first.count; ++k) append(*polygon, first.corners[k], k);
    for (int edge = 0; edge < second.count && polygon->count > 0; ++edge) {
        cutPolygon(*polygon, cutAlong(second, edge), slack, *kept);
        std::swap(polygon, kept);
    }
    for (int k = 0; k < polygon->count; ++k) {
        const int incoming = polygon->corners[(k + polygon->count - 1) % polygon->count].edge;
        shared.corners[shared.count++] =
            cornerBetween(incoming, polygon->corners[k].edge, polygon->corners[k].at, second.count);
    }
}

}  // namespace talus
