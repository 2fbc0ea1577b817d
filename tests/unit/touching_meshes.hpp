// Meshes in place of hulls that touch.
#pragma once

#include "geometry/mesh/mesh.hpp"
#include "touching_pairs.hpp"

namespace talus::samples {

// The mesh of a hull, where the hull would be.
struct MeshOfHull {
    Shape shape;
    Pose pose;  // in the frame of the hull

    explicit MeshOfHull(const ConvexHull& hull) {
        MeshFile file{.name = "hull", .corners = hull.corners};
        for (const ConvexHull::Face& face : hull.faces) {
            for (std::size_t k = 1; k + 1 < face.corners.size(); ++k) {
                file.triangles.push_back({face.corners[0], face.corners[k], face.corners[k + 1]});
            }
        }
        const MeshInPlace mesh = makeMesh(file);
        shape = mesh.shape;
        pose = mesh.pose;
    }
    ShapeInPlace insteadOf(const ShapeInPlace& hull) const {
        return {&shape,
                hull.scale,
                {outOfFrame(hull.pose, hull.scale * pose.position), hull.pose.orientation * pose.orientation}};
    }
};

// Pairs of hulls of which the meshes are taken.
inline TouchingPairs hullsForMeshes() {
    Random random(5, 1);
    const auto hulls = someHulls(random, 24);
    return {"meshes", hulls, hulls, TouchingPairs::Search::general, 9};
}

// The deepest contact that a hull and the mesh of another have, or both meshes, in parts of their size; 0 if hulls of
// their form do not just touch.
inline double deepestOfMeshes(const TouchingPair& pair) {
    const double size = pair.a.scale * boundingRadius(*pair.a.shape) + pair.b.scale * boundingRadius(*pair.b.shape);
    if (std::abs(pair.gap) > 1e-9 * size) return 0;
    const MeshOfHull first(*pair.first->hull), second(*pair.second->hull);
    double deepest = 0;
    for (const ShapeInPlace& a : {pair.a, first.insteadOf(pair.a)}) {
        std::vector<ContactPoint> points;
        findContactPoints(a, second.insteadOf(pair.b), 0, points);
        for (const ContactPoint& p : points) deepest = std::max(deepest, -p.gap / size);
    }
    return deepest;
}

}  // namespace talus::samples
