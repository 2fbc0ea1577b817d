#include "collision/narrow/mesh_spheres.hpp"

#include "collision/narrow/mesh_touches.hpp"

namespace talus {

void findSphereMeshContacts(const ShapeInPlace& sphere, const ShapeInPlace& mesh, double margin,
                            std::vector<ContactPoint>& points) {
    thread_local std::vector<MeshTouch> touches;
    touches.clear();
    const Vec3 centre = rotateBack(mesh.pose.orientation, sphere.pose.position - mesh.pose.position) / mesh.scale;
    const TriangleMesh& surface = *std::get<MeshShape>(*mesh.shape).mesh;
    findTouches(surface, centre, (sphere.scale + margin) / mesh.scale, touches);
    for (const MeshTouch& touch : touches) {
        ContactPoint contact;
        contact.normal = rotate(mesh.pose.orientation, touch.normal);
        contact.gap = mesh.scale * touch.distance - sphere.scale;
        contact.position = sphere.pose.position - (sphere.scale + 0.5 * contact.gap) * contact.normal;
        const double sharpness = touch.sharp ? 1 / (mesh.scale * equivalentRadius(*mesh.shape)) : 0;
        contact.radius = 1 / (1 / sphere.scale + sharpness);
        contact.feature = touch.part;
        if (contact.gap < margin) points.push_back(contact);
    }
}

}  // namespace talus
