// Contacts between bodies of any shape: D as two blocks of 3 x 6 per contact, A^-1 as one of 6 x 6 per body.
//
// Rows of a block are the contact's (normal, first, second tangent); columns the body's three translations and three
// rotations. A block gives the velocity of the body at the contact, with its sign: u = J_a v_a + J_b v_b.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "problem/incidence.hpp"
#include "talus/vec3.hpp"

namespace talus {

using Twist = std::array<double, 6>;           // velocity and spin of a body
using JacobianBlock = std::array<double, 18>;  // 3 x 6, row by row
using MassBlock = std::array<double, 36>;      // 6 x 6, symmetric

class BodyContacts {
public:
    static constexpr std::uint32_t noBody = 0xFFFFFFFF;
    using State = std::vector<Twist>;

    struct Contact {
        std::uint32_t a = noBody, b = noBody;  // noBody: something that cannot move
        JacobianBlock blockA{}, blockB{};
    };

    std::vector<Contact> contacts;
    std::vector<MassBlock> inverseMass;  // per body

    // Call when contacts and bodies are complete.
    void finish() { incidence_.build(bodyCount(), contacts.size(), *this); }

    std::size_t contactCount() const { return contacts.size(); }
    std::size_t bodyCount() const { return inverseMass.size(); }
    const Incidence& incidence() const { return incidence_; }

    template <class Visit>
    void forEachMovable(std::size_t contact, Visit&& visit) const {
        const Contact& c = contacts[contact];
        if (c.a != noBody) visit(c.a, 0u);
        if (c.b != noBody) visit(c.b, 1u);
    }

    void start(const std::vector<Vec3>& reactions, State& state) const;
    Mat3 diagonal(std::size_t contact) const;
    Vec3 velocity(const State& state, std::size_t contact) const;
    void change(State& state, std::size_t contact, const Vec3& change) const;

private:
    Incidence incidence_;
};

}  // namespace talus
