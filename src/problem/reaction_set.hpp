// Projections on reaction sets (talus/reaction_set.hpp) and what solvers need of them besides.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "talus/reaction_set.hpp"
#include "talus/vec3.hpp"

namespace talus {

// Nearest reaction of a plain cone. Without branches: in a loop over contacts nobody could foresee them.
inline Vec3 projectOnPlainCone(double friction, const Vec3& g) {
    const double tangent = std::sqrt(g.y * g.y + g.z * g.z);
    const double onMantle = std::max(0.0, g.x + friction * tangent) / (1 + friction * friction);
    const double stretch = friction * onMantle / std::max(tangent, std::numeric_limits<double>::min());
    const bool inside = (g.x >= 0) & (tangent <= friction * g.x);
    const double keep = inside ? 1.0 : stretch;
    return {inside ? g.x : onMantle, keep * g.y, keep * g.z};
}

// Derivative of project() at a point; where it has a kink, that of one side.
Mat3 projectionDerivative(const ReactionSet& set, const Vec3& reaction);

// Distance from the set; 0 inside.
double violation(const ReactionSet& set, const Vec3& reaction);

// Largest g.u over the set; infinite where the set is unbounded in that direction.
double support(const ReactionSet& set, const Vec3& velocity);

// The member of Y with least 1/2 g.W g + q.g, for a symmetric positive definite W: the projection of -W^-1 q in the
// metric of W, and the exact solution of a contact whose neighbours are held.
Vec3 minimise(const ReactionSet& set, const Mat3& metric, const Vec3& linear);

}  // namespace talus
