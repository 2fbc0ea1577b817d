// Forces applied to bodies from outside (talus/load.hpp): their values and the work they do.
#pragma once

#include "model/world.hpp"

namespace talus {

Vec3 evaluateForce(const ForceLaw& law, double time);

// Every load gets the force it has at `time`.
void setLoads(WorldState& world, double time);

// m/s^2, the largest that gravity and the present loads give to a body.
double largestOuterAcceleration(const WorldState& world);

// Work that the present loads do when bodies move for `duration` at their mid-step velocity; added to the ledger.
void addLoadWork(WorldState& world, double duration);

}  // namespace talus
