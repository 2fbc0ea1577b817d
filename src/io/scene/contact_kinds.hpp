// The kinds of contacts that a scene can have, by the materials that meet.
#pragma once

#include "io/scene/problems.hpp"
#include "io/scene/scene_rules.hpp"

namespace talus {

// Limits may be given as forces, as stresses, or as both.
inline bool hasCap(const ContactProperties& c) { return c.cap > 0 || c.capStress > 0; }
inline bool hasRounding(const ContactProperties& c) { return c.rounding > 0 || c.roundingStress > 0; }
inline bool isDamped(const ContactProperties& c) { return c.dampingTime > 0 || c.dampingRate > 0; }

// What makes a contact more than a spring with friction.
inline bool yields(const ContactProperties& c) {
    return isDamped(c) || hasRounding(c) || hasCap(c) || c.cohesionStress > 0 || c.bondStretch > 0 ||
           c.cohesionHardening != 0 || c.roundingHardening != 0 || c.capHardening != 0;
}

// Where the scene sets the contacts of two materials, or could set them, where they are mixed.
std::string pathOfContacts(const Scene& scene, const std::string& a, const std::string& b);

// Calls visit(path, properties) for the contacts of each two materials and within each.
template <class Visit>
void forEachContactKind(const Scene& scene, Visit&& visit) {
    for (auto a = scene.materials.begin(); a != scene.materials.end(); ++a) {
        for (auto b = a; b != scene.materials.end(); ++b) {
            visit(pathOfContacts(scene, a->first, b->first), contactBetween(scene, a->first, b->first));
        }
    }
}

}  // namespace talus
