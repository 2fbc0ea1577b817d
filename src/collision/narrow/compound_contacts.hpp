// Contacts of bodies made of several parts.
#pragma once

#include <vector>

#include "collision/narrow/contact_points.hpp"

namespace talus {

// As findContactPoints(), at least one of the two a compound.
void findCompoundContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin,
                          std::vector<ContactPoint>& points);

}  // namespace talus
