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

// Calls visit(path, properties) for the contacts within each material and of each pair that is set.
template <class Visit>
void forEachContactKind(const Scene& scene, Visit&& visit) {
    for (const auto& [name, material] : scene.materials) visit(joined("materials", name), material.contact);
    for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
        const auto& [a, b] = scene.pairs[k].between;
        if (!scene.materials.contains(a) || !scene.materials.contains(b)) continue;
        visit(indexed("pairs", k), contactBetween(scene, a, b));
    }
}

}  // namespace talus
