// Joints between two bodies, or a body and the world: what they hold, and what drives, springs and stops do about the
// rest. docs/joints.md explains each.
//
// Motion is that of the first body relative to the second, seen by the second. A joint that lets the first body slide
// along its axis has the coordinate `slide`, in m from where it was at the start; for a distance joint, slide is the
// distance itself. One that lets it turn about the axis has the coordinate `turn`, in rad, right-handed, from where it
// was at the start; it goes on counting over whole turns.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "talus/vec3.hpp"

namespace talus {

enum class JointKind {
    fixed,        // no relative motion
    spherical,    // turning about a point
    revolute,     // turn about an axis: a hinge
    prismatic,    // slide along an axis
    cylindrical,  // slide along an axis and turn about it
    planar,       // motion in a plane, and turning about the axis, its normal
    distance,     // two points at a distance: a rod; with limits a rope, with a spring a strut
};

// A number that may change with time: constant, or given at points in time, linear between them, constant before the
// first and after the last.
struct TimedValue {
    std::optional<double> constant;
    std::vector<double> time;   // s, increasing
    std::vector<double> value;  // as many
};

// Drives of a slide.
struct SpeedDrive {
    TimedValue speed;                // m/s
    std::optional<double> maxForce;  // N; any if not set
};
struct PositionDrive {
    TimedValue position;             // m
    double responseTime = 0;         // s, in which an error shrinks to 1/e; one step if that is longer
    std::optional<double> maxForce;  // N
};
struct ForceDrive {
    TimedValue force;  // N
};

// Drives of a turn.
struct SpinDrive {
    TimedValue rate;                  // rad/s
    std::optional<double> maxTorque;  // N m
};
struct AngleDrive {
    TimedValue angle;                 // rad
    double responseTime = 0;          // s
    std::optional<double> maxTorque;  // N m
};
struct TorqueDrive {
    TimedValue torque;  // N m
};

using DriveLaw = std::variant<SpeedDrive, PositionDrive, ForceDrive, SpinDrive, AngleDrive, TorqueDrive>;

// Where a slide and where a turn stops; no end where not set.
struct SlideLimits {
    std::optional<double> lower, upper;  // m
};
struct TurnLimits {
    std::optional<double> lower, upper;  // rad
};

// Spring and damper along a slide.
struct SlideSpring {
    double stiffness = 0;        // N/m
    double damping = 0;          // N s/m
    std::optional<double> rest;  // m; where it is at the start if not set
};

// A spring about the axis of a turn.
struct TorsionSpring {
    double stiffness = 0;        // N m/rad
    double damping = 0;          // N m s/rad
    std::optional<double> rest;  // rad
};

struct JointSettings {
    std::string name;
    JointKind kind = JointKind::revolute;
    std::array<std::string, 2> between;  // names of bodies, or "world"
    std::optional<Vec3> point;           // m; of a distance joint: on the first body
    std::optional<Vec3> point2;          // m, on the second body; distance joints only
    Vec3 axis{0, 0, 1};                  // of any length
    std::optional<SlideLimits> limits;
    std::optional<TurnLimits> turnLimits;
    std::optional<SlideSpring> spring;
    std::optional<TorsionSpring> torsionSpring;
    std::optional<DriveLaw> drive;
    bool collide = false;  // whether the two bodies touch each other
};

}  // namespace talus
