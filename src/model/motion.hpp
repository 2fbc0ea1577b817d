// Prescribed motion of fixed bodies and walls: pose and velocity as functions of time.
//
// Every motion starts from the pose that its body had when it got the motion, so nothing drifts. Most are closed
// functions of time; a servo goes on from step to step at the speed that it was last given. Evaluated by
// model/prescribed_motion.hpp, steered by model/servo.hpp.
#pragma once

#include <cstdint>

#include "geometry/shape.hpp"
#include "talus/motion.hpp"

namespace talus {

// How far a servo has come: `way` along its direction (inwards, if radial) at the time `since`, at `speed` from then.
struct ServoState {
    double way = 0, speed = 0;  // m, m/s
    double since = 0;           // s
    double radius = 0;          // m, of a drum at way 0
    double midSpeed = 0;        // m/s, of a drum's radius in the last move, inwards; like Bodies::midVelocity
    Vec3 push;                  // N, on a wall that moves by force (model/servo.hpp)

    // What goes on from step to step; the rest is found anew in each.
    static constexpr auto fields() {
        using S = ServoState;
        return std::tuple{Field{"way", &S::way}, Field{"speed", &S::speed}, Field{"since", &S::since},
                          Field{"radius", &S::radius}};
    }

    double wayAt(double time) const { return way + speed * (time - since); }
};

struct Motion {
    MotionLaw law;
    Pose start;               // of the body at startTime
    double startTime = 0;     // s
    std::uint16_t entry = 0;  // of the law in WorldState::motionLaws: what a checkpoint keeps of it
    ServoState servo = {};

    // The law is that of the entry.
    static constexpr auto fields() {
        constexpr Hashed no = Hashed::no;
        return std::tuple{Field{"law", &Motion::entry, no}, Field{"start", &Motion::start, no},
                          Field{"startTime", &Motion::startTime, no}, Field{"servo", &Motion::servo}};
    }
};

// Unit, in which the servo of this motion pushes; a plane pushes along its normal if nothing else is said.
inline Vec3 directionOf(const ServoMotion& servo, const Motion& motion) {
    return servo.direction ? normalized(*servo.direction) : rotate(motion.start.orientation, {0, 0, 1});
}

inline bool isRadialServo(const Motion& motion) { return std::holds_alternative<RadialServoMotion>(motion.law); }
inline bool isServo(const Motion& motion) {
    return std::holds_alternative<ServoMotion>(motion.law) || isRadialServo(motion);
}

}  // namespace talus
