// Bodies that follow a prescribed motion: pose and velocity from closed functions of time.
#pragma once

#include "model/world.hpp"

namespace talus {

struct MotionState {
    Pose pose;
    Vec3 velocity;  // m/s, of the body's origin
    Vec3 spin;      // rad/s
};

MotionState evaluateMotion(const Motion& motion, double time);

// Adds the motion of a body that follows this law of WorldState::motionLaws from now on, and returns its number.
std::uint16_t startMotion(WorldState& world, std::uint16_t law, const Pose& start);

// Puts every body with a motion where it is at `time`, with mid-step velocities of time - dt/2. Grains that leave
// through a periodic border come in again on the other side.
void movePrescribed(WorldState& world, double time, double dt);

// Gives every body with a motion the velocity it will have on average from `time` to `time` + dt, leaving it in place.
void predictMotions(WorldState& world, double time, double dt);

// Work that prescribed bodies do on the rest when they move for `duration` at their mid-step velocity against the
// present contact forces; added to the ledger.
void addWallWork(WorldState& world, double duration);

}  // namespace talus
