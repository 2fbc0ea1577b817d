// Contacts of two convex solids: the quickest search there is for the pair, then the points where their parts meet.
#pragma once

#include <vector>

#include "collision/narrow/core_distance.hpp"

namespace talus {

struct ConvexSearch {
    double margin = 0;           // m, points with a gap below it are wanted
    const Vec3* near = nullptr;  // normal of a contact that the pair had a little before, if there was one
    const CoreDistance* known = nullptr;  // of two ellipsoids: where they are nearest, if that is known already
};

// Of two bodies always the same one goes first, whichever way they are given: the bits are then the same too.
bool goesBefore(const ConvexCore& a, const ConvexCore& b);

// Appends the points, ordered by feature. Returns a distance that the surfaces are apart at least; where there are no
// points it is not below the margin.
double findConvexPairContacts(const ConvexCore& a, const ConvexCore& b, const ConvexSearch& search,
                              std::vector<ContactPoint>& points);

}  // namespace talus
