#include "step/assembly/contact_operators.hpp"

#include "base/parallel.hpp"
#include "step/assembly/contact_search.hpp"
#include "step/rotation.hpp"

namespace talus {
namespace {

// The velocity at `arm` from the centre of a body, in the contact's frame.
JacobianBlock velocityAt(const ContactFrame& frame, const Vec3& arm, double sign) {
    JacobianBlock block{};
    const std::array<Vec3, 3> axes{frame.normal, frame.first, frame.second};
    for (std::size_t row = 0; row < 3; ++row) {
        const Vec3 turning = cross(arm, axes[row]);
        for (int k = 0; k < 3; ++k) {
            block[6 * row + static_cast<std::size_t>(k)] = sign * axes[row][k];
            block[6 * row + 3 + static_cast<std::size_t>(k)] = sign * turning[k];
        }
    }
    return block;
}

// The velocity of a mantle whose radius closes, in the contact's frame; x is its coordinate.
JacobianBlock closingBlock(const ContactFrame& frame, const Vec3& closing) {
    JacobianBlock block{};
    const Vec3 local = frame.toLocal(closing);
    for (int row = 0; row < 3; ++row) block[static_cast<std::size_t>(6 * row)] = -local[row];
    return block;
}

BodyContacts::Contact asBodyContact(const WorldState& world, const ContactPlace& c) {
    const ContactFrame frame = contactFrame(c.normal);
    BodyContacts::Contact contact;
    if (!isPrescribed(world.bodies, c.a)) {
        contact.a = c.a;
        contact.blockA = velocityAt(frame, c.armA, 1);
    }
    const bool stays = c.closes && c.closing == Vec3{};
    if (!isPrescribed(world.bodies, c.b) && !stays) {
        contact.b = c.b;
        contact.blockB = c.closes ? closingBlock(frame, c.closing) : velocityAt(frame, c.armB, -1);
    }
    return contact;
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

}  // namespace

void writeOperator(const WorldState& world, const std::vector<ContactPlace>& places, SphereContacts& contacts) {
    const Bodies& b = world.bodies;
    contacts.contacts.resize(places.size());
    parallelFor(places.size(), [&](std::size_t k) {
        const ContactPlace& c = places[k];
        const double leverB = c.b < b.grainCount ? dot(c.armB, c.normal) : 0.0;
        contacts.contacts[k] = {c.normal, -dot(c.armA, c.normal), leverB, c.a, c.b};
    });
    contacts.inverseMass = b.inverseMass;
    contacts.inverseInertia.resize(b.size());
    parallelFor(b.size(), [&](std::size_t i) { contacts.inverseInertia[i] = b.inverseInertia[i].x; });
    contacts.linearFreedom = world.linearFreedom;
    contacts.angularFreedom = world.angularFreedom;
}

void writeOperator(const WorldState& world, const std::vector<ContactPlace>& places, BodyContacts& contacts) {
    contacts.contacts.resize(places.size());
    parallelFor(places.size(), [&](std::size_t k) { contacts.contacts[k] = asBodyContact(world, places[k]); });
    contacts.inverseMass.resize(world.bodies.size());
    parallelFor(world.bodies.size(), [&](std::size_t i) { contacts.inverseMass[i] = inverseMassOf(world, i); });
}

}  // namespace talus
