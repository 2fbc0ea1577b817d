// Contacts of two meshes: corners of each with the surface of the other, and edges that cross.
//
// Good for rigid bodies that touch here and there. Two finely cut surfaces that nestle against each other have a
// contact at each corner; and a body that another has entered by more than a tenth of the smaller one's size is lost.
#pragma once

#include "contacts/narrow/contact_points.hpp"

namespace talus {

// Appends the points with a gap below the margin, ordered by feature; normals run out of b towards a. At most one of
// the two is open: it pushes the other to the side on which that one's origin is.
void findMeshPairContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                          std::vector<ContactPoint>& points);

}  // namespace talus
