// The exact reaction of one contact of two spheres with a plain friction cone, its neighbours held: W_ii is
// diag(normal, tangent, tangent), so that the solution is closed form, and in the world frame.
#pragma once

#include <cmath>

#include "problem/contact_problem.hpp"

namespace talus {

// The reaction nearest to `free`, at which the contact would stick, that friction allows. byNormal and byTangent are
// the inverses of W_ii.
template <FrictionLaw law>
inline Vec3 admissible(const Vec3& free, const Vec3& normal, double friction, double byNormal, double byTangent) {
    const double push = dot(free, normal);
    const Vec3 shear = free - push * normal;
    const double squared = normSquared(shear);
    if constexpr (law == FrictionLaw::coulomb) {
        if (push <= 0) return {};
        const double limit = friction * push;
        if (squared <= limit * limit) return free;
        return push * normal + (limit / std::sqrt(squared)) * shear;
    } else {
        if (push >= 0 && squared <= friction * friction * push * push) return free;
        // Nearest in the metric of W: along the mantle, or the apex.
        const double size = std::sqrt(squared);
        const double height = byTangent * push + friction * byNormal * size;
        if (height <= 0) return {};
        const double onMantle = height / (byTangent + friction * friction * byNormal);
        return onMantle * normal + (size > 0 ? friction * onMantle / size : 0.0) * shear;
    }
}

}  // namespace talus
