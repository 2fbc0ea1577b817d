// Prescribed motion of fixed bodies and walls: pose and velocity as closed functions of time.
//
// Every motion starts from the body's pose at time 0, so nothing drifts and a checkpoint needs no extra state.
// Evaluated by constraints/motion.hpp.
#pragma once

#include "shapes/shape.hpp"
#include "talus/motion.hpp"

namespace talus {

struct Motion {
    MotionLaw law;
    Pose start;  // pose of the body at time 0
};

}  // namespace talus
