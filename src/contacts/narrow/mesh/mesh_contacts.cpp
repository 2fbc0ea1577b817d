#include "contacts/narrow/mesh/mesh_contacts.hpp"

#include <algorithm>

#include "contacts/narrow/compound_contacts.hpp"
#include "contacts/narrow/mesh/mesh_convex.hpp"
#include "contacts/narrow/mesh/mesh_pairs.hpp"
#include "contacts/narrow/mesh/mesh_touches.hpp"
#include "contacts/narrow/mesh/mesh_walls.hpp"
#include "geometry/mass/principal_axes.hpp"
#include "geometry/mesh/mesh.hpp"

namespace talus {
namespace {

bool isMesh(const ShapeInPlace& body) { return std::holds_alternative<MeshShape>(*body.shape); }

// Contacts of a mesh b with a body a that is none.
void findContactsWithMesh(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                          std::vector<ContactPoint>& points, const SurroundingsNow* around) {
    if (std::holds_alternative<SphereShape>(*a.shape)) return findSphereMeshContacts(a, b, margin, points, around);
    findConvexMeshContacts(a, b, margin, points);
}

double radiusOf(const ShapeInPlace& body) { return body.scale * boundingRadius(*body.shape); }

// m, between a mesh and the ball about another body.
double distanceToBall(const ShapeInPlace& mesh, const ShapeInPlace& other, double limit) {
    const Vec3 centre = intoFrame(mesh.pose, other.pose.position) / mesh.scale;
    const TriangleMesh& surface = *std::get<MeshShape>(*mesh.shape).mesh;
    // A little farther than the limit, so that what is beyond it is found to be so in spite of round-off.
    const double within = std::min(norm(centre) + surface.radius, 1.000001 * (limit + radiusOf(other)) / mesh.scale);
    const double toSurface = mesh.scale * leastDistanceTo(surface.tree, centre, within) - radiusOf(other);
    // The inside of a closed body is full, however far its surface is.
    if (toSurface > 0 && surface.closed && norm(centre) < surface.radius && isInside(surface, centre)) return 0;
    return std::max(0.0, toSurface);
}

}  // namespace

void findMeshContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin, std::vector<ContactPoint>& points,
                      const SurroundingsNow* around) {
    const bool someCompound =
        std::holds_alternative<CompoundShape>(*a.shape) || std::holds_alternative<CompoundShape>(*b.shape);
    if (someCompound) return findCompoundContacts(a, b, margin, points);
    if (isWall(*b.shape)) return findMeshWallContacts(a, b, margin, points);
    if (isMesh(a) && isMesh(b)) return findMeshPairContacts(a, b, margin, points);
    if (isMesh(b)) return findContactsWithMesh(a, b, margin, points, around);
    const std::size_t start = points.size();
    findContactsWithMesh(b, a, margin, points, around);
    for (std::size_t k = start; k < points.size(); ++k) points[k].normal = -points[k].normal;
}

double leastMeshDistance(const ShapeInPlace& a, const ShapeInPlace& b, double limit) {
    if (isMesh(a) && isMesh(b)) return std::max(distanceToBall(a, b, limit), distanceToBall(b, a, limit));
    return isMesh(a) ? distanceToBall(a, b, limit) : distanceToBall(b, a, limit);
}

}  // namespace talus
