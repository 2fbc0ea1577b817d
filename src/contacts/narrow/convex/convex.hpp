// Contacts of a convex solid with one triangle of a surface: what meshes are made of.
#pragma once

#include <array>
#include <vector>

#include "contacts/narrow/contact_points.hpp"

namespace talus {

using Triangle = std::array<Vec3, 3>;  // m, world frame, against the clock seen from outside

// Appends the points where a convex solid (no wall, mesh, compound) and the triangle have a gap below the margin.
// Normals run out of the triangle towards the solid. What lies behind the triangle counts as filled down to the depth
// that the solid can reach, so overlap pushes out through the front, or across an edge where that way is shorter; who
// knows the neighbours of the triangle decides what normals its edges and corners may have.
//
// Features: high half of the solid, low half of the triangle, as of any convex pair (manifold.hpp): its place says
// whether the point is on the face, on edge k (from corner k to k + 1) or at corner k.
void findConvexContacts(const ShapeInPlace& solid, const Triangle& triangle, double margin,
                        std::vector<ContactPoint>& points);

// The part of the triangle that a point of findConvexContacts() lies on.
enum class TrianglePlace { face, edge, corner };
struct TriangleFeature {
    TrianglePlace place = TrianglePlace::face;
    int number = 0;  // of the edge or corner
};
TriangleFeature triangleFeature(const ContactPoint& point);

}  // namespace talus
