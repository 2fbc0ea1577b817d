// Contacts between bodies with outlines in a planar scene: knots of each on the curve of the other.
//
// After section 3 of K.-W. Lim, K. Krabbenhoft, J. E. Andrade, "On the contact treatment of non-convex particles in the
// granular element method", Comput. Part. Mech. 1, 2014, in both directions, so that which body comes first means
// nothing but the sign of the normal. Each knot that is nearer than the margin makes a point, so that flat places
// carry moments and bodies that are not convex touch at several places. A knot that faces away from the surface next to
// it is left out, and so is an open one beside which another knot is much nearer: of many points that could not close
// in the same step few are left (keepNearest). The gap between two bodies that do not overlap is found to within the
// larger of their gap tolerances (shapes/outline.hpp); a gap is never taken for smaller than it is.
//
// The signed distance to a curve changes by no more than the way one goes, so one closest point rules out a whole group
// of knots.
#pragma once

#include <vector>

#include "collision/narrow/contact_points.hpp"
#include "collision/narrow/plane_map.hpp"
#include "shapes/outline.hpp"

namespace talus {

// Where a body has its outline: in the plane through `pose.position` whose normal is the z axis of the body. Two bodies
// that are searched have the same plane.
struct OutlineInPlace {
    const Outline* outline = nullptr;
    double scale = 1;  // -
    Pose pose;
};
inline PlaneFrame frameOf(const OutlineInPlace& body) { return {body.scale, body.pose}; }

// Appends the points with a gap below the margin, ordered by feature: first knots of a, then knots of b, by their
// numbers. See isKnotOfA and knotOf.
void findOutlineContacts(const OutlineInPlace& a, const OutlineInPlace& b, double margin,
                         std::vector<ContactPoint>& points);

inline bool isKnotOfA(std::uint64_t feature) { return feature >> 32 == 0; }
inline std::uint32_t knotOf(std::uint64_t feature) { return static_cast<std::uint32_t>(feature); }

// The same against one face of a wall; the feature has the number of the face above that of the knot. Between knots a
// face is nearer by no more than half of the gap tolerance.
void findOutlineWallContacts(const OutlineInPlace& a, const ShapeInPlace& wall, int face, double margin,
                             std::vector<ContactPoint>& points);

// Curvatures for contact laws, 1/m, positive where convex. A corner has none: there a body counts as the disc of its
// area, which is the usual one.
double usualCurvature(const OutlineInPlace& body);
double knotCurvature(const OutlineInPlace& body, const Outline::Knot& knot);
double footCurvature(const OutlineInPlace& body, const ClosestPoint& foot);
// m, from the sum of the curvatures of both bodies; where they are flat or fit into each other, from the usual ones.
double effectiveRadius(double curvatures, double usual);

// Of the points from `first` on, which belong to knots of this outline in order, leaves those that matter: knots at
// corners, those that overlap, and those whose gap is not larger than the least of their neighbours', or 0, by more
// than twice the gap tolerance and a twentieth of the margin.
void keepNearest(const OutlineInPlace& knots, double margin, std::size_t first, std::vector<ContactPoint>& points);

// A distance that the outlines are apart at least, by circles around them; 0 if these overlap.
double leastDistance(const OutlineInPlace& a, const OutlineInPlace& b);

}  // namespace talus
