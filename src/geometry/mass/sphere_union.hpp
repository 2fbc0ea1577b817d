// Mass integrals of the union of spheres, each point counted once.
//
// Planes across z cut the union into unions of discs. The moments of such a section are integrals along the arcs that
// bound it (Green's theorem), and those are smooth; the moments of the body are integrals of the sections over z by
// Gauss's rule, on pieces between the heights at which spheres, or the circles in which two of them meet, begin and
// end, cut finer until two rules agree.
#pragma once

#include <vector>

#include "geometry/mass/principal_axes.hpp"

namespace talus {

struct Ball {
    Vec3 centre;        // m
    double radius = 0;  // m
};

// About the origin. The relative error of the volume is about 1e-9.
MassMoments unionOfBalls(const std::vector<Ball>& balls);

}  // namespace talus
