// The memory of a world's arrays, for front ends that show it to others for longer than until the next step: views of
// another language, as Python has them.
//
//   std::shared_ptr<void> seen = takeMemory(world, StateArray::position);   // spans seen before stay readable
//   stepper.step(world);                                                    // the world goes on in a copy
//   giveMemory(world, StateArray::position, seen);                          // and is back: the same addresses, new
//   values
//
// Whoever holds what takeMemory() returns can read what was seen there, whatever becomes of the world.
#pragma once

#include <memory>
#include <span>

#include "talus/world.hpp"

namespace talus {

enum class StateArray { position, orientation, velocity, spin, force, torque, radius, inverseMass, id };

// The present values of an array, item by item: 3 numbers of a vector, 4 of an orientation (w, x, y, z); for id, which
// are no doubles, use World::ids().
std::span<const double> numbersOf(const World& world, StateArray array);

// The memory in which the array lies; the world goes on in a copy of it.
std::shared_ptr<void> takeMemory(World& world, StateArray array);
// The world goes on in memory that was taken from it, with its present values. False, and nothing happens, if it has
// another number of bodies now.
bool giveMemory(World& world, StateArray array, const std::shared_ptr<void>& memory);

// New values for all bodies of position, orientation, velocity or spin, in the order of memory. What differs from the
// present values is set as by World::setPosition() and its like, by their rules; if one is refused, nothing changes.
void assign(World& world, StateArray array, std::span<const double> numbers);

}  // namespace talus
