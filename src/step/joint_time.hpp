// What joints ask of a step before the first one: how fast their pull can swing a link, and how far a chain can fall.
//
// A link of inertia I that is pulled with F at an arm a swings across the pull with w^2 = F a/I
// (assembly/joint_pull.hpp). Before a run F is not known. Bodies that are joined bear at most three times their weight,
// as a pendulum does that falls from the level of its pivot, or their weight if they are joined to nothing that stays;
// and what keeps them in a circle at the speed with which they start.
#pragma once

#include "model/world.hpp"

namespace talus {

struct JointMotion {
    double swing = 0;  // s, 1/w of the fastest link; infinite without joints
    double reach = 0;  // m, of the longest row of joined bodies that hangs on something that stays
};
JointMotion expectedJointMotion(const WorldState& world);

}  // namespace talus
