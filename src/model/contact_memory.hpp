// What contacts remember from step to step: springs in the penalty method, impulses in contact dynamics.
//
// One model at a time, by the method that moves the world. Each of its arrays has one entry per candidate of the table
// (contacts.hpp), from the owner's view: stretch and turn of the owner relative to the partner, impulse on the owner.
// A model that remembers more gets one more array here. What else is done with memory (making room, following pairs
// when lists are rebuilt, checkpoint, state hash) goes through its fields.
#pragma once

#include <variant>
#include <vector>

#include "base/fields.hpp"
#include "base/turning.hpp"
#include "laws/contact_law.hpp"
#include "laws/yield_law.hpp"

namespace talus {

// Penalty method.
struct SpringMemory {
    std::vector<TangentSpring> tangent;  // contactRadius 0 means not touching
    std::vector<RollingSpring> rolling;  // empty if the law has no rolling spring

    // Whether candidate k transmits a force; the same below.
    bool isActive(std::size_t k) const { return tangent[k].contactRadius > 0; }
    static constexpr auto fields() {
        return std::tuple{Field{"tangent", &SpringMemory::tangent}, Field{"rolling", &SpringMemory::rolling}};
    }
};

// Contact dynamics.
struct ImpulseMemory {
    std::vector<Vec3> impulse;  // N s, of the last step; 0 means not touching

    bool isActive(std::size_t k) const { return impulse[k] != Vec3{}; }
    static constexpr auto fields() { return std::tuple{Field{"impulse", &ImpulseMemory::impulse}}; }
};
struct RigidMemory : ImpulseMemory {};
// Contacts have the springs of Hooke's law.
struct ElasticMemory : ImpulseMemory {};
// Elastic, and some are damped, hold on or yield (laws/yield_law.hpp).
struct YieldingMemory : ImpulseMemory {
    std::vector<ContactStretch> stretch;

    // True where they touch, too.
    bool isActive(std::size_t k) const { return impulse[k] != Vec3{} || stretch[k].touching > 0; }
    static constexpr auto fields() {
        return std::tuple{Field{"impulse", &YieldingMemory::impulse}, Field{"stretch", &YieldingMemory::stretch}};
    }
};

using ContactMemory = std::variant<SpringMemory, RigidMemory, ElasticMemory, YieldingMemory>;

// The memory is one of contact dynamics.
template <class Memory>
auto& impulsesOf(Memory& memory) {
    if (auto* rigid = std::get_if<RigidMemory>(&memory)) return rigid->impulse;
    if (auto* elastic = std::get_if<ElasticMemory>(&memory)) return elastic->impulse;
    return std::get<YieldingMemory>(memory).impulse;
}

// The model of this index, without candidates.
inline ContactMemory emptyMemory(std::size_t model) {
    switch (model) {
        case 0:
            return SpringMemory{};
        case 1:
            return RigidMemory{};
        case 2:
            return ElasticMemory{};
        default:
            return YieldingMemory{};
    }
}

// Whether contacts under this law remember such a quantity.
template <class Remembered>
constexpr bool isKept(const LawKinds& kinds, const std::vector<Remembered>&) {
    return !std::is_same_v<Remembered, RollingSpring> || kinds.rolling == RollingLaw::spring;
}

// Calls visit(a, b) for the memories themselves; the second becomes one of the same model first.
template <class Visit>
void visitAlike(ContactMemory& a, ContactMemory& b, Visit&& visit) {
    if (b.index() != a.index()) b = emptyMemory(a.index());
    std::visit([&]<class Model>(Model& memory) { visit(memory, std::get<Model>(b)); }, a);
}

// Changes each vector in it by change(vector).
template <class Remembered, class Change>
Remembered withVectors(Remembered value, const Change& change) {
    if constexpr (std::is_same_v<Remembered, Vec3>) {
        return change(value);
    } else {
        visitFields(
            [&](const auto&, auto& part) {
                if constexpr (std::is_same_v<std::remove_reference_t<decltype(part)>, Vec3>) part = change(part);
            },
            value);
        return value;
    }
}

// The memory of a pair whose bodies change places.
template <class Remembered>
Remembered seenFromPartner(const Remembered& value) {
    return withVectors(value, [](const Vec3& v) { return -v; });
}

// The memory of a contact whose normal has turned.
template <class Remembered>
Remembered turned(const Remembered& value, const Vec3& from, const Vec3& to) {
    return withVectors(value, [&](const Vec3& v) { return turnedWith(from, to, v); });
}

}  // namespace talus
