#include "collision/narrow/outline_pairs.hpp"

#include <numbers>

#include "base/check.hpp"
#include "collision/narrow/outline_contacts.hpp"
#include "collision/narrow/wall_contacts.hpp"

namespace talus {
namespace {

constexpr std::uint32_t placesRoundCorner = 48;  // of a whole circle; as dense as the usual knots

// A polygon of scale 1 is this far from a point of its plane, without its rounding.
struct PolygonDistance {
    double distance = -1e300;  // negative inside
    Vec2 normal;               // unit, out of the polygon
    bool atCorner = false;
};

struct PlacedPolygon {
    const PolygonShape& shape;
    PlaneFrame frame;
    double usualCurvature;  // 1/m, of the disc of the same area

    std::size_t count() const { return shape.corners.size(); }
    Vec2 corner(std::size_t k) const { return {shape.corners[k % count()].x, shape.corners[k % count()].y}; }
    double rounding() const { return frame.scale * shape.rounding; }  // m

    // 1/m, for contact laws. Sharp corners count as the disc of the same area; edges are flat.
    double curvature(bool atCorner) const {
        if (!atCorner) return 0;
        return shape.rounding > 0 ? 1 / rounding() : usualCurvature;
    }
};

// The edge whose line has the point farthest outside; needs two corners.
PolygonDistance bestEdge(const PlacedPolygon& polygon, const Vec2& p) {
    PolygonDistance best;
    for (std::size_t k = 0; k < polygon.count(); ++k) {
        const Vec2 normal = turnedRight(normalized(polygon.corner(k + 1) - polygon.corner(k)));
        const double distance = dot(normal, p - polygon.corner(k));
        if (distance > best.distance) best = {distance, normal, false};
    }
    return best;
}

// The nearest place of the edges, if the point is not on one.
PolygonDistance nearestPlace(const PlacedPolygon& polygon, const Vec2& p) {
    PolygonDistance best{1e300, {0, 1}, false};
    for (std::size_t k = 0; k < polygon.count(); ++k) {
        const Vec2 from = polygon.corner(k), edge = polygon.corner(k + 1) - from;
        const double squared = normSquared(edge);
        const double t = squared > 0 ? std::clamp(dot(p - from, edge) / squared, 0.0, 1.0) : 0.0;
        const Vec2 apart = p - (from + t * edge);
        const double distance = norm(apart);
        if (distance < best.distance) {
            best = {distance, distance > 0 ? apart / distance : Vec2{0, 1}, t == 0 || t == 1};
        }
    }
    return best;
}

PolygonDistance distanceTo(const PlacedPolygon& polygon, const Vec2& p) {
    if (polygon.count() == 1) return nearestPlace(polygon, p);
    const PolygonDistance edge = bestEdge(polygon, p);
    if (edge.distance <= 0) return edge;
    return nearestPlace(polygon, p);
}

// Away from the middle between both neighbours: no contact is on the other side. Zero of a lone corner.
Vec2 outwardAt(const PlacedPolygon& polygon, std::size_t k) {
    const Vec2 inward = polygon.corner(k + 1) + polygon.corner(k + polygon.count() - 1) - 2 * polygon.corner(k);
    return -inward;
}

// The knots of an outline and the curve it has, against a polygon. Normals point out of the polygon times `side`.
class OutlineOnPolygon {
public:
    OutlineOnPolygon(const OutlineInPlace& outline, const PlacedPolygon& polygon, double margin, double side)
        : outline_(outline),
          polygon_(polygon),
          toPolygon_(frameOf(outline), polygon.frame),
          toOutline_(polygon.frame, frameOf(outline)),
          margin_(margin),
          side_(side) {}

    void find(std::vector<ContactPoint>& points) const {
        const std::size_t first = points.size();
        visitKnots(0, points);
        keepNearest(outline_, margin_, first, points);
        for (std::uint32_t k = 0; k < polygon_.count(); ++k) visitCorner(k, points);
    }

private:
    double gapAt(const PolygonDistance& d) const { return polygon_.frame.scale * d.distance - polygon_.rounding(); }

    void visitKnots(std::uint32_t index, std::vector<ContactPoint>& points) const {
        const Outline::Group& group = outline_.outline->groups[index];
        if (gapAt(distanceTo(polygon_, toPolygon_(group.centre))) > margin_ + outline_.scale * group.radius) return;
        if (group.child > 0) {
            visitKnots(group.child, points);
            visitKnots(group.child + 1, points);
            return;
        }
        for (std::uint32_t k = group.first; k < group.last; ++k) addKnot(k, points);
    }

    void addKnot(std::uint32_t number, std::vector<ContactPoint>& points) const {
        const Outline::Knot& knot = outline_.outline->knots[number];
        const Vec2 place = toPolygon_(knot.position);
        const PolygonDistance d = distanceTo(polygon_, place);
        const double gap = gapAt(d);
        if (!(gap < margin_) || dot(toPolygon_.turn(knot.normal), d.normal) > 0) return;
        const Vec3 normal = polygon_.frame.direction(d.normal);
        points.push_back({.position = polygon_.frame.toWorld(place) - 0.5 * gap * normal,
                          .normal = side_ * normal,
                          .gap = gap,
                          .radius = radiusOf(knotCurvature(outline_, knot), polygon_.curvature(d.atCorner)),
                          .feature = number});
    }

    // The nearest place of the curve is exact; places round the corner find others, as in a hollow.
    void visitCorner(std::uint32_t number, std::vector<ContactPoint>& points) const {
        const Vec2 corner = toOutline_(polygon_.corner(number));
        const ClosestPoint nearest = outline_.outline->tree.closestPoint(corner);
        if (!(outline_.scale * nearest.gap - polygon_.rounding() < margin_)) return;
        const Vec2 outward = toOutline_.turn(outwardAt(polygon_, number));
        addFoot({corner, outward, polygon_.rounding()}, nearest, cornerFeature(number, 0), points);
        for (std::uint32_t k = 0; polygon_.shape.rounding > 0 && k < placesRoundCorner; ++k) {
            const double angle = 2 * std::numbers::pi * k / placesRoundCorner;
            const Vec2 spoke = toOutline_.turn({std::cos(angle), std::sin(angle)});
            if (dot(spoke, outward) < 0) continue;
            const Vec2 place = corner + toOutline_.scale * polygon_.shape.rounding * spoke;
            const ClosestPoint foot = outline_.outline->tree.closestPoint(place, nearest.parameter);
            addFoot({place, spoke, 0}, foot, cornerFeature(number, 1 + k), points);
        }
    }

    static std::uint64_t cornerFeature(std::uint32_t number, std::uint32_t place) {
        return (std::uint64_t{1} << 32) + number * (1 + placesRoundCorner) + place;
    }

    // A place of the polygon, in the frame of the outline, with a ball around it.
    struct Place {
        Vec2 position, outward;
        double ball = 0;  // m
    };

    void addFoot(const Place& place, const ClosestPoint& foot, std::uint64_t feature,
                 std::vector<ContactPoint>& points) const {
        const double gap = outline_.scale * foot.gap - place.ball;
        if (!(gap < margin_) || dot(place.outward, foot.normal) > 0) return;
        const Vec3 normal = frameOf(outline_).direction(foot.normal);
        points.push_back({.position = frameOf(outline_).toWorld(place.position) - (place.ball + 0.5 * gap) * normal,
                          .normal = -side_ * normal,
                          .gap = gap,
                          .radius = radiusOf(footCurvature(outline_, foot), polygon_.curvature(true)),
                          .feature = feature});
    }

    double radiusOf(double ofOutline, double ofPolygon) const {
        return effectiveRadius(ofOutline + ofPolygon, usualCurvature(outline_) + polygon_.usualCurvature);
    }

    OutlineInPlace outline_;
    PlacedPolygon polygon_;
    PlaneMap toPolygon_, toOutline_;
    double margin_, side_;
};

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

// side: 1 if the outline is the first of the two bodies.
void findOnPolygon(const OutlineInPlace& outline, const ShapeInPlace& other, double margin, double side,
                   std::vector<ContactPoint>& points) {
    OutlineOnPolygon(outline, polygonOf(other, outline), margin, side).find(points);
}

bool areApart(const ShapeInPlace& a, const ShapeInPlace& b, double margin) {
    const double reach = a.scale * boundingRadius(*a.shape) + b.scale * boundingRadius(*b.shape);
    return norm(a.pose.position - b.pose.position) - reach >= margin;
}

}  // namespace

void findOutlinePairContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                             std::vector<ContactPoint>& points) {
    if (isWall(*b.shape)) {
        forEachFace(*b.shape, [&](int face) { findOutlineWallContacts(outlineOf(a), b, face, margin, points); });
        return;
    }
    if (areApart(a, b, margin)) return;
    if (isOutline(a) && isOutline(b)) return findOutlineContacts(outlineOf(a), outlineOf(b), margin, points);
    if (isOutline(a)) return findOnPolygon(outlineOf(a), b, margin, 1, points);
    findOnPolygon(outlineOf(b), a, margin, -1, points);
}

}  // namespace talus
