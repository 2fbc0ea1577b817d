#include "collision/narrow/outline_contacts.hpp"

#include <algorithm>

namespace talus {
namespace {

// The knots of one body on the curve of the other.
class KnotsOnSurface {
public:
    KnotsOnSurface(const OutlineInPlace& knots, const OutlineInPlace& surface, double margin)
        : knots_(knots), surface_(surface), map_(frameOf(knots), frameOf(surface)), margin_(margin / surface.scale) {}

    // `side`: 1 if the normal of the surface is that of the contact, -1 if the surface is that of a.
    void find(double side, std::uint64_t firstFeature, std::vector<ContactPoint>& points) const {
        const std::size_t first = points.size();
        visit(0, CurveTree::noHint, side, firstFeature, points);
        keepNearest(knots_, surface_.scale * margin_, first, points);
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
        return {.position = frameOf(surface_).toWorld(middle),
                .normal = side * frameOf(surface_).direction(foot.normal),
                .gap = surface_.scale * foot.gap,
                .radius = effectiveRadius(knotCurvature(knots_, knot) + footCurvature(surface_, foot),
                                          usualCurvature(knots_) + usualCurvature(surface_)),
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

    void find(std::vector<ContactPoint>& points) const {
        const std::size_t first = points.size();
        visit(0, points);
        keepNearest(knots_, margin_, first, points);
    }

private:
    FaceDistance distanceOf(const Vec3& place) const {
        return distanceToFace(*wall_.shape, face_, rotateBack(wall_.pose.orientation, place - wall_.pose.position));
    }

    void visit(std::uint32_t index, std::vector<ContactPoint>& points) const {
        const Outline::Group& group = knots_.outline->groups[index];
        if (distanceOf(frameOf(knots_).toWorld(group.centre)).distance > margin_ + knots_.scale * group.radius) return;
        if (group.child > 0) {
            visit(group.child, points);
            visit(group.child + 1, points);
            return;
        }
        for (std::uint32_t k = group.first; k < group.last; ++k) addIfNear(k, points);
    }

    void addIfNear(std::uint32_t number, std::vector<ContactPoint>& points) const {
        const Outline::Knot& knot = knots_.outline->knots[number];
        const Vec3 place = frameOf(knots_).toWorld(knot.position);
        const FaceDistance d = distanceOf(place);
        const Vec3 normal = rotate(wall_.pose.orientation, d.normal);
        const Vec3 outward = frameOf(knots_).direction(knot.normal);
        if (!(d.distance < margin_) || dot(outward, normal) > 0) return;
        points.push_back({.position = place - 0.5 * d.distance * normal,
                          .normal = normal,
                          .gap = d.distance,
                          .radius = effectiveRadius(knotCurvature(knots_, knot) + d.curvature, usualCurvature(knots_)),
                          .feature = (static_cast<std::uint64_t>(face_) << 32) + number});
    }

    const OutlineInPlace& knots_;
    const ShapeInPlace& wall_;
    int face_;
    double margin_;
};

}  // namespace

void keepNearest(const OutlineInPlace& knots, double margin, std::size_t first, std::vector<ContactPoint>& points) {
    constexpr std::uint32_t neighbours = 3;  // knots to either side
    const auto count = static_cast<std::uint32_t>(knots.outline->knots.size());
    const double slack = 2 * knots.scale * knots.outline->gapTolerance + 0.05 * margin;
    const std::size_t found = points.size() - first;
    const auto at = [&](std::size_t k) -> const ContactPoint& { return points[first + k % found]; };
    // Neighbours in the list that are neighbours on the curve too, which goes round.
    const auto leastAround = [&](std::size_t k) {
        double least = at(k).gap;
        for (std::size_t j = 1; j < found && j <= neighbours; ++j) {
            const std::uint32_t after = (knotOf(at(k + j).feature) + count - knotOf(at(k).feature)) % count;
            const std::uint32_t before = (knotOf(at(k).feature) + count - knotOf(at(k + found - j).feature)) % count;
            if (after <= neighbours) least = std::min(least, at(k + j).gap);
            if (before <= neighbours) least = std::min(least, at(k + found - j).gap);
        }
        return least;
    };
    static thread_local std::vector<char> matters;
    matters.assign(found, 0);
    for (std::size_t k = 0; k < found; ++k) {
        const bool corner = knots.outline->knots[knotOf(at(k).feature)].corner;
        matters[k] = corner || at(k).gap <= std::max(0.0, leastAround(k)) + slack;
    }
    std::size_t kept = first;
    for (std::size_t k = 0; k < found; ++k) {
        if (matters[k]) points[kept++] = points[first + k];
    }
    points.resize(kept);
}

double usualCurvature(const OutlineInPlace& body) { return 1 / (body.scale * body.outline->equivalentRadius); }

double knotCurvature(const OutlineInPlace& body, const Outline::Knot& knot) {
    return knot.corner ? usualCurvature(body) : knot.curvature / body.scale;
}

double footCurvature(const OutlineInPlace& body, const ClosestPoint& foot) {
    if (foot.atCorner) return usualCurvature(body);
    return curvature(body.outline->curve.derivatives(foot.parameter)) / body.scale;
}

double effectiveRadius(double curvatures, double usual) { return 1 / (curvatures > 1e-3 * usual ? curvatures : usual); }

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
