#include "contacts/narrow/contact_points.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "contacts/narrow/compound_contacts.hpp"
#include "contacts/narrow/convex/convex_pairs.hpp"
#include "contacts/narrow/mesh/mesh_contacts.hpp"
#include "contacts/narrow/nurbs/outline_pairs.hpp"
#include "contacts/narrow/nurbs/surface_contacts.hpp"
#include "contacts/narrow/wall_contacts.hpp"

namespace talus {
namespace {

template <class Kind>
bool is(const ShapeInPlace& body) {
    return std::holds_alternative<Kind>(*body.shape);
}

PlacedSurface surfaceIn(const ShapeInPlace& body) {
    return {std::get<SurfaceShape>(*body.shape).body.get(), body.scale, body.pose};
}

// Surfaces go before other solids; of two always the same one goes first, whichever way they are given.
bool goesBefore(const ShapeInPlace& a, const ShapeInPlace& b) {
    if (!is<SurfaceShape>(a) || !is<SurfaceShape>(b)) return is<SurfaceShape>(a);
    const auto key = [](const ShapeInPlace& body) {
        const Vec3& p = body.pose.position;
        return std::tuple(body.scale, p.x, p.y, p.z);
    };
    return key(a) <= key(b);
}

// At least one of the two a NURBS surface, none a wall.
void findSurfaceContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                         std::vector<ContactPoint>& points) {
    if (!goesBefore(a, b)) {
        const std::size_t first = points.size();
        findSurfaceContacts(b, a, margin, points);
        return turnRound(points, first);
    }
    if (!is<SurfaceShape>(b)) return findSurfaceSolidContacts(surfaceIn(a), b, margin, points);
    findSurfacePairContacts(surfaceIn(a), surfaceIn(b), margin, points);
}

double centreDistance(const ShapeInPlace& a, const ShapeInPlace& b) { return norm(a.pose.position - b.pose.position); }
double reachOf(const ShapeInPlace& body) { return body.scale * boundingRadius(*body.shape); }

}  // namespace

void findContactPoints(const ShapeInPlace& a, const ShapeInPlace& b, double margin, std::vector<ContactPoint>& points,
                       OutlinePlaces places) {
    if (is<CompoundShape>(a) || is<CompoundShape>(b)) return findCompoundContacts(a, b, margin, points, places);
    const bool someSurface = is<SurfaceShape>(a) || is<SurfaceShape>(b);
    if (!someSurface && (is<MeshShape>(a) || is<MeshShape>(b))) return findMeshContacts(a, b, margin, points);
    if (is<OutlineShape>(a) || is<OutlineShape>(b)) return findOutlinePairContacts(a, b, {margin, places}, points);
    if (is<SurfaceShape>(a) && isWall(*b.shape)) return findSurfaceWallContacts(surfaceIn(a), b, margin, points);
    if (isWall(*b.shape)) return findWallContacts(a, b, margin, points);
    if (centreDistance(a, b) - reachOf(a) - reachOf(b) >= margin) return;
    if (someSurface) return findSurfaceContacts(a, b, margin, points);
    findConvexPairContacts(ConvexCore(a), ConvexCore(b), {margin}, points);
}

double leastDistance(const ShapeInPlace& a, const ShapeInPlace& b, double limit) {
    if (isWall(*b.shape)) return leastWallDistance(a, b);
    const double apart = centreDistance(a, b), least = std::max(0.0, apart - reachOf(a) - reachOf(b));
    if (least > 0 || apart == 0) return least;
    if (is<CompoundShape>(a) || is<CompoundShape>(b)) return leastCompoundDistance(a, b);
    if (is<SurfaceShape>(a)) return leastSurfaceDistance(surfaceIn(a), b.pose.position, reachOf(b));
    if (is<SurfaceShape>(b)) return leastSurfaceDistance(surfaceIn(b), a.pose.position, reachOf(a));
    if (is<MeshShape>(a) || is<MeshShape>(b)) return leastMeshDistance(a, b, limit);
    if (is<OutlineShape>(a) || is<OutlineShape>(b)) return 0;
    // Any direction separates by no more than the distance: that of the centres is a good one.
    const Vec3 n = (a.pose.position - b.pose.position) / apart;
    const ConvexCore coreA(a), coreB(b);
    const double separation = dot(n, coreA.support(-n) - coreB.support(n)) - coreA.rounding - coreB.rounding;
    return std::max(0.0, separation);
}

}  // namespace talus
