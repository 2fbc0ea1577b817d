// Contacts of a sphere with a triangle mesh (mesh_touches.hpp).
#pragma once

#include "collision/narrow/contact_points.hpp"

namespace talus {

// Appends the points with a gap below the margin, ordered by feature; normals run out of the mesh towards the sphere.
// The feature is the mesh's part. Creases count as sharp: the mesh is there a ball of its volume (equivalentRadius()).
void findSphereMeshContacts(const ShapeInPlace& sphere, const ShapeInPlace& mesh, double margin,
                            std::vector<ContactPoint>& points);

}  // namespace talus
