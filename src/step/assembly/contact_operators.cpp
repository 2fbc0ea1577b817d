#include "step/assembly/contact_operators.hpp"

#include "base/parallel.hpp"
#include "step/assembly/contact_search.hpp"
#include "step/rotation.hpp"

namespace talus {
namespace {

using Detail = BodyContacts::Detail;

// The velocity of a mantle whose radius closes, in the contact's frame; x is its coordinate.
JacobianBlock closingBlock(const ContactFrame& frame, const Vec3& closing) {
    JacobianBlock block{};
    const Vec3 local = frame.toLocal(closing);
    for (int row = 0; row < 3; ++row) block[static_cast<std::size_t>(6 * row)] = -local[row];
    return block;
}

// Against a wall whose radius moves by force; where its surface stays, at caps, it cannot move.
BlockRow closingRow(const WorldState& world, const ContactPlace& c) {
    BlockRow row;
    if (!isPrescribed(world.bodies, c.a)) {
        row.a = c.a;
        row.blockA = velocityBlock(contactFrame(c.normal), c.armA, 1);
    }
    if (c.closing != Vec3{}) {
        row.b = c.b;
        row.blockB = closingBlock(contactFrame(c.normal), c.closing);
    }
    return row;
}

MassBlock inverseMassOf(const WorldState& world, std::size_t body) {
    MassBlock block{};
    const Bodies& b = world.bodies;
    const Vec3 linear = b.inverseMass[body] * linearFreedomOf(world, body);
    const Vec3& turns = angularFreedomOf(world, body);
    for (int column = 0; column < 3; ++column) {
        Vec3 axis{};
        axis[column] = turns[column];
        const Vec3 spin = hadamard(turns, applyInBodyFrame(b.orientation[body], b.inverseInertia[body], axis));
        block[static_cast<std::size_t>(7 * column)] = linear[column];
        for (int row = 0; row < 3; ++row) block[static_cast<std::size_t>(6 * (row + 3) + column + 3)] = spin[row];
    }
    return block;
}

// Spheres that may go anywhere, and what cannot move, are told by two numbers.
bool isGeneral(const WorldState& world, std::uint32_t body) {
    const Bodies& b = world.bodies;
    return b.inverseMass[body] != 0 && (body >= b.grainCount || !isSphere(b, body) || isGuided(world, body));
}

void writeBodies(const WorldState& world, BodyContacts& contacts) {
    const Bodies& b = world.bodies;
    contacts.inverseMass = b.inverseMass;
    contacts.inverseInertia.resize(b.size());
    parallelFor(b.size(), [&](std::size_t i) { contacts.inverseInertia[i] = b.inverseInertia[i].x; });
    contacts.linearFreedom = world.linearFreedom;
    contacts.angularFreedom = world.angularFreedom;
    contacts.masses.clear();
    contacts.general.assign(b.size(), BodyContacts::sphere);
    for (std::uint32_t i = 0; i < b.size(); ++i) {
        if (!isGeneral(world, i)) continue;
        contacts.general[i] = static_cast<std::uint32_t>(contacts.masses.size());
        contacts.masses.emplace_back();
    }
    parallelFor(b.size(), [&](std::size_t i) {
        if (contacts.general[i] != BodyContacts::sphere) contacts.masses[contacts.general[i]] = inverseMassOf(world, i);
    });
    if (contacts.masses.empty()) contacts.general.clear();
}

// The kinds of the rows, and arms and blocks of those that are not round.
void writeDetails(const WorldState& world, const std::vector<ContactPlace>& places, BodyContacts& contacts) {
    contacts.detail.resize(places.size());
    for (std::size_t k = 0; k < places.size(); ++k) {
        const ContactPlace& c = places[k];
        Detail& detail = contacts.detail[k];
        if (c.closes) {
            const BlockRow row = closingRow(world, c);
            detail = Detail::of(RowKind::block, contacts.blocks.size());
            contacts.blocks.push_back({row.blockA, row.blockB});
            contacts.contacts[k].a = row.a;
            contacts.contacts[k].b = row.b;
        } else if (!contacts.isSphere(c.a) || !contacts.isSphere(c.b)) {
            detail = Detail::of(RowKind::arms, contacts.arms.size());
            contacts.arms.push_back({c.armA, c.armB});
        } else {
            detail = {};
        }
    }
}

}  // namespace

void writeOperator(const WorldState& world, const std::vector<ContactPlace>& places, BodyContacts& contacts) {
    const Bodies& b = world.bodies;
    writeBodies(world, contacts);
    contacts.contacts.resize(places.size());
    parallelFor(places.size(), [&](std::size_t k) {
        const ContactPlace& c = places[k];
        const double leverB = c.b < b.grainCount ? dot(c.armB, c.normal) : 0.0;
        contacts.contacts[k] = {c.normal, -dot(c.armA, c.normal), leverB, c.a, c.b};
    });
    contacts.detail.clear();
    contacts.arms.clear();
    contacts.blocks.clear();
    if (!contacts.general.empty()) writeDetails(world, places, contacts);
}

}  // namespace talus
