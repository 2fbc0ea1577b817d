// The touching contacts of a state, each with the force its law gives for that state.
//
// The penalty method stores nothing for this: the law is evaluated once more, without advancing any memory. Contact
// dynamics gives the mean force of the last step, from the impulses it remembers, at the positions of now. Contacts of
// bodies that are not spheres count point by point, where the last step found them. Everything that is measured on
// contacts (stress, fabric, energy, frames) starts from this list.
#pragma once

#include <cstdint>
#include <vector>

#include "laws/contact_law.hpp"
#include "model/world.hpp"

namespace talus {

inline constexpr std::uint16_t noFace = 0xFFFF;

struct ContactSample {
    std::uint32_t owner = 0, partner = 0;  // body indices; a wall is always the partner
    std::uint16_t face = noFace;           // of the wall; noFace between grains and for solids on walls
    Vec3 point;                            // m, contact point, near the owner (periodic scenes)
    Vec3 normal;                           // unit, from partner to owner
    Vec3 branch;                           // m, from the partner's centre (wall: contact point) to the owner's centre
    Vec3 force;                            // N, on the owner
    Vec3 couple;                           // N m, on the owner, rolling resistance
    double overlap = 0;                    // m, negative in a JKR neck
    double normalForce = 0;                // N, positive pushes
    StoredEnergy energy;                   // J
};

// True if the contact lists belong to the bodies as they are now; not before the first step, nor when bodies have
// just come or gone.
bool hasContactLists(const WorldState& world);

// In the order of the candidate lists: the same for any number of threads. Empty without contact lists.
std::vector<ContactSample> sampleContacts(const WorldState& world);

}  // namespace talus
