// Contacts of bodies with outlines with whatever else there is in a planar scene.
//
// With each other and with walls as in outline_contacts.hpp. A polygon is the sum of its corners and edges and a ball
// (geometry/solids/solids.hpp): the curve of the outline is searched for places nearest to it, and its corners and
// edges, less the ball, for places nearest to the curve. A disc is a polygon of one corner, and so is a sphere: the
// curve of the outline tells all of its contacts, and its centre the nearest one, also from within.
#pragma once

#include "contacts/narrow/nurbs/outline_contacts.hpp"

namespace talus {

// At least one of the two is an outline; b may be a wall. Appends the points with a gap below the margin, ordered by
// feature: those found on the outline (of two: on a), then, with 1 in the high half of the feature, those found on b or
// on the polygon; with walls the high half has the face.
void findOutlinePairContacts(const ShapeInPlace& a, const ShapeInPlace& b, const OutlineSearch& search,
                             std::vector<ContactPoint>& points);

}  // namespace talus
