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
