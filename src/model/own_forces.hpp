// Forces and torques that a program adds to its world, beside gravity, loads and contacts. Filled anew in each step,
// for the state they act on; no part of what a checkpoint keeps.
#pragma once

#include <vector>

#include "talus/vec3.hpp"

namespace talus {

// One entry per body, by index; both empty if there are none.
struct OwnForces {
    std::vector<Vec3> force, torque;  // N, N m about the centre, world frame

    bool empty() const { return force.empty(); }
};

}  // namespace talus
