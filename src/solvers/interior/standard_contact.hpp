// A contact in the variables of interior point paths: scaled by the root of the mass m that it moves, and stretched so
// that every friction cone has 45 degrees,
//
//     x = (mu (r_n + cohesion), r_t) / sqrt(m),   z = sqrt(m) (u_n / mu, u_t).
#pragma once

#include <cmath>

#include "base/matrix3.hpp"
#include "problem/reaction_set.hpp"

namespace talus {

struct StandardContact {
    enum class Kind { cone, halfLine, point, free } kind = Kind::cone;  // point: nothing above the apex
    double root = 1;                                                    // sqrt(kg), of m
    double friction = 1;                                                // -, 1 where there is no cone
    double cohesion = 0;                                                // N s

    StandardContact() = default;
    // m is that of the diagonal block of the problem's matrix.
    StandardContact(const ReactionSet& set, const Mat3& diagonal) : root(std::sqrt(3 / trace(diagonal))) {
        if (set.bilateral) {
            kind = Kind::free;
            return;
        }
        cohesion = set.cohesion;
        const bool isPoint = set.cap <= -set.cohesion;
        kind = isPoint ? Kind::point : set.friction == 0 ? Kind::halfLine : Kind::cone;
        if (kind == Kind::cone) friction = set.friction;
    }

    // May be on the border of a cone or a half-line, or within.
    bool isConical() const { return kind == Kind::cone || kind == Kind::halfLine; }

    Vec3 reaction(const Vec3& x) const { return {root * x.x / friction - cohesion, root * x.y, root * x.z}; }
    Vec3 standardVelocity(const Vec3& u) const {
        const double tangential = kind == Kind::halfLine ? 0.0 : root;
        return {root * u.x / friction, tangential * u.y, tangential * u.z};
    }
    Vec3 physicalVelocity(const Vec3& u) const { return {u.x * friction / root, u.y / root, u.z / root}; }
};

}  // namespace talus
