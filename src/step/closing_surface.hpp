// How the mantle of a drum or ring goes past its grains when a servo moves its radius: the body of the wall stays where
// it is, so its velocity does not tell (model/sleeve.hpp).
#pragma once

#include "laws/contact_law.hpp"
#include "model/sleeve.hpp"

namespace talus {

// Takes the motion of the mantle off that of a grain at its contact with a wall, if that has a mantle that moves.
inline void subtractClosing(const WorldState& world, std::size_t wall, double dt, PairGeometry& g) {
    const double speed = world.motions.empty() ? 0.0 : closingSpeed(world, wall);
    if (speed == 0) return;
    const Vec3 mantle = speed * closingAt(world, wall, g.normal);
    g.velocity -= mantle;
    g.slip -= dt * (mantle - dot(mantle, g.normal) * g.normal);
}

}  // namespace talus
