#include "contacts/narrow/mesh/mesh_walls.hpp"

#include <algorithm>

#include "contacts/narrow/convex/features.hpp"
#include "contacts/narrow/mesh/mesh_touches.hpp"
#include "contacts/narrow/rim_contacts.hpp"
#include "geometry/mass/principal_axes.hpp"

namespace talus {
namespace {

// The mesh as one face of a wall sees it.
class FaceSearch {
public:
    FaceSearch(const ShapeInPlace& mesh, const ShapeInPlace& wall, int face)
        : mesh_(mesh), surface_(*std::get<MeshShape>(*mesh.shape).mesh), wall_(wall), face_(face) {}

    // The corners with a gap below the margin, each once.
    void findCorners(double margin, std::vector<std::uint32_t>& corners) const {
        corners.clear();
        // No point of a box is nearer to the face than its centre by more than half its diagonal.
        const auto isNear = [&](const BoundingBox& box) {
            const double half = 0.5 * mesh_.scale * norm(box.high - box.low);
            return distanceOf(0.5 * (box.low + box.high)).distance - half < margin;
        };
        forEachItem(surface_.tree, isNear, [&](std::uint32_t t) {
            for (const std::uint32_t c : surface_.triangles[t]) {
                const bool counts = surface_.pointed[c] && distanceOf(surface_.corners[c]).distance < margin;
                if (counts) corners.push_back(c);
            }
        });
        std::sort(corners.begin(), corners.end());
        corners.erase(std::unique(corners.begin(), corners.end()), corners.end());
    }

    ContactPoint contactAt(std::uint32_t corner) const {
        const FaceDistance near = distanceOf(surface_.corners[corner]);
        ContactPoint point;
        point.normal = rotate(wall_.pose.orientation, near.normal);
        point.gap = near.distance;
        point.position = inWorld(surface_.corners[corner]) - (0.5 * near.distance) * point.normal;
        point.feature = (std::uint64_t{partNumber(MeshPart::corner, corner)} << 32) + static_cast<std::uint64_t>(face_);
        return point;
    }

private:
    Vec3 inWorld(const Vec3& local) const { return outOfFrame(mesh_.pose, mesh_.scale * local); }
    FaceDistance distanceOf(const Vec3& local) const {
        return distanceToFace(wall_.wall(), face_, intoFrame(wall_.pose, inWorld(local)));
    }

    const ShapeInPlace& mesh_;
    const TriangleMesh& surface_;
    const ShapeInPlace& wall_;
    int face_;
};

}  // namespace

void findMeshWallContacts(const ShapeInPlace& mesh, const ShapeInPlace& wall, double margin,
                          std::vector<ContactPoint>& points) {
    thread_local std::vector<std::uint32_t> corners;
    const double radius = mesh.scale * equivalentRadius(*mesh.shape);
    const std::size_t start = points.size();
    for (int face = 0; face < faceCount(*wall.shape); ++face) {
        if (isOpen(*wall.shape, face)) continue;
        const FaceSearch search(mesh, wall, face);
        search.findCorners(margin, corners);
        for (const std::uint32_t corner : corners) {
            points.push_back(search.contactAt(corner));
            points.back().radius = radius;
        }
    }
    findRimContacts(mesh, wall, margin, points);
    orderByFeature(points, start);
}

}  // namespace talus
