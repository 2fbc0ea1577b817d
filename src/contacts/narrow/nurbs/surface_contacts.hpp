// Contacts of bodies with NURBS surfaces: knots of a surface on the other body, and from the knots on.
//
// After section 3 of K.-W. Lim, K. Krabbenhoft, J. E. Andrade, "On the contact treatment of non-convex particles in the
// granular element method", Comput. Part. Mech. 1, 2014, in space. Knots (geometry/nurbs/surface_body.hpp) that may
// have a place of their cell within the margin are found by the signed distance of the other body, which rules out
// whole groups. A knot whose gap is the least among its neighbours starts a descent along the surface to the place
// where the gap is least (Newton steps in the tangent plane; the sum of the bends of both surfaces is the second
// derivative). So each region of a body that is near makes one point, with the gap, place and normal of the true
// nearest places, and bodies that are not convex touch at several. Where the surfaces are so flat that the gap stays
// the same within a thousandth of the way, up to four knots far apart are added, so that flat places carry moments.
//
// Knots tell nothing where a body is within another one, or with more than half of it: none of them faces the surface
// that it must leave by. There the body is pushed out as a whole, where a place of it is nearest to that surface.
//
// For two surfaces the knots of both are tried; what both find is one point. So it does not matter which comes first.
// Points bear the number of their knot as feature: memory lives while a contact stays or slides; when it comes to the
// next cell, the nearest point inherits (contacts/table/shape_points.hpp).
#pragma once

#include <vector>

#include "contacts/narrow/nurbs/distance_field.hpp"

namespace talus {

// Append the points with a gap below the margin, ordered by feature. Normals run out of the second body towards the
// first, which for the first three is the surface. High half of features: of the first body, low half: of the second.
void findSurfaceWallContacts(const PlacedSurface& a, const ShapeInPlace& wall, double margin,
                             std::vector<ContactPoint>& points);
void findSurfaceSolidContacts(const PlacedSurface& a, const ShapeInPlace& solid, double margin,
                              std::vector<ContactPoint>& points);
void findSurfacePairContacts(const PlacedSurface& a, const PlacedSurface& b, double margin,
                             std::vector<ContactPoint>& points);

// A distance that the surface and a ball are apart at least; 0 if they may touch.
double leastSurfaceDistance(const PlacedSurface& surface, const Vec3& centre, double radius);

}  // namespace talus
