// From materials as a user describes them to the laws between them.
#pragma once

#include <string>
#include <vector>

#include "model/materials.hpp"
#include "talus/error.hpp"
#include "talus/material_settings.hpp"

namespace talus {

// The materials of a world in the order of their numbers, and what is set for pairs of them.
struct MaterialTable {
    struct Entry {
        std::string name;
        MaterialSettings settings;
    };
    struct Pair {
        std::uint16_t first = 0, second = 0;
        ContactOverrides contact;
    };
    std::vector<Entry> list;
    std::vector<Pair> pairs;  // of several for two materials the later ones count
    ContactLawSettings law;
};

// Sets those properties that are given.
void applyOverrides(const ContactOverrides& set, ContactProperties& contact);

// What holds between two materials: mixed from both, or as set for the pair.
ContactProperties contactBetween(const MaterialTable& table, std::size_t a, std::size_t b);

// Calls visit(a, b, properties) for the contacts within each material and between each two, a <= b.
template <class Visit>
void forEachContactKind(const MaterialTable& table, Visit&& visit) {
    for (std::size_t a = 0; a < table.list.size(); ++a) {
        for (std::size_t b = a; b < table.list.size(); ++b) visit(a, b, contactBetween(table, a, b));
    }
}

// Limits may be given as forces, as stresses, or as both.
inline bool hasCap(const ContactProperties& c) { return c.cap > 0 || c.capStress > 0; }
inline bool hasRounding(const ContactProperties& c) { return c.rounding > 0 || c.roundingStress > 0; }
inline bool isDamped(const ContactProperties& c) { return c.dampingTime > 0 || c.dampingRate > 0; }

// What makes a contact more than a spring with friction.
inline bool yields(const ContactProperties& c) {
    return isDamped(c) || hasRounding(c) || hasCap(c) || c.cohesionStress > 0 || c.bondStretch > 0 ||
           c.cohesionHardening != 0 || c.roundingHardening != 0 || c.capHardening != 0;
}

// Some contacts have a dilation angle of their own.
bool hasDilation(const MaterialTable& table);
// Elastic contacts of these materials are damped, hold on, yield or dilate (laws/yield_law.hpp).
bool hasYielding(const MaterialTable& table);

// `yields`: contacts have the laws of laws/yield_law.hpp beside those of springs.
enum class YieldLaws { none, made };
Materials makeMaterials(const MaterialTable& table, YieldLaws yields);

}  // namespace talus
