// Servo walls: walls that move so that the force on them reaches a target.
//
// Before each step a servo gets a new speed from the force F of the last one and the target T,
//
//     v = gain (T - F) / (K dt + C),    at most maxSpeed to either side
//
// K is the stiffness with which its contacts answer a displacement and C that of their dashpots, both estimated from
// the contacts as they are. What stands behind the first layer of grains is softer, so the wall never overshoots for
// that; without contacts it moves towards the grains at maxSpeed. The same for the radius of a drum, whose target is
// the stress times the area of the mantle.
//
// Rigid contacts have no stiffness: the force would jump from nothing to anything. There the target T pushes the wall
// against a drag with which it would go at maxSpeed if nothing else held it,
//
//     F = T (1 - v / maxSpeed)
//
// in the step itself, as part of the contact problem: the wall starts each step from rest and has the mass that T
// brings to maxSpeed in one. It keeps no momentum, so it does not swing on the grains; at rest they bear the target
// exactly. A radius moves so, too (model/sleeve.hpp).
#pragma once

#include "model/world.hpp"

namespace talus {

// N that the servo wants now.
double targetForce(const WorldState& world, std::size_t body, double time);

// m^2, of the face of a box that looks most along a direction of its frame.
double areaAcross(const Vec3& edges, const Vec3& direction);

// m^2, by which a stress becomes a force; 0 if not known.
double servoArea(const WorldState& world, std::size_t body);

// N, by which grains push back against the servo.
double measuredForce(const WorldState& world, std::size_t body);

// How servos move walls: as prescribed, or by force.
enum class ServoDrive { speed, force };

// When a stage begins: every servo goes on from where its body is. Speeds start at zero. `impulseTime`: by which a step
// of contact dynamics multiplies forces, its length unless theta is less than 1 (step/time_scheme.hpp).
void startServos(WorldState& world, ServoDrive drive, double impulseTime);

// Before a step: new speeds, or forces.
void steerServos(WorldState& world, double dt);

// After a step: the work of servos that move walls by force on the grains, F v dt. What the drag takes of T v dt is
// heat of the servo, which is no part of the scene.
void addServoWork(WorldState& world, double dt, double impulseTime);

}  // namespace talus
