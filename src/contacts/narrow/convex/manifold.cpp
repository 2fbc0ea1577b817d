#include "contacts/narrow/convex/manifold.hpp"

#include <algorithm>
#include <cmath>

#include "contacts/narrow/convex/shared_polygon.hpp"

namespace talus {
namespace {

// Edges within this angle (its sine) run side by side.
constexpr double sideBySide = 0.1;
// How far outside a corner may lie and still count as on the other's face, as a part of the smaller body's size.
constexpr double slackOfSize = 1e-6;

// The plane across the normal through the point of b that was found.
struct Projection {
    Vec3 origin, x, y, n;

    explicit Projection(const CoreDistance& found) : origin(found.onB), n(found.normal) {
        const Vec3 axis = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
        x = normalized(cross(axis, n));
        y = cross(n, x);
    }
    PlanePoint operator()(const Vec3& p) const { return {dot(x, p - origin), dot(y, p - origin)}; }
    double height(const Vec3& p) const { return dot(n, p - origin); }
    Vec3 back(const PlanePoint& p, double height) const { return origin + p.x * x + p.y * y + height * n; }
};

// Parts seen along n; the faces of a look down and turn with the clock, so they are read backwards.
PlanePolygon seen(const SupportingPart& part, const Projection& project, bool backwards) {
    PlanePolygon polygon;
    polygon.count = part.count;
    for (int k = 0; k < part.count; ++k) polygon.corners[backwards ? part.count - 1 - k : k] = project(part.points[k]);
    return polygon;
}

// Height of a part over a point of the plane: of a face that of its plane, of an edge that of its line.
double heightOver(const SupportingPart& part, const Projection& project, const PlanePoint& at) {
    const PlanePoint start = project(part.points[0]);
    const double h = project.height(part.points[0]);
    if (part.count > 2) {
        const double up = dot(part.normal, project.n);
        return h -
               (dot(part.normal, project.x) * (at.x - start.x) + dot(part.normal, project.y) * (at.y - start.y)) / up;
    }
    if (part.count == 1) return h;
    const PlanePoint end = project(part.points[1]);
    const double dx = end.x - start.x, dy = end.y - start.y;
    const double t = ((at.x - start.x) * dx + (at.y - start.y) * dy) / (dx * dx + dy * dy);
    return h + t * (project.height(part.points[1]) - h);
}

// Makes contacts of points that were found.
struct Contacts {
    const PairOfCores& pair;
    const FacingParts& parts;
    const CoreDistance& found;
    std::vector<ContactPoint>& points;
    const double radius = contactRadius(parts.a.curvature, pair.a.sized(), parts.b.curvature, pair.b.sized());

    void add(const Vec3& onA, const Vec3& onB, double coreGap, std::uint64_t feature) {
        const double gap = coreGap - pair.a.rounding - pair.b.rounding;
        if (!(gap < pair.margin)) return;
        const Vec3 middle = 0.5 * (onA + onB + (pair.b.rounding - pair.a.rounding) * found.normal);
        points.push_back({middle, found.normal, gap, radius, feature});
    }
    PartNumber wholeOf(const SupportingPart& part) const { return part.count == 2 ? part.edge(0) : part.number; }
    bool isCorner(const SupportingPart& part) const { return part.count == 1 && part.number != wholeSurface; }

    // A corner is the place itself; else it is where the search found the two nearest.
    void addFound() {
        Vec3 onA = found.onA, onB = found.onB;
        if (isCorner(parts.a)) {
            onA = parts.a.points[0];
            onB = onA - found.distance * found.normal;
        } else if (isCorner(parts.b)) {
            onB = parts.b.points[0];
            onA = onB + found.distance * found.normal;
        }
        add(onA, onB, found.distance, featureOf(wholeOf(parts.a), wholeOf(parts.b)));
    }
};

void addOnlyPoint(const PairOfCores& pair, const FacingParts& parts, const CoreDistance& found,
                  std::vector<ContactPoint>& points) {
    Contacts{pair, parts, found, points}.addFound();
}

struct Manifold : Contacts {
    const Projection project;

    void addOver(const PlanePoint& at, PartNumber a, PartNumber b) {
        const double high = heightOver(parts.a, project, at), low = heightOver(parts.b, project, at);
        add(project.back(at, high), project.back(at, low), high - low, featureOf(a, b));
    }

    // True if a contact since `first` has the gap that was found. Where a cap lies over an edge of the other the chords
    // of its rim are only nearly right, and boxes take a face for an edge that is as good (boxes.cpp).
    bool hasNearest(std::size_t first) const {
        const double gap = found.distance - pair.a.rounding - pair.b.rounding;
        const double close = parts.a.isCap || parts.b.isCap ? 1e-4 : 2e-6;
        const double enough = gap + close * (pair.a.size + pair.b.size);
        return std::any_of(points.begin() + std::ptrdiff_t(first), points.end(),
                           [&](const ContactPoint& p) { return p.gap <= enough; });
    }

    void addShared();
    void addBeyondChords();
    void addSideBySide();
};

// A cap is round, and eight points of its rim are not all of it.
struct Circle {
    Vec3 centre;        // m
    double radius = 0;  // m

    explicit Circle(const SupportingPart& cap) : centre(cap.capCentre), radius(norm(cap.points[0] - centre)) {}
};

// Number of a corner or edge of a part that was read backwards.
int cornerOf(const SupportingPart& part, int k, bool backwards) { return backwards ? part.count - 1 - k : k; }
int edgeOf(const SupportingPart& part, int k, bool backwards) {
    if (part.count == 2 || !backwards) return part.count == 2 ? 0 : k;
    return (2 * part.count - 2 - k) % part.count;
}

void Manifold::addShared() {
    const PlanePolygon polygonA = seen(parts.a, project, parts.a.count > 2), polygonB = seen(parts.b, project, false);
    const bool swapped = parts.a.count > 2 && parts.b.count == 2;
    const double slack = slackOfSize * std::min(pair.a.size, pair.b.size);
    SharedPolygon shared;
    if (swapped) {
        findSharedPolygon(polygonB, polygonA, slack, shared);
    } else {
        findSharedPolygon(polygonA, polygonB, slack, shared);
    }
    const bool backwards = parts.a.count > 2;
    for (int k = 0; k < shared.count; ++k) {
        SharedCorner c = shared.corners[k];
        if (swapped) {
            std::swap(c.first, c.second);
            if (c.from != SharedCorner::From::crossing) {
                c.from = c.from == SharedCorner::From::first ? SharedCorner::From::second : SharedCorner::From::first;
            }
        }
        if (c.from == SharedCorner::From::first) {
            addOver(c.at, cornerPart(parts.a.corner[cornerOf(parts.a, c.first, backwards)]), wholeOf(parts.b));
        } else if (c.from == SharedCorner::From::second) {
            addOver(c.at, wholeOf(parts.a), cornerPart(parts.b.corner[c.second]));
        } else {
            addOver(c.at, parts.a.edge(edgeOf(parts.a, c.first, backwards)),
                    parts.b.edge(edgeOf(parts.b, c.second, false)));
        }
    }
}

// Corners of one part over the segments between the eight points of the other's rim and the rim itself. Those over the
// polygon are there already, with the same feature; those as good as on the rim belong to it.
void Manifold::addBeyondChords() {
    constexpr double ofRadius = 0.999;
    const auto add = [&](const SupportingPart& cap, const SupportingPart& other, bool capIsA) {
        if (!cap.isCap) return;
        const Circle circle(cap);
        for (int k = 0; k < other.count; ++k) {
            const PlanePoint at = project(other.points[k]);
            const Vec3 over = project.back(at, heightOver(cap, project, at));
            if (norm(over - circle.centre) > ofRadius * circle.radius) continue;
            const PartNumber corner = cornerPart(other.corner[k]), whole = wholeOf(cap);
            addOver(at, capIsA ? whole : corner, capIsA ? corner : whole);
        }
    };
    add(parts.a, parts.b, true);
    add(parts.b, parts.a, false);
}

void Manifold::addSideBySide() {
    const PlanePoint a0 = project(parts.a.points[0]), a1 = project(parts.a.points[1]);
    const PlanePoint b0 = project(parts.b.points[0]), b1 = project(parts.b.points[1]);
    const double ax = a1.x - a0.x, ay = a1.y - a0.y, bx = b1.x - b0.x, by = b1.y - b0.y;
    const double lengthA = std::hypot(ax, ay), lengthB = std::hypot(bx, by);
    if (std::abs(ax * by - ay * bx) > sideBySide * lengthA * lengthB) return;
    // Along the sum of their directions.
    const double sign = ax * bx + ay * by > 0 ? 1 : -1;
    double dx = ax / lengthA + sign * bx / lengthB, dy = ay / lengthA + sign * by / lengthB;
    const double length = std::hypot(dx, dy);
    dx /= length, dy /= length;
    const auto along = [&](const PlanePoint& p) { return p.x * dx + p.y * dy; };
    struct End {
        double at;
        PartNumber a, b;
    };
    const auto cornerA = [&](int k) { return cornerPart(parts.a.corner[k]); };
    const auto cornerB = [&](int k) { return cornerPart(parts.b.corner[k]); };
    const PartNumber edgeA = parts.a.edge(0), edgeB = parts.b.edge(0);
    const int firstB = sign > 0 ? 0 : 1;
    const PlanePoint &lowB = sign > 0 ? b0 : b1, &highB = sign > 0 ? b1 : b0;
    const End low =
        along(a0) > along(lowB) ? End{along(a0), cornerA(0), edgeB} : End{along(lowB), edgeA, cornerB(firstB)};
    const End high =
        along(a1) < along(highB) ? End{along(a1), cornerA(1), edgeB} : End{along(highB), edgeA, cornerB(1 - firstB)};
    if (low.at > high.at) return;
    for (const End& end : {low, high}) {
        const auto onLine = [&](const PlanePoint& start, double ex, double ey) {
            const double t = (end.at - along(start)) / (ex * dx + ey * dy);
            return PlanePoint{start.x + t * ex, start.y + t * ey};
        };
        const PlanePoint onA = onLine(a0, ax, ay), onB = onLine(b0, bx, by);
        const double highHeight = heightOver(parts.a, project, onA), lowHeight = heightOver(parts.b, project, onB);
        add(project.back(onA, highHeight), project.back(onB, lowHeight), highHeight - lowHeight,
            featureOf(end.a, end.b));
    }
}

}  // namespace

void addManifold(const PairOfCores& pair, const FacingParts& parts, const CoreDistance& found,
                 std::vector<ContactPoint>& points) {
    const std::size_t before = points.size();
    if (parts.a.count < 2 || parts.b.count < 2) return addOnlyPoint(pair, parts, found, points);
    Manifold manifold{{pair, parts, found, points}, Projection(found)};
    if (parts.a.count == 2 && parts.b.count == 2) {
        manifold.addSideBySide();
    } else {
        manifold.addShared();
        manifold.addBeyondChords();
    }
    if (!manifold.hasNearest(before)) manifold.addFound();
    // If two have one name, the nearer stays.
    const auto byFeature = [](const ContactPoint& p, const ContactPoint& q) {
        return p.feature != q.feature ? p.feature < q.feature : p.gap < q.gap;
    };
    const auto same = [](const ContactPoint& p, const ContactPoint& q) { return p.feature == q.feature; };
    std::sort(points.begin() + std::ptrdiff_t(before), points.end(), byFeature);
    points.erase(std::unique(points.begin() + std::ptrdiff_t(before), points.end(), same), points.end());
}

void addManifold(const ConvexCore& a, const ConvexCore& b, const CoreDistance& found, double margin,
                 std::vector<ContactPoint>& points) {
    thread_local FacingParts parts;  // large: made once
    findSupportingPart(a, -found.normal, found.onA, parts.a);
    findSupportingPart(b, found.normal, found.onB, parts.b);
    addManifold({a, b, margin}, parts, found, points);
}

}  // namespace talus
