// Settings of prescribed motions and applied forces.
#pragma once

#include "io/scene/fields/space_fields.hpp"

namespace talus {

// --- motion --------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<ConstantMotion>{"type", "constant", "Constant velocity and spin."};
template <>
inline constexpr Tag tagOf<SineMotion>{"type", "sine",
                                       "Shaking: displacement amplitude sin(2 pi frequency t + phase)."};
template <>
inline constexpr Tag tagOf<RotationMotion>{"type", "rotation", "Turning about an axis through a point."};
template <>
inline constexpr Tag tagOf<TableMotion>{"type", "table", "Velocity at points in time, linear between them."};

template <class V>
void fields(V& v, ConstantMotion& m) {
    v({"velocity", "Velocity.", unit::velocity, speedRange}, m.velocity);
    v({"spin", "Angular velocity about the body's centre.", unit::angularVelocity, speedRange}, m.spin);
}

template <class V>
void fields(V& v, SineMotion& m) {
    v({"amplitude", "Largest displacement along each axis.", unit::length, coordinateRange, Need::required},
      m.amplitude);
    v({"frequency", "Oscillations per time.", unit::frequency, bounds::nonNegative, Need::required}, m.frequency);
    v({"phase", "Phase at time 0; the displacement starts at zero whatever it is.", unit::angle}, m.phase);
}

template <class V>
void fields(V& v, RotationMotion& m) {
    v({"axis", "Direction of the axis, of any length.", unit::number}, m.axis);
    v({"point", "A point of the axis.", unit::length, coordinateRange}, m.point);
    v({"rate", "Angular velocity, right-handed about the axis.", unit::angularVelocity, speedRange, Need::required},
      m.rate);
}

template <class V>
void fields(V& v, TableMotion& m) {
    v.rows({"points", "Rows [time, vx, vy, vz] in order of time.", unit::velocity, speedRange, Need::required}, m.time,
           m.velocity);
}

template <>
inline constexpr Tag tagOf<ServoMotion>{
    "type", "servo",
    "A wall or plate that moves so that the force or stress on it reaches a target; see docs/walls.md."};
template <>
inline constexpr Tag tagOf<RadialServoMotion>{
    "type", "radial-servo",
    "A drum, or each ring of a sleeve, whose radius follows the mean stress on its mantle; see docs/walls.md."};

template <class V>
void targetFields(V& v, TargetCourse& c) {
    v.rows({"shares", "Rows [time, share]: which share of the target is wanted when, linear between; 1 if not given."},
           c.time, c.share);
}

template <class V>
void fields(V& v, ServoMotion& m) {
    v({"force", "Force with which it presses; give this or stress.", unit::force, forceRange}, m.force);
    v({"stress", "Force over area; give this or force.", unit::pressure, forceRange}, m.stress);
    v({"area",
       "Area that turns stress into force; of a container or box that of the face across the direction if not given.",
       unit::area, bounds::positive},
      m.area);
    v({"direction", "In which it pushes, of any length; the normal of a plane if not given."}, m.direction);
    v({"max_speed", "Largest speed to either side.", unit::velocity, bounds::positive, Need::required}, m.maxSpeed);
    v({"gain",
       "Share of the missing force that one step makes up for.",
       unit::number,
       {.low = 0, .high = 1, .openLow = true}},
      m.gain);
    targetFields(v, m.course);
}

template <class V>
void fields(V& v, RadialServoMotion& m) {
    v({"stress", "Mean radial stress on the mantle.", unit::pressure, bounds::nonNegative, Need::required}, m.stress);
    v({"max_speed", "Largest speed of the radius.", unit::velocity, bounds::positive, Need::required}, m.maxSpeed);
    v({"gain",
       "Share of the missing stress that one step makes up for.",
       unit::number,
       {.low = 0, .high = 1, .openLow = true}},
      m.gain);
    targetFields(v, m.course);
    v({"ends",
       "Groups of planes that end the specimen, such as the floor and the lid: what of the mantle is behind them bears "
       "no "
       "stress."},
      m.ends);
}

// --- forces --------------------------------------------------------------------------------------------------------

template <>
inline constexpr Tag tagOf<ConstantForce>{"type", "constant", "A constant force; a bare list means the same."};
template <>
inline constexpr Tag tagOf<TableForce>{"type", "table", "Force at points in time, linear between them."};
template <>
inline constexpr auto bareMember<ForceLaw> = &ConstantForce::force;

template <class V>
void fields(V& v, ConstantForce& f) {
    v({"force", "Force.", unit::force, forceRange, Need::required}, f.force);
}

template <class V>
void fields(V& v, TableForce& f) {
    v.rows({"points", "Rows [time, fx, fy, fz] in order of time.", unit::force, forceRange, Need::required}, f.time,
           f.force);
}

}  // namespace talus
