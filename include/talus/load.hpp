// Forces that act on bodies from outside: a push on a grain, the load of a piston.
#pragma once

#include <variant>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

struct ConstantForce {
    Vec3 force;  // N
};

// Force given at points in time, linear between them, constant before the first and after the last.
struct TableForce {
    std::vector<double> time;  // s, increasing
    std::vector<Vec3> force;   // N
};

using ForceLaw = std::variant<ConstantForce, TableForce>;

}  // namespace talus
