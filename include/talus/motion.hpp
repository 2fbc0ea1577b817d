// Prescribed motion of walls and fixed bodies. Every motion starts from the pose the body has when it gets the motion,
// at time 0 or at the start of a stage, and its times count from then.
#pragma once

#include <optional>
#include <string>
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

// How the target of a servo changes with time: the share of its full value, linear between the points, constant
// before the first and after the last; always 1 without points.
struct TargetCourse {
    std::vector<double> time;   // s, increasing, from the start of the motion
    std::vector<double> share;  // -
};

// A wall or plate that moves along a direction so that what it touches pushes back with a given force.
struct ServoMotion {
    std::optional<double> force;    // N, this or stress
    std::optional<double> stress;   // Pa, times area
    std::optional<double> area;     // m^2; of containers and boxes that of the face across the direction if not set
    std::optional<Vec3> direction;  // in which it pushes, any length; of planes their normal if not set
    double maxSpeed = 0;            // m/s
    double gain = 0.2;              // -, share of the missing force that a step makes up for
    TargetCourse course;
};

// The mantle of a drum, or of each ring of a sleeve, whose radius follows the mean stress that the grains put on it: a
// confining wall.
struct RadialServoMotion {
    double stress = 0;    // Pa
    double maxSpeed = 0;  // m/s, of the radius
    double gain = 0.2;    // -
    TargetCourse course;
    std::vector<std::string> ends;  // groups of planes that end the specimen: behind them there is no stress
};

using MotionLaw = std::variant<ConstantMotion, SineMotion, RotationMotion, TableMotion, ServoMotion, RadialServoMotion>;

}  // namespace talus
