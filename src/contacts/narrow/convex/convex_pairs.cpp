#include "contacts/narrow/convex/convex_pairs.hpp"

#include <algorithm>

#include "contacts/narrow/convex/boxes.hpp"
#include "contacts/narrow/convex/hulls.hpp"
#include "contacts/narrow/convex/manifold.hpp"
#include "contacts/narrow/convex/polygons.hpp"
#include "contacts/narrow/ellipsoid/ellipsoids.hpp"
#include "contacts/narrow/point_distance.hpp"

namespace talus {
namespace {

template <class Kind>
bool is(const ConvexCore& body) {
    return std::holds_alternative<Kind>(*body.shape);
}

double findSphereContact(const ConvexCore& sphere, const ConvexCore& b, double margin,
                         std::vector<ContactPoint>& points) {
    const PointDistance d = pointDistance(*b.shape, b.toLocal(sphere.centre - b.centre) / b.scale);
    const double radius = sphere.scale;
    const double gap = b.scale * d.distance - b.rounding - radius;
    if (!(gap < margin)) return gap;
    const Vec3 normal = b.axes * d.normal;
    Curvature other = d.curvature;
    other.mean /= b.scale;
    const Curvature own{Curvature::Kind::round, 1 / radius};
    points.push_back({sphere.centre - (radius + 0.5 * gap) * normal, normal, gap,
                      contactRadius(own, sphere.sized(), other, b.sized()), 0});
    return gap;
}

double findEllipsoidContact(const ConvexCore& a, const ConvexCore& b, const ConvexSearch& search,
                            std::vector<ContactPoint>& points) {
    const EllipsoidDistance found =
        ellipsoidDistance(EllipsoidInPlace(a), EllipsoidInPlace(b), search.margin, search.near);
    if (found.distance < search.margin) points.push_back(ellipsoidContact(found));
    return found.distance;
}

// By the quickest search there is for the pair.
CoreDistance distanceOf(const ConvexCore& a, const ConvexCore& b, double limit) {
    if (is<BoxShape>(a) && is<BoxShape>(b)) return boxDistance(a, b, limit);
    if (is<HullShape>(a) && is<HullShape>(b) && haveFewFaces(a, b)) return hullDistance(a, b, limit);
    if (is<PolygonShape>(b) && (is<PolygonShape>(a) || is<SphereShape>(a))) return polygonDistance(a, b);
    return coreDistance(a, b, limit);
}

double findOrderedContacts(const ConvexCore& a, const ConvexCore& b, const ConvexSearch& search,
                           std::vector<ContactPoint>& points) {
    if (is<SphereShape>(a) && hasPointDistance(*b.shape)) return findSphereContact(a, b, search.margin, points);
    if (is<EllipsoidShape>(a) && is<EllipsoidShape>(b)) return findEllipsoidContact(a, b, search, points);
    const double roundings = a.rounding + b.rounding, limit = search.margin + roundings;
    const CoreDistance found = distanceOf(a, b, limit);
    if (found.distance < limit) addManifold(a, b, found, search.margin, points);
    return found.distance - roundings;
}

}  // namespace

void turnRound(std::vector<ContactPoint>& points, std::size_t first) {
    for (std::size_t k = first; k < points.size(); ++k) {
        points[k].normal = -points[k].normal;
        points[k].feature = (points[k].feature << 32) | (points[k].feature >> 32);
    }
    if (points.size() - first < 2) return;
    std::sort(points.begin() + std::ptrdiff_t(first), points.end(),
              [](const ContactPoint& p, const ContactPoint& q) { return p.feature < q.feature; });
}

bool goesBefore(const ConvexCore& a, const ConvexCore& b) {
    if (a.shape->index() != b.shape->index()) return a.shape->index() < b.shape->index();
    return goesBefore(a.scale, a.centre, b.scale, b.centre);
}

double findConvexPairContacts(const ConvexCore& a, const ConvexCore& b, const ConvexSearch& search,
                              std::vector<ContactPoint>& points) {
    const double reach = a.size + b.size + search.margin, apart = normSquared(a.centre - b.centre);
    if (apart >= reach * reach) return std::sqrt(apart) - a.size - b.size;
    if (goesBefore(a, b)) return findOrderedContacts(a, b, search, points);
    const std::size_t first = points.size();
    const Vec3 back = search.near != nullptr ? -*search.near : Vec3{};
    const ConvexSearch fromThere{search.margin, search.near != nullptr ? &back : nullptr};
    const double found = findOrderedContacts(b, a, fromThere, points);
    turnRound(points, first);
    return found;
}

}  // namespace talus
