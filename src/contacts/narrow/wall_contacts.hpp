// Contacts of convex solids with the faces of walls.
#pragma once

#include "contacts/narrow/contact_points.hpp"

namespace talus {

// Calls visit(face) for each face that is there.
template <class Visit>
void forEachFace(const Shape& wall, Visit&& visit) {
    for (int face = 0; face < faceCount(wall); ++face) {
        if (!isOpen(wall, face)) visit(face);
    }
}

// m, from a point to the nearest face that is there, negative behind it; infinite if all are open.
double distanceToWall(const WallNow& wall, const Pose& pose, const Vec3& point);

// Flat faces: each corner, end or rim point below the margin, and of smooth solids the lowest point. The mantle of a
// hollow cylinder: each corner, and of rims and smooth solids the places that are farthest from the axis; at its open
// ends the places of its rim (rim_contacts.hpp).
// Features: part of the solid (manifold.hpp), face of the wall.
void findWallContacts(const ShapeInPlace& solid, const ShapeInPlace& wall, double margin,
                      std::vector<ContactPoint>& points);

// A lower bound of the distance of the solid from all faces, not below 0.
double leastWallDistance(const ShapeInPlace& solid, const ShapeInPlace& wall);

}  // namespace talus
