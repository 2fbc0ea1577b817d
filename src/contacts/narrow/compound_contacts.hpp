// Contacts of bodies made of several parts.
#pragma once

#include <vector>

#include "contacts/narrow/contact_points.hpp"

namespace talus {

// As findContactPoints(), at least one of the two a compound. Parts touch as bodies of their own; the feature names the
// part and what of it touches.
void findCompoundContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                          std::vector<ContactPoint>& points, OutlinePlaces places = OutlinePlaces::nearest);

// As leastDistance(), at least one of the two a compound; the other is no wall.
double leastCompoundDistance(const ShapeInPlace& a, const ShapeInPlace& b);

}  // namespace talus
