#include "contacts/narrow/mesh/mesh_spheres.hpp"

namespace talus {
namespace {

// All in the frame of the mesh at scale 1; `scale` times these are metres.
void findTouchesNear(const TriangleMesh& mesh, double scale, const SurroundingsNow& now, const Vec3& centre,
                     double reach, std::vector<MeshTouch>& touches) {
    MeshSurroundings& kept = now.kept;
    // Round-off of positions included.
    double moved = (now.travel - kept.travel) / scale + 1e-9 * reach;
    if (!(reach + moved <= kept.triangles.within)) {
        gatherTriangles(mesh, centre, reach + now.ahead / scale, kept.triangles);
        kept.travel = now.travel;
        moved = 0;
    }
    findTouches(mesh, kept.triangles, moved, centre, reach, touches);
}

}  // namespace

void findSphereMeshContacts(const ShapeInPlace& sphere, const ShapeInPlace& mesh, double margin,
                            std::vector<ContactPoint>& points, const SurroundingsNow* around) {
    thread_local std::vector<MeshTouch> touches;
    touches.clear();
    const Vec3 centre = rotateBack(mesh.pose.orientation, sphere.pose.position - mesh.pose.position) / mesh.scale;
    const TriangleMesh& surface = *std::get<MeshShape>(*mesh.shape).mesh;
    const double reach = (sphere.scale + margin) / mesh.scale;
    if (around != nullptr) {
        findTouchesNear(surface, mesh.scale, *around, centre, reach, touches);
    } else {
        findTouches(surface, centre, reach, touches);
    }
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
