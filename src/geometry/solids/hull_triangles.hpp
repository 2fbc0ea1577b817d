// The faces of the convex hull of points, by qhull.
#pragma once

#include <vector>

#include "geometry/mass/polyhedron_mass.hpp"

namespace talus {

// A closed surface of triangles, against the clock seen from outside, whose corners are among the points. Triangles of
// one face are coplanar within round-off only. The points have an extent of about 1 in all directions that matter.
// Empty if qhull finds the points too flat.
std::vector<CornerTriple> hullTriangles(const std::vector<Vec3>& points);

}  // namespace talus
