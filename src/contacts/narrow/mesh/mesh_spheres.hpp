// Contacts of a sphere with a triangle mesh (mesh_touches.hpp).
#pragma once

#include "contacts/narrow/contact_points.hpp"
#include "contacts/narrow/mesh/mesh_touches.hpp"

namespace talus {

// What is kept of a sphere and a mesh from step to step, to save time only: contacts are the same without.
struct MeshSurroundings {
    NearTriangles triangles;
    double travel = 0;  // m, when they were gathered
};

// What is kept, how far a sphere has gone as seen from the mesh (m, counted from any time, at most that), and how much
// farther than needed new triangles are gathered (m).
struct SurroundingsNow {
    MeshSurroundings& kept;
    double travel, ahead;
};

// Appends the points with a gap below the margin, ordered by feature; normals run out of the mesh towards the sphere.
// The feature is the mesh's part. Creases count as sharp: the mesh is there a ball of its volume (equivalentRadius()).
void findSphereMeshContacts(const ShapeInPlace& sphere, const ShapeInPlace& mesh, double margin,
                            std::vector<ContactPoint>& points, const SurroundingsNow* around = nullptr);

}  // namespace talus
