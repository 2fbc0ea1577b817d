// Contacts of two convex solids: the quickest search there is for the pair, then the points where their parts meet.
#pragma once

#include <vector>

#include "collision/narrow/core_distance.hpp"

namespace talus {

struct ConvexSearch {
    double margin = 0;           // m, points with a gap below it are wanted
    const Vec3* near = nullptr;  // normal of a contact that the pair had a little before, if there was one
};

// Of two bodies always the same one goes first, whichever way they are given: the bits are then the same too.
bool goesBefore(const ConvexCore& a, const ConvexCore& b);

// Points from `first` on, as seen from the other body.
void turnRound(std::vector<ContactPoint>& points, std::size_t first);

// The contact of two ellipsoids, from where they are nearest to each other; b may be a periodic image of the second,
// with its centre elsewhere.
ContactPoint ellipsoidContact(const ConvexCore& a, const ConvexCore& b, const Vec3& centreB, const CoreDistance& found);

// Appends the points, ordered by feature. Returns a distance that the surfaces are apart at least; where there are no
// points it is not below the margin.
double findConvexPairContacts(const ConvexCore& a, const ConvexCore& b, const ConvexSearch& search,
                              std::vector<ContactPoint>& points);

}  // namespace talus
