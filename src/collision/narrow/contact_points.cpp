#include "collision/narrow/contact_points.hpp"

#include <algorithm>
#include <cmath>

#include "collision/narrow/boxes.hpp"
#include "collision/narrow/compound_contacts.hpp"
#include "collision/narrow/convex.hpp"
#include "collision/narrow/ellipsoids.hpp"
#include "collision/narrow/manifold.hpp"
#include "collision/narrow/mesh_contacts.hpp"
#include "collision/narrow/point_distance.hpp"
#include "collision/narrow/polygons.hpp"
#include "collision/narrow/surface_contacts.hpp"
#include "collision/narrow/wall_contacts.hpp"

namespace talus {
namespace {

template <class Kind>
bool is(const ShapeInPlace& body) {
    return std::holds_alternative<Kind>(*body.shape);
}

// Of two bodies always the same one goes first, whichever way they are given: the bits are then the same too.
bool goesBefore(const ShapeInPlace& a, const ShapeInPlace& b) {
    if (a.shape->index() != b.shape->index()) return a.shape->index() < b.shape->index();
    if (a.scale != b.scale) return a.scale < b.scale;
    const Vec3 &p = a.pose.position, &q = b.pose.position;
    if (p.x != q.x) return p.x < q.x;
    if (p.y != q.y) return p.y < q.y;
    return p.z <= q.z;
}

void turnRound(std::vector<ContactPoint>& points, std::size_t first) {
    for (std::size_t k = first; k < points.size(); ++k) {
        points[k].normal = -points[k].normal;
        points[k].feature = (points[k].feature << 32) | (points[k].feature >> 32);
    }
    std::sort(points.begin() + std::ptrdiff_t(first), points.end(),
              [](const ContactPoint& p, const ContactPoint& q) { return p.feature < q.feature; });
}

void findSphereContact(const ShapeInPlace& sphere, const ShapeInPlace& b, double margin,
                       std::vector<ContactPoint>& points) {
    const Vec3 local = rotateBack(b.pose.orientation, sphere.pose.position - b.pose.position) / b.scale;
    const PointDistance d = pointDistance(*b.shape, local);
    const double radius = sphere.scale;
    const double gap = b.scale * (d.distance - roundingOf(*b.shape)) - radius;
    if (!(gap < margin)) return;
    const Vec3 normal = rotate(b.pose.orientation, d.normal);
    Curvature other = d.curvature;
    other.mean /= b.scale;
    const Curvature own{Curvature::Kind::round, 1 / radius};
    points.push_back({sphere.pose.position - (radius + 0.5 * gap) * normal, normal, gap,
                      contactRadius(own, {sphere.shape, radius}, other, {b.shape, b.scale}), 0});
}

void findEllipsoidContact(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                          std::vector<ContactPoint>& points) {
    const CoreDistance found = ellipsoidDistance(a, b, margin);
    if (!(found.distance < margin)) return;
    const auto curvatureOf = [&](const ShapeInPlace& body) {
        const Vec3 local = rotateBack(body.pose.orientation, found.normal);  // both sides are alike
        return meanCurvature(std::get<EllipsoidShape>(*body.shape), local) / body.scale;
    };
    points.push_back({0.5 * (found.onA + found.onB), found.normal, found.distance,
                      1 / (curvatureOf(a) + curvatureOf(b)), featureOf(wholeSurface, wholeSurface)});
}

// By the quickest search there is for the pair.
CoreDistance distanceOf(const ConvexCore& coreA, const ConvexCore& coreB, double limit) {
    const ShapeInPlace a{coreA.shape}, b{coreB.shape};
    if (is<BoxShape>(a) && is<BoxShape>(b)) return boxDistance(coreA, coreB, limit);
    if (is<PolygonShape>(b) && (is<PolygonShape>(a) || is<SphereShape>(a))) return polygonDistance(coreA, coreB);
    return coreDistance(coreA, coreB, limit);
}

PlacedSurface surfaceIn(const ShapeInPlace& body) {
    return {std::get<SurfaceShape>(*body.shape).body.get(), body.scale, body.pose};
}

// At least one of the two a NURBS surface, none a wall.
void findSurfaceContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                         std::vector<ContactPoint>& points) {
    if (!is<SurfaceShape>(a)) {
        const std::size_t first = points.size();
        findSurfaceSolidContacts(surfaceIn(b), a, margin, points);
        return turnRound(points, first);
    }
    if (!is<SurfaceShape>(b)) return findSurfaceSolidContacts(surfaceIn(a), b, margin, points);
    findSurfacePairContacts(surfaceIn(a), surfaceIn(b), margin, points);
}

void findOrderedContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                         std::vector<ContactPoint>& points) {
    if (is<SurfaceShape>(a) || is<SurfaceShape>(b)) return findSurfaceContacts(a, b, margin, points);
    if (is<SphereShape>(a) && hasPointDistance(*b.shape)) return findSphereContact(a, b, margin, points);
    if (is<EllipsoidShape>(a) && is<EllipsoidShape>(b)) return findEllipsoidContact(a, b, margin, points);
    const ConvexCore coreA(a), coreB(b);
    const double limit = margin + coreA.rounding + coreB.rounding;
    const CoreDistance found = distanceOf(coreA, coreB, limit);
    if (found.distance < limit) addManifold(coreA, coreB, found, margin, points);
}

double centreDistance(const ShapeInPlace& a, const ShapeInPlace& b) { return norm(a.pose.position - b.pose.position); }
double reachOf(const ShapeInPlace& body) { return body.scale * boundingRadius(*body.shape); }

}  // namespace

void findContactPoints(const ShapeInPlace& a, const ShapeInPlace& b, double margin, std::vector<ContactPoint>& points) {
    if (is<CompoundShape>(a) || is<CompoundShape>(b)) return findCompoundContacts(a, b, margin, points);
    const bool someSurface = is<SurfaceShape>(a) || is<SurfaceShape>(b);
    if (!someSurface && (is<MeshShape>(a) || is<MeshShape>(b))) return findMeshContacts(a, b, margin, points);
    if (is<SurfaceShape>(a) && isWall(*b.shape)) return findSurfaceWallContacts(surfaceIn(a), b, margin, points);
    if (isWall(*b.shape)) return findWallContacts(a, b, margin, points);
    if (centreDistance(a, b) - reachOf(a) - reachOf(b) >= margin) return;
    if (goesBefore(a, b)) return findOrderedContacts(a, b, margin, points);
    const std::size_t first = points.size();
    findOrderedContacts(b, a, margin, points);
    turnRound(points, first);
}

double leastDistance(const ShapeInPlace& a, const ShapeInPlace& b) {
    if (isWall(*b.shape)) return leastWallDistance(a, b);
    const double apart = centreDistance(a, b), least = std::max(0.0, apart - reachOf(a) - reachOf(b));
    if (least > 0 || apart == 0) return least;
    if (is<CompoundShape>(a) || is<CompoundShape>(b)) return leastCompoundDistance(a, b);
    if (is<SurfaceShape>(a)) return leastSurfaceDistance(surfaceIn(a), b.pose.position, reachOf(b));
    if (is<SurfaceShape>(b)) return leastSurfaceDistance(surfaceIn(b), a.pose.position, reachOf(a));
    if (is<MeshShape>(a) || is<MeshShape>(b)) return leastMeshDistance(a, b);
    // Any direction separates by no more than the distance: that of the centres is a good one.
    const Vec3 n = (a.pose.position - b.pose.position) / apart;
    const ConvexCore coreA(a), coreB(b);
    const double separation = dot(n, coreA.support(-n) - coreB.support(n)) - coreA.rounding - coreB.rounding;
    return std::max(0.0, separation);
}

void findConvexContacts(const ShapeInPlace& solid, const Triangle& triangle, double margin,
                        std::vector<ContactPoint>& points) {
    const ConvexCore a(solid);
    const Vec3 normal = normalized(cross(triangle[1] - triangle[0], triangle[2] - triangle[0]));
    const Vec3 back = -(2 * a.size) * normal;
    const std::array<Vec3, 6> prism{triangle[0],        triangle[1],        triangle[2],
                                    triangle[0] + back, triangle[1] + back, triangle[2] + back};
    const ConvexCore b{std::span<const Vec3, 6>(prism)};
    const CoreDistance found = coreDistance(a, b, margin + a.rounding);
    if (found.distance < margin + a.rounding && dot(found.normal, normal) > -1e-9)
        addManifold(a, b, found, margin, points);
}

TriangleFeature triangleFeature(const ContactPoint& point) {
    const auto part = PartNumber(point.feature);
    const std::uint32_t number = part & 0x3FFFFFFFu;
    switch (part >> 30) {
        case 1:
            return {TrianglePlace::corner, int(number)};
        case 2: {
            const int from = int(number / 0x4000u), to = int(number % 0x4000u);
            return {TrianglePlace::edge, from == 0 && to == 2 ? 2 : from};
        }
        default:
            return {};
    }
}

}  // namespace talus
