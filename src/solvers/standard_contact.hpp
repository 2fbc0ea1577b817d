// A contact in the variables of interior point paths: scaled by the root of the mass m that it moves, and stretched so
// that every friction cone has 45 degrees,
//
//     x = (mu (r_n + cohesion), r_t) / sqrt(m),   z = sqrt(m) (u_n / mu, u_t).
#pragma once

#include "talus/vec3.hpp"

namespace talus {

struct StandardContact {
    enum class Kind { cone, halfLine, point, free } kind = Kind::cone;  // point: nothing above the apex
    double root = 1;                                                    // sqrt(kg), of m
    double friction = 1;                                                // -, 1 where there is no cone
    double cohesion = 0;                                                // N s

    Vec3 reaction(const Vec3& x) const { return {root * x.x / friction - cohesion, root * x.y, root * x.z}; }
    Vec3 standardVelocity(const Vec3& u) const {
        const double tangential = kind == Kind::halfLine ? 0.0 : root;
        return {root * u.x / friction, tangential * u.y, tangential * u.z};
    }
    Vec3 physicalVelocity(const Vec3& u) const { return {u.x * friction / root, u.y / root, u.z / root}; }
};

}  // namespace talus
