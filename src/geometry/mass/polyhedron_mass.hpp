// Exact mass integrals of polyhedra.
//
// The solid is the signed sum of the tetrahedra that a fixed point forms with each triangle of its surface. Of one
// tetrahedron (0, a, b, c) with D = a . (b x c) and s = a + b + c:
//     volume D/6,  integral of x = D s/24,  integral of x x^T = D (aa^T + bb^T + cc^T + ss^T)/120.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "geometry/mass/principal_axes.hpp"

namespace talus {

using CornerTriple = std::array<std::uint32_t, 3>;

// Integrals over the solid in a closed surface of triangles, against the clock seen from outside; the volume is
// negative if they are turned. Moments are about the given point, which should be near the body lest digits are lost.
MassMoments polyhedronMoments(const std::vector<Vec3>& corners, const std::vector<CornerTriple>& triangles,
                              const Vec3& about);

// Its centre of mass and principal axes; the volume is positive.
PrincipalFrame polyhedronFrame(const std::vector<Vec3>& corners, const std::vector<CornerTriple>& triangles);

// Middle of the box along the axes that holds the points.
Vec3 middleOf(const std::vector<Vec3>& points);

}  // namespace talus
