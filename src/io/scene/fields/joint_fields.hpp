// Settings of joints and what drives them.
#pragma once

#include "io/scene/fields/space_fields.hpp"

namespace talus {

template <>
struct EnumNames<JointKind> {
    static constexpr std::array<std::string_view, 7> names{"fixed",       "spherical", "revolute", "prismatic",
                                                           "cylindrical", "planar",    "distance"};
};

template <>
inline constexpr Tag tagOf<SpeedDrive>{"type", "speed", "Slides at a given speed."};
template <>
inline constexpr Tag tagOf<PositionDrive>{"type", "position", "Slides to a given place and stays there: a servo."};
template <>
inline constexpr Tag tagOf<ForceDrive>{"type", "force", "Pushes with a given force."};
template <>
inline constexpr Tag tagOf<SpinDrive>{"type", "spin", "Turns at a given rate: a motor."};
template <>
inline constexpr Tag tagOf<AngleDrive>{"type", "angle", "Turns to a given angle and stays there: a servo."};
template <>
inline constexpr Tag tagOf<TorqueDrive>{"type", "torque", "Turns with a given torque."};

// A constant under `key`, or lists of times and values, linear between them.
template <class V>
void timedFields(V& v, const FieldInfo& constant, const FieldInfo& list, TimedValue& value) {
    v(constant, value.constant);
    v({"times", "Points in time, increasing, in place of one value.", unit::time}, value.time);
    v(list, value.value);
}

template <class V>
void fields(V& v, SpeedDrive& d) {
    timedFields(v, {"speed", "Speed of the slide.", unit::velocity, speedRange},
                {"speeds", "Speed at each of the times, linear between them.", unit::velocity, speedRange}, d.speed);
    v({"max_force", "Largest force it has; any if not given.", unit::force, bounds::positive}, d.maxForce);
}

template <class V>
void fields(V& v, PositionDrive& d) {
    timedFields(
        v, {"position", "Where to slide to; the distance, for a distance joint.", unit::length, coordinateRange},
        {"positions", "Place at each of the times, linear between them.", unit::length, coordinateRange}, d.position);
    v({"response_time", "In which an error shrinks to about a third; one step if that is longer.", unit::time,
       bounds::nonNegative},
      d.responseTime);
    v({"max_force", "Largest force it has; any if not given.", unit::force, bounds::positive}, d.maxForce);
}

template <class V>
void fields(V& v, ForceDrive& d) {
    timedFields(v, {"force", "Force on the first body along the axis.", unit::force, forceRange},
                {"forces", "Force at each of the times, linear between them.", unit::force, forceRange}, d.force);
}

template <class V>
void fields(V& v, SpinDrive& d) {
    timedFields(v, {"rate", "Rate of the turn.", unit::angularVelocity, speedRange},
                {"rates", "Rate at each of the times, linear between them.", unit::angularVelocity, speedRange},
                d.rate);
    v({"max_torque", "Largest torque it has; any if not given.", unit::torque, bounds::positive}, d.maxTorque);
}

template <class V>
void fields(V& v, AngleDrive& d) {
    timedFields(v, {"angle", "Where to turn to, from the start.", unit::angle, coordinateRange},
                {"angles", "Angle at each of the times, linear between them.", unit::angle, coordinateRange}, d.angle);
    v({"response_time", "In which an error shrinks to about a third; one step if that is longer.", unit::time,
       bounds::nonNegative},
      d.responseTime);
    v({"max_torque", "Largest torque it has; any if not given.", unit::torque, bounds::positive}, d.maxTorque);
}

template <class V>
void fields(V& v, TorqueDrive& d) {
    timedFields(v, {"torque", "Torque on the first body about the axis.", unit::torque, forceRange},
                {"torques", "Torque at each of the times, linear between them.", unit::torque, forceRange}, d.torque);
}

template <class V>
void fields(V& v, SlideLimits& l) {
    v({"lower", "Least slide; least distance, for a distance joint.", unit::length, coordinateRange}, l.lower);
    v({"upper", "Largest slide; length of a rope.", unit::length, coordinateRange}, l.upper);
}

template <class V>
void fields(V& v, TurnLimits& l) {
    v({"lower", "Least turn.", unit::angle, coordinateRange}, l.lower);
    v({"upper", "Largest turn.", unit::angle, coordinateRange}, l.upper);
}

template <class V>
void fields(V& v, SlideSpring& s) {
    v({"stiffness", "Stiffness.", unit::stiffness, bounds::nonNegative}, s.stiffness);
    v({"damping", "Force of the damper over speed.", unit::damping, bounds::nonNegative}, s.damping);
    v({"rest", "Slide, or distance, without force; as at the start if not given.", unit::length, coordinateRange},
      s.rest);
}

template <class V>
void fields(V& v, TorsionSpring& s) {
    v({"stiffness", "Torque over angle.", unit::torsionalStiffness, bounds::nonNegative}, s.stiffness);
    v({"damping", "Torque of the damper over rate.", unit::torsionalDamping, bounds::nonNegative}, s.damping);
    v({"rest", "Turn without torque; as at the start if not given.", unit::angle, coordinateRange}, s.rest);
}

template <class V>
void fields(V& v, JointSettings& j) {
    v({"name", "Name in the output; each name once.", unit::number, bounds::anyValue, Need::required}, j.name);
    v({"type", "What it lets the first body do, seen from the second; see docs/joints.md.", unit::number,
       bounds::anyValue, Need::required},
      j.kind);
    v({"between", "Names of two bodies, or of one and world.", unit::number, bounds::anyValue, Need::required},
      j.between);
    v({"point",
       "Where it is; for a distance joint its end on the first body. The centre of the first body if not given, which "
       "spherical and revolute joints do not allow.",
       unit::length, coordinateRange},
      j.point);
    v({"point2", "The other end of a distance joint; the centre of the second body if not given.", unit::length,
       coordinateRange},
      j.point2);
    v({"axis", "Direction along which it slides, about which it turns, or across which its plane lies; of any length.",
       unit::number},
      j.axis);
    v({"limits", "Ends of the slide: prismatic, cylindrical, distance."}, j.limits);
    v({"turn_limits", "Ends of the turn: revolute, cylindrical."}, j.turnLimits);
    v({"spring", "Spring and damper along the slide."}, j.spring);
    v({"torsion_spring", "Spring and damper about the axis of the turn."}, j.torsionSpring);
    v({"drive", "What moves it."}, j.drive);
    v({"collide", "Whether its two bodies can touch each other."}, j.collide);
}

}  // namespace talus
