// What a mesh knows of its surface beyond its triangles: see geometry/mesh/mesh.hpp.
#pragma once

#include "geometry/mesh/mesh.hpp"

namespace talus {

// Fills normals, edges, patches, surfaces, lines and corners of a mesh whose corners, triangles and neighbours are
// known. The tolerance (m) is that of plane patches.
void describeSurface(TriangleMesh& mesh, double tolerance);

}  // namespace talus
