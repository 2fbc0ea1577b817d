#include "collision/narrow/outline_contacts.hpp"

#include <algorithm>

namespace talus {
namespace {

// From the frame of one outline to that of another, in units of their scales.
struct PlaneMap {
    double scale = 1, cosine = 1, sine = 0;
    Vec2 shift;

    Vec2 turn(const Vec2& v) const { return {cosine * v.x - sine * v.y, sine * v.x + cosine * v.y}; }
    Vec2 operator()(const Vec2& p) const { return shift + scale * turn(p); }
};

PlaneMap mapBetween(const OutlineInPlace& from, const OutlineInPlace& to) {
    const Vec3 axis = rotateBack(to.pose.orientation, rotate(from.pose.orientation, {1, 0, 0}));
    const Vec3 shift = rotateBack(to.pose.orientation, from.pose.position - to.pose.position);
    const double length = std::hypot(axis.x, axis.y);
    return {from.scale / to.scale, axis.x / length, axis.y / length, Vec2{shift.x, shift.y} / to.scale};
}

Vec3 toWorld(const OutlineInPlace& body, const Vec2& p) {
    return body.pose.position + body.scale * rotate(body.pose.orientation, {p.x, p.y, 0});
}

// Curvature for contact laws; a corner counts as a disc of the same area.
double bodyCurvature(const OutlineInPlace& body, bool corner, double curvature) {
    return (corner ? 1 / body.outline->equivalentRadius : curvature) / body.scale;
}

double effectiveRadius(const OutlineInPlace& a, double curvatureA, const OutlineInPlace& b, double curvatureB) {
    // Flat or hollow places count as discs of the same area too.
    const double usual = 1 / (a.scale * a.outline->equivalentRadius) + 1 / (b.scale * b.outline->equivalentRadius);
    const double sum = curvatureA + curvatureB;
    return 1 / (sum > 1e-3 * usual ? sum : usual);
}

// The knots of one body on the curve of the other.
class KnotsOnSurface {
public:
    KnotsOnSurface(const OutlineInPlace& knots, const OutlineInPlace& surface, double margin)
        : knots_(knots), surface_(surface), map_(mapBetween(knots, surface)), margin_(margin / surface.scale) {}

    // `side`: 1 if the normal of the surface is that of the contact, -1 if the surface is that of a.
    void find(double side, std::uint64_t firstFeature, std::vector<ContactPoint>& points) const {
        visit(0, CurveTree::noHint, side, firstFeature, points);
    }

private:
    void visit(std::uint32_t index, double hint, double side, std::uint64_t firstFeature,
               std::vector<ContactPoint>& points) const {
        const Outline::Group& group = knots_.outline->groups[index];
        const ClosestPoint middle = surface_.outline->tree.closestPoint(map_(group.centre), hint);
        if (middle.gap > margin_ + map_.scale * group.radius) return;
        if (group.child > 0) {
            visit(group.child, middle.parameter, side, firstFeature, points);
            visit(group.child + 1, middle.parameter, side, firstFeature, points);
            return;
        }
        for (std::uint32_t k = group.first; k < group.last; ++k) {
            const Outline::Knot& knot = knots_.outline->knots[k];
            const ClosestPoint foot = surface_.outline->tree.closestPoint(map_(knot.position), middle.parameter);
            if (!(foot.gap < margin_) || dot(map_.turn(knot.normal), foot.normal) > 0) continue;
            points.push_back(contactAt(knot, foot, side, firstFeature + k));
        }
    }

    ContactPoint contactAt(const Outline::Knot& knot, const ClosestPoint& foot, double side,
                           std::uint64_t feature) const {
        const Vec2 middle = map_(knot.position) - 0.5 * foot.gap * foot.normal;
        const double atFoot = foot.atCorner ? 0.0 : curvature(surface_.outline->curve.derivatives(foot.parameter));
        return {.position = toWorld(surface_, middle),
                .normal = side * rotate(surface_.pose.orientation, {foot.normal.x, foot.normal.y, 0}),
                .gap = surface_.scale * foot.gap,
                .radius = effectiveRadius(knots_, bodyCurvature(knots_, knot.corner, knot.curvature), surface_,
                                          bodyCurvature(surface_, foot.atCorner, atFoot)),
                .feature = feature};
    }

    const OutlineInPlace& knots_;
    const OutlineInPlace& surface_;
    PlaneMap map_;
    double margin_;  // in units of the scale of the surface
};

// The knots of a body on one face of a wall.
class KnotsOnFace {
public:
    KnotsOnFace(const OutlineInPlace& knots, const ShapeInPlace& wall, int face, double margin)
        : knots_(knots), wall_(wall), face_(face), margin_(margin) {}

    void find(std::vector<ContactPoint>& points) const { visit(0, points); }

private:
    FaceDistance distanceOf(const Vec3& place) const {
        return distanceToFace(*wall_.shape, face_, rotateBack(wall_.pose.orientation, place - wall_.pose.position));
    }

    void visit(std::uint32_t index, std::vector<ContactPoint>& points) const {
        const Outline::Group& group = knots_.outline->groups[index];
        if (distanceOf(toWorld(knots_, group.centre)).distance > margin_ + knots_.scale * group.radius) return;
        if (group.child > 0) {
            visit(group.child, points);
            visit(group.child + 1, points);
            return;
        }
        for (std::uint32_t k = group.first; k < group.last; ++k) addIfNear(k, points);
    }

    void addIfNear(std::uint32_t number, std::vector<ContactPoint>& points) const {
        const Outline::Knot& knot = knots_.outline->knots[number];
        const Vec3 place = toWorld(knots_, knot.position);
        const FaceDistance d = distanceOf(place);
        const Vec3 normal = rotate(wall_.pose.orientation, d.normal);
        const Vec3 outward = rotate(knots_.pose.orientation, {knot.normal.x, knot.normal.y, 0});
        if (!(d.distance < margin_) || dot(outward, normal) > 0) return;
        const double own = 1 / (knots_.scale * knots_.outline->equivalentRadius);
        const double sum = bodyCurvature(knots_, knot.corner, knot.curvature) + d.curvature;
        points.push_back({.position = place - 0.5 * d.distance * normal,
                          .normal = normal,
                          .gap = d.distance,
                          .radius = 1 / (sum > 1e-3 * own ? sum : own),
                          .feature = (static_cast<std::uint64_t>(face_) << 32) + number});
    }

    const OutlineInPlace& knots_;
    const ShapeInPlace& wall_;
    int face_;
    double margin_;
};

}  // namespace

void findOutlineWallContacts(const OutlineInPlace& a, const ShapeInPlace& wall, int face, double margin,
                             std::vector<ContactPoint>& points) {
    KnotsOnFace(a, wall, face, margin).find(points);
}

void findOutlineContacts(const OutlineInPlace& a, const OutlineInPlace& b, double margin,
                         std::vector<ContactPoint>& points) {
    if (leastDistance(a, b) > margin) return;
    KnotsOnSurface(a, b, margin).find(1, 0, points);
    KnotsOnSurface(b, a, margin).find(-1, std::uint64_t{1} << 32, points);
}

double leastDistance(const OutlineInPlace& a, const OutlineInPlace& b) {
    const double apart = norm(a.pose.position - b.pose.position);
    return std::max(0.0, apart - a.scale * a.outline->radius - b.scale * b.outline->radius);
}

}  // namespace talus
