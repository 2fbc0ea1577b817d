// Walls whose radius moves: drums and rings of a sleeve under a radial servo.
//
// The mantle goes along `closing`, the unit vector towards the axis at the place of a contact, and a force f on a grain
// resists with f.closing, be it that the grain touches the mantle or a rim. The radius is one coordinate of its own:
// the body of the wall stays where it is. Where a servo moves it by force (model/servo.hpp), the x component of
// the body's velocity and force stands for that coordinate, inwards.
//
// Planes that end a specimen cut the length on which a stress acts: what of a ring is behind one of them is bare.
#pragma once

#include "model/world.hpp"

namespace talus {

// The motion of a wall whose radius follows a stress; null for others.
const RadialServoMotion* radialServoOf(const WorldState& world, std::size_t body);

// True if forces move the radius, as with rigid contacts.
bool closesByForce(const WorldState& world, std::size_t body);

// m/s, at which the radius of a wall closed in the last move, by force or by speed.
double closingSpeed(const WorldState& world, std::size_t wall);

// Where the mantle of a drum or ring goes at a contact with this normal (world frame) if it closes; zero at caps.
Vec3 closingAt(const WorldState& world, std::size_t wall, const Vec3& normal);

// N, by which a force on a grain presses on the first face of the wall that the grain touches with this normal (world
// frame): along the normal, but on a ring towards its axis. 0 at other faces.
double pressOnFace(const WorldState& world, std::size_t wall, const Vec3& normal, const Vec3& force);

// m, of a drum or ring: its length less what is behind the planes at the ends of its servo.
double coveredLength(const WorldState& world, std::size_t wall);

// m^2 and m^3, of the mantle and of what it encloses, over that length; 0 if the wall is no drum.
double mantleArea(const WorldState& world, std::size_t wall);
double enclosedVolume(const WorldState& world, std::size_t wall);

// m^2, of the mantle of a drum or ring, whatever is behind those planes.
double wholeMantleArea(const WorldState& world, std::size_t wall);

}  // namespace talus
