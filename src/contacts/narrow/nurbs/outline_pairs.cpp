#include "contacts/narrow/nurbs/outline_pairs.hpp"

#include "base/check.hpp"
#include "contacts/narrow/wall_contacts.hpp"

namespace talus {
namespace {

// A polygon of scale 1 is this far from a point of its plane, without its rounding.
struct PolygonDistance {
    double distance = -1e300;  // negative inside
    Vec2 normal;               // unit, out of the polygon
    bool atCorner = false;
    std::size_t edge = 0;  // that begins at the corner of this number
};

struct PlacedPolygon {
    const PolygonShape& shape;
    PlaneFrame frame;
    double usualCurvature;  // 1/m, of the disc of the same area

    std::size_t count() const { return shape.corners.size(); }
    Vec2 corner(std::size_t k) const { return {shape.corners[k % count()].x, shape.corners[k % count()].y}; }
    Vec2 direction(std::size_t k) const { return normalized(corner(k + 1) - corner(k)); }  // of the edge from corner k
    double rounding() const { return frame.scale * shape.rounding; }                       // m

    // 1/m, for contact laws. Sharp corners count as the disc of the same area; edges are flat.
    double curvature(bool atCorner) const {
        if (!atCorner) return 0;
        return shape.rounding > 0 ? 1 / rounding() : usualCurvature;
    }
};

// The edge whose line has the point farthest outside; needs three corners.
PolygonDistance bestEdge(const PlacedPolygon& polygon, const Vec2& p) {
    PolygonDistance best;
    for (std::size_t k = 0; k < polygon.count(); ++k) {
        const Vec2 normal = turnedRight(normalized(polygon.corner(k + 1) - polygon.corner(k)));
        const double distance = dot(normal, p - polygon.corner(k));
        if (distance > best.distance) best = {distance, normal, false, k};
    }
    return best;
}

// The nearest place of the edges, if the point is outside.
PolygonDistance nearestPlace(const PlacedPolygon& polygon, const Vec2& p) {
    PolygonDistance best{1e300, {0, 1}, false, 0};
    for (std::size_t k = 0; k < polygon.count(); ++k) {
        const Vec2 from = polygon.corner(k), edge = polygon.corner(k + 1) - from;
        const double squared = normSquared(edge);
        const double t = squared > 0 ? std::clamp(dot(p - from, edge) / squared, 0.0, 1.0) : 0.0;
        const Vec2 apart = p - (from + t * edge);
        const double distance = norm(apart);
        if (!(distance < best.distance)) continue;
        // Beside an edge the direction is known also where the distance is round-off.
        const bool atCorner = t == 0 || t == 1;
        const Vec2 across = squared > 0 ? turnedRight(normalized(edge)) : Vec2{0, 1};
        const Vec2 normal = atCorner && distance > 0 ? apart / distance : dot(apart, across) < 0 ? -across : across;
        best = {distance, normal, atCorner, k};
    }
    return best;
}

PolygonDistance distanceTo(const PlacedPolygon& polygon, const Vec2& p) {
    if (polygon.count() < 3) return nearestPlace(polygon, p);  // discs and stadiums have no inside but their rounding
    const PolygonDistance edge = bestEdge(polygon, p);
    if (edge.distance <= 0) return edge;
    return nearestPlace(polygon, p);
}

// The distance to a polygon, in its own frame and metres.
class PolygonField {
public:
    explicit PolygonField(const PlacedPolygon& polygon) : polygon_(polygon) {}

    PlaneFrame frame() const { return {1, polygon_.frame.pose}; }
    FieldPlace at(const Vec2& place, double) const {
        const PolygonDistance d = distanceTo(polygon_, place / polygon_.frame.scale);
        return {polygon_.frame.scale * d.distance - polygon_.rounding(), d.normal, static_cast<double>(d.edge),
                d.atCorner};
    }
    bool isBeyond(const Vec2&, double) const { return false; }
    double bend(const FieldPlace& place, double distance) const {
        if (!place.atCorner) return 0;
        const double fromCorner = distance + polygon_.rounding();
        return fromCorner != 0 ? 1 / fromCorner : 1e300;
    }
    std::array<std::optional<FieldCorner>, 2> cornersBeside(const FieldPlace& place) const {
        if (polygon_.shape.rounding > 0 || polygon_.count() < 3) return {};
        const auto edge = static_cast<std::size_t>(place.parameter);
        return {cornerAt(edge), cornerAt(edge + 1)};
    }
    // Polygons are convex: none of their corners is hollow.
    std::optional<FieldPlace> beyond(const FieldCorner&, const Vec2&) const { return std::nullopt; }
    double lawCurvature(const FieldPlace& place) const { return polygon_.curvature(place.atCorner); }
    double usual() const { return polygon_.usualCurvature; }

private:
    FieldCorner cornerAt(std::size_t k) const {
        return {polygon_.frame.scale * polygon_.corner(k), polygon_.direction(k + polygon_.count() - 1),
                polygon_.direction(k)};
    }

    PlacedPolygon polygon_;
};

// The corners and edges of a polygon, without its rounding, in the frame of another body and metres.
class PolygonCurve {
public:
    PolygonCurve(const PlacedPolygon& polygon, const PlaneFrame& frame)
        : polygon_(polygon), map_(polygon.frame, {1, frame.pose}) {}

    std::uint32_t knotCount() const { return static_cast<std::uint32_t>(polygon_.count()); }
    CurveKnot knot(std::uint32_t k) const {
        return {.position = map_(polygon_.corner(k)),
                .before = map_.turn(polygon_.direction(k + polygon_.count() - 1)),
                .after = map_.turn(polygon_.direction(k)),
                .end = true,
                .corner = true,
                .straight = true};
    }
    CurvePart part(std::uint32_t) const {
        return {.centre = map_({}), .radius = 1e300, .sag = 1e300, .last = knotCount()};
    }
    CurvePlace between(std::uint32_t k, double t) const {
        const Vec2 from = map_(polygon_.corner(k)), edge = map_(polygon_.corner(k + 1)) - from;
        return {.position = from + t * edge, .tangent = normalized(edge), .speed = norm(edge)};
    }
    double ball() const { return polygon_.rounding(); }
    double gapTolerance() const { return 0; }
    double lawCurvature(const Touch& touch) const { return polygon_.curvature(touch.corner); }
    double usual() const { return polygon_.usualCurvature; }
    std::uint32_t stretchOf(std::uint32_t k) const { return k; }

private:
    PlacedPolygon polygon_;
    PlaneMap map_;
};

constexpr std::uint64_t firstOfPolygon = std::uint64_t{1} << 32;

// The nearest place of the curve to the centre of a disc, also if that is inside.
void addNearest(const OutlineInPlace& outline, const PlacedPolygon& disc, const SearchSide& side,
                std::vector<ContactPoint>& points) {
    const OutlineField field(outline);
    const PlaneMap map(disc.frame, field.frame());
    const Vec2 centre = map(disc.corner(0));
    Touch touch{.place = centre, .field = field.at(centre), .corner = true};
    touch.field.gap -= disc.rounding();
    if (!(touch.field.gap < side.search.margin)) return;
    points.push_back(contactAt(PolygonCurve(disc, field.frame()), field, touch, 0, side));
}

// side: 1 if the outline is the first of the two bodies.
void findOnPolygon(const OutlineInPlace& outline, const PlacedPolygon& polygon, const OutlineSearch& search,
                   double side, std::vector<ContactPoint>& points) {
    const double size = 1 / std::max(polygon.usualCurvature, usualCurvature(outline));
    const SearchSide onOutline{side, 0, search, size}, onPolygon{-side, firstOfPolygon, search, size};
    const PolygonField field(polygon);
    FoundPlaces found(points);
    findAlong(OutlineCurve(outline, field.frame()), field, onOutline, found);
    if (polygon.count() == 1) {
        addNearest(outline, polygon, onPolygon, points);
    } else {
        const OutlineField ofOutline(outline);
        findAlong(PolygonCurve(polygon, ofOutline.frame()), ofOutline, onPolygon, found);
    }
    found.finish(size);
}

OutlineInPlace outlineOf(const ShapeInPlace& body) {
    return {std::get<OutlineShape>(*body.shape).outline.get(), body.scale, body.pose};
}

bool isOutline(const ShapeInPlace& body) { return std::holds_alternative<OutlineShape>(*body.shape); }

// A sphere has no plane of its own: it is a disc in that of the outline.
PlacedPolygon polygonOf(const ShapeInPlace& body, const OutlineInPlace& outline) {
    static const PolygonShape disc{{{0, 0}}, 1};
    const double usualCurvature = 1 / (body.scale * equivalentRadius(*body.shape));
    if (const auto* polygon = std::get_if<PolygonShape>(body.shape)) {
        return {*polygon, {body.scale, body.pose}, usualCurvature};
    }
    ENGINE_CHECK(std::holds_alternative<SphereShape>(*body.shape));
    return {disc, {body.scale, {body.pose.position, outline.pose.orientation}}, usualCurvature};
}

bool areApart(const ShapeInPlace& a, const ShapeInPlace& b, double margin) {
    const double reach = a.scale * boundingRadius(*a.shape) + b.scale * boundingRadius(*b.shape);
    return norm(a.pose.position - b.pose.position) - reach >= margin;
}

}  // namespace

void findOutlinePairContacts(const ShapeInPlace& a, const ShapeInPlace& b, const OutlineSearch& search,
                             std::vector<ContactPoint>& points) {
    if (isWall(*b.shape)) {
        forEachFace(*b.shape, [&](int face) { findOutlineWallContacts(outlineOf(a), b, face, search, points); });
        return;
    }
    if (areApart(a, b, search.margin)) return;
    if (isOutline(a) && isOutline(b)) return findOutlineContacts(outlineOf(a), outlineOf(b), search, points);
    if (isOutline(a)) return findOnPolygon(outlineOf(a), polygonOf(b, outlineOf(a)), search, 1, points);
    findOnPolygon(outlineOf(b), polygonOf(a, outlineOf(b)), search, -1, points);
}

}  // namespace talus
