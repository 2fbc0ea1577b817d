// Contacts of convex solids with a triangle mesh, as with the patches and edges that its triangles form.
//
// A plane patch is a plane: the solid's contacts with that plane count where their feet lie in the patch, or beyond an
// inward edge of it, where the body goes on. Points that have come in deeper count only if nothing of the surface is
// nearer to them than the patch. Edges that stand out are segments: what touches them counts if its normal lies between
// those of the faces at the edge. Edges within a plane patch thus do not exist, and a solid on a floor of many
// triangles has the contacts that it has on a plane, with the same memory.
//
// Closed meshes push out of their inside, open ones to the side on which the solid's origin is. A solid whose origin is
// behind the surface is lost.
#pragma once

#include "contacts/narrow/contact_points.hpp"

namespace talus {

// Appends the points with a gap below the margin, ordered by feature; normals run out of the mesh towards the solid.
void findConvexMeshContacts(const ShapeInPlace& solid, const ShapeInPlace& mesh, double margin,
                            std::vector<ContactPoint>& points);

}  // namespace talus
