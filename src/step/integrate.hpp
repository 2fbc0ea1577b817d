// The motion of the bodies under known forces or velocities.
//
// Velocity Verlet in two halves around the force computation:
//
//   kickAndDrift   v_mid = v + dt/2 a,  x += dt v_mid,  v = v_mid + dt/2 a   (a prediction of the end-of-step velocity)
//   [forces from x, v, and the displacements dt v_mid]
//   kick           v = v_mid + dt/2 a_new
//
// So contact laws see positions, normals and velocities of one and the same instant.
#pragma once

#include "model/world.hpp"
#include "step/time_scheme.hpp"

namespace talus {

enum class SphereOrientation { ignored, tracked };

// Returns the largest distance (m) any grain moved; infinite if a velocity is not a number.
double kickAndDrift(WorldState& world, double dt, SphereOrientation orientation);
void kick(WorldState& world, double dt);

// kick() of one step and kickAndDrift() of the next in one pass over the bodies: the same bits, less memory traffic.
double kickKickAndDrift(WorldState& world, double dt, SphereOrientation orientation);

// Theta method, with the mean velocities of the step in place: x += dt w, and the velocities become those of its end.
// Returns as kickAndDrift() does.
double integratePositions(WorldState& world, const TimeScheme& time, SphereOrientation orientation);

// Where that step turns a body which has this spin when reactions have acted, for theta = 1.
Quat orientationAfter(const WorldState& world, std::size_t body, const Vec3& spin, double dt);

}  // namespace talus
