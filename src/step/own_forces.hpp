// Forces of the program in a step (model/own_forces.hpp): asked for at the state they act on.
#pragma once

#include <functional>

#include "model/world.hpp"
#include "step/rotation.hpp"

namespace talus {

// Adds to WorldState::ownForces, which are zero then; reads the rest of the world as it is at WorldState::time.
using OwnForceField = std::function<void(WorldState&)>;

inline void setOwnForces(WorldState& world, const OwnForceField& field) {
    const std::size_t count = field ? world.bodies.size() : 0;
    world.ownForces.force.assign(count, {});
    world.ownForces.torque.assign(count, {});
    if (field) field(world);
}

// rad/s^2, by torques from outside on a free body, about the axes it can turn about.
inline Vec3 outerSpinRate(const WorldState& world, std::size_t body) {
    if (world.ownForces.empty()) return {};
    const Bodies& b = world.bodies;
    return applyInBodyFrame(b.orientation[body], b.inverseInertia[body],
                            hadamard(angularFreedomOf(world, body), world.ownForces.torque[body]));
}

}  // namespace talus
