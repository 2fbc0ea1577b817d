#include "bench/traffic.hpp"

#include <algorithm>

namespace talus {
namespace {

// Size of one entry of some arrays of the bodies.
template <class... Arrays>
constexpr std::size_t bytesOf(const Arrays&...) {
    return (sizeof(typename Arrays::value_type) + ... + std::size_t{0});
}

// The loops over grains of open steps of stepPenalty(), in its order: what each reads, what each writes.
std::size_t bytesPerGrain(const World& w) {
    const Bodies& b = w.bodies;
    const Contacts& c = w.contacts;
    const std::size_t kickKickAndDrift =
        bytesOf(b.position, b.midVelocity, b.midSpin, b.force, b.torque, b.inverseMass, b.radius, b.shape) +
        bytesOf(b.position, b.velocity, b.spin, b.midVelocity, b.midSpin);
    const std::size_t contactForces = bytesOf(b.position, b.velocity, b.spin, b.midVelocity, b.midSpin, b.radius,
                                              b.inverseMass, c.grains.rowStart, c.walls.rowStart) +
                                      bytesOf(b.force, b.torque);
    return kickKickAndDrift + contactForces;
}

// A candidate costs the look at its partner and its memory, a touching one also the new memory.
template <class List, class Entries>
std::size_t bytesOfContacts(const List& list, const Entries& entries) {
    const auto touching = static_cast<std::size_t>(std::count_if(
        list.tangent.begin(), list.tangent.end(), [](const TangentSpring& t) { return t.contactRadius > 0; }));
    return entries.size() * (bytesOf(entries) + sizeof(TangentSpring)) + touching * sizeof(TangentSpring);
}

// A force that crosses from one block of rows to another is written to its slot, then read and added.
std::size_t bytesOfCrossForces(const ForceWorkspace& ws) {
    return ws.slots.size() * (2 * sizeof(CrossForce) + bytesOf(ws.entrySlot, ws.entryTarget));
}

}  // namespace

double bytesMovedPerGrain(const World& world, const StepWorkspace& workspace) {
    const Contacts& c = world.contacts;
    const std::size_t ofContacts = bytesOfContacts(c.grains, c.grains.partner) +
                                   bytesOfContacts(c.walls, c.walls.candidate) + bytesOfCrossForces(workspace.forces);
    return static_cast<double>(bytesPerGrain(world)) +
           static_cast<double>(ofContacts) / static_cast<double>(world.bodies.grainCount);
}

double contactsPerGrain(const World& world) {
    const std::vector<TangentSpring>& springs = world.contacts.grains.tangent;
    const auto touching =
        std::count_if(springs.begin(), springs.end(), [](const TangentSpring& t) { return t.contactRadius > 0; });
    return 2.0 * static_cast<double>(touching) / static_cast<double>(world.bodies.grainCount);
}

}  // namespace talus
