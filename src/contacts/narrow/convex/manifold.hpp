// From the nearest points of two convex solids to all contacts of the parts that face each other.
//
// Both parts are seen along the contact normal n as convex polygons in a plane; what they share is a polygon whose
// corners are the contacts: a corner of a above the face of b, a corner of b below the face of a, or a crossing of two
// edges. Each has a gap of its own, the height of a's part over b's, which varies linearly between them; the least is
// the distance of the solids. Edges that run side by side touch at the two ends of what they share.
//
// Feature of a contact: part number of a (high half), of b (low half): 0 of surfaces that are one smooth part;
// 0x40000000 + number of a corner; 0x80000000 + the numbers of its two corners, 14 bits each, of an edge;
// 0xC0000000 + number of a face.
#pragma once

#include "contacts/narrow/convex/core_distance.hpp"
#include "contacts/narrow/convex/supporting_part.hpp"

namespace talus {

inline std::uint64_t featureOf(PartNumber a, PartNumber b) { return (std::uint64_t(a) << 32) | b; }

// Appends the contacts of two cores at the distance that was found, those with a gap below the margin.
void addManifold(const ConvexCore& a, const ConvexCore& b, const CoreDistance& found, double margin,
                 std::vector<ContactPoint>& points);

// Both parts, if they are known already.
struct FacingParts {
    SupportingPart a, b;
};
struct PairOfCores {
    const ConvexCore &a, &b;
    double margin;  // m
};
void addManifold(const PairOfCores& pair, const FacingParts& parts, const CoreDistance& found,
                 std::vector<ContactPoint>& points);

}  // namespace talus
