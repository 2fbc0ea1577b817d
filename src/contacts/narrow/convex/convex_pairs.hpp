// Contacts of two convex solids: the quickest search there is for the pair, then the points where their parts meet.
#pragma once

#include <vector>

#include "contacts/narrow/convex/manifold.hpp"
#include "contacts/narrow/ellipsoid/ellipsoids.hpp"

namespace talus {

struct ConvexSearch {
    double margin = 0;           // m, points with a gap below it are wanted
    const Vec3* near = nullptr;  // normal of a contact that the pair had a little before, if there was one
};

// Always the same of two bodies goes first, whichever way they are given: the bits are then the same too.
bool goesBefore(const ConvexCore& a, const ConvexCore& b);
// Bodies of one kind go by their scales and centres.
inline bool goesBefore(double scaleA, const Vec3& centreA, double scaleB, const Vec3& centreB) {
    if (scaleA != scaleB) return scaleA < scaleB;
    if (centreA.x != centreB.x) return centreA.x < centreB.x;
    if (centreA.y != centreB.y) return centreA.y < centreB.y;
    return centreA.z <= centreB.z;
}

// Points from `first` on, as seen from the other body.
void turnRound(std::vector<ContactPoint>& points, std::size_t first);

// The contact of two ellipsoids, from where they are nearest to each other.
inline ContactPoint ellipsoidContact(const EllipsoidDistance& found) {
    return {0.5 * (found.onA + found.onB), found.normal, found.distance, found.radius,
            featureOf(wholeSurface, wholeSurface)};
}

// Appends the points, ordered by feature. Returns a distance that the surfaces are apart at least; where there are no
// points it is not below the margin.
double findConvexPairContacts(const ConvexCore& a, const ConvexCore& b, const ConvexSearch& search,
                              std::vector<ContactPoint>& points);

}  // namespace talus
