// Contacts of solids with the rims of a hollow cylinder, where its mantle ends at an open end.
//
// A rim is a circle. It touches where it comes nearest to the solid, or goes deepest into it, along the normal of the
// solid there: as many places as there are such minima around it. Spheres have their own closed form (shape.cpp).
#pragma once

#include "contacts/narrow/contact_points.hpp"

namespace talus {

// Nothing if the wall is no hollow cylinder with an open end, or the solid is flat. Features name the open end.
void findRimContacts(const ShapeInPlace& solid, const ShapeInPlace& wall, double margin,
                     std::vector<ContactPoint>& points);

}  // namespace talus
