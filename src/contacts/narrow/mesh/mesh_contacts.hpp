// Contacts of triangle meshes with other bodies.
#pragma once

#include <vector>

#include "contacts/narrow/mesh/mesh_spheres.hpp"

namespace talus {

// As findContactPoints(), at least one of the two a mesh. What is kept of a pair serves spheres.
void findMeshContacts(const ShapeInPlace& a, const ShapeInPlace& b, double margin, std::vector<ContactPoint>& points,
                      const SurroundingsNow* around = nullptr);

// As leastDistance(), at least one of the two a mesh; the other is no wall. The other counts as the ball that holds it.
double leastMeshDistance(const ShapeInPlace& a, const ShapeInPlace& b, double limit);

}  // namespace talus
