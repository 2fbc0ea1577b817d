// Contacts of bodies with outlines with whatever else there is in a planar scene.
//
// With each other and with walls as in outline_contacts.hpp. A polygon is the sum of its corners and edges and a ball
// (shapes/solids.hpp): the knots of the outline are held against it, and its corners, less the ball, against the curve.
// A disc is a polygon of one corner, and so is a sphere. A corner gives its gap exactly; where it is rounded, places on
// the arc, as dense as the usual knots, find the other sides of a hollow.
#pragma once

#include "collision/narrow/contact_points.hpp"

namespace talus {

// At least one of the two is an outline; b may be a wall. Appends the points with a gap below the margin, ordered by
// feature: knots of the outline (of two: of a) by their numbers, then with the number in the low half and 1 in the high
// one knots of b or corners of the polygon; with walls the high half has the face.
void findOutlinePairContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                             std::vector<ContactPoint>& points);

}  // namespace talus
