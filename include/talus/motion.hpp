// Prescribed motion of walls and fixed bodies. Every motion starts from the body's pose at time 0.
#pragma once

#include <variant>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

struct ConstantMotion {
    Vec3 velocity;  // m/s
    Vec3 spin;      // rad/s about the body's own centre
};

// Displacement amplitude * sin(2 pi frequency t + phase) - its value at t = 0.
struct SineMotion {
    Vec3 amplitude;        // m
    double frequency = 0;  // Hz
    double phase = 0;      // rad
};

// Turning about an axis through a point; rate in rad/s, right-handed about the axis.
struct RotationMotion {
    Vec3 axis{0, 0, 1};
    Vec3 point;       // m
    double rate = 0;  // rad/s
};

// Velocity given at points in time, linear between them, constant before the first and after the last.
struct TableMotion {
    std::vector<double> time;    // s, increasing
    std::vector<Vec3> velocity;  // m/s
};

using MotionLaw = std::variant<ConstantMotion, SineMotion, RotationMotion, TableMotion>;

}  // namespace talus
