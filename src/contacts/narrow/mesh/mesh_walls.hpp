// Contacts of a mesh with the faces of a wall: the corners of the mesh that come near.
#pragma once

#include "contacts/narrow/contact_points.hpp"

namespace talus {

// Appends the points with a gap below the margin; normals run out of the wall towards the mesh. Only corners that the
// body really has count: what lies within a plane patch or on a straight edge follows from them.
void findMeshWallContacts(const ShapeInPlace& mesh, const ShapeInPlace& wall, double margin,
                          std::vector<ContactPoint>& points);

}  // namespace talus
