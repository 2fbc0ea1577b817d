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
std::size_t bytesPerGrain(const WorldState& w) {
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

// Among the candidates from the first to the last.
std::size_t countTouching(const ContactTable& table, std::size_t first, std::size_t last) {
    const auto touches = [](const TangentSpring& t) { return t.contactRadius > 0; };
    const auto springs = table.springs().tangent.begin();
    return static_cast<std::size_t>(
        std::count_if(springs + static_cast<long>(first), springs + static_cast<long>(last), touches));
}

// A candidate costs the look at where it stands, a touching one also its memory, read and written.
std::size_t bytesOfPairs(const ContactTable& table, const ForceWorkspace& ws) {
    const GrainCandidates& list = table.grains;
    return list.partner.size() * bytesOf(ws.place) +
           countTouching(table, 0, table.firstWall()) * 2 * sizeof(TangentSpring);
}

// Near walls the memory of all candidates is read.
std::size_t bytesOfWallContacts(const ContactTable& table) {
    const WallCandidates& list = table.walls;
    return list.candidate.size() * (bytesOf(list.candidate) + sizeof(TangentSpring)) +
           countTouching(table, table.firstWall(), table.firstPoint()) * sizeof(TangentSpring);
}

// A force that crosses from one block of rows to another is written to its slot, then read and added.
std::size_t bytesOfCrossings(const ForceWorkspace& ws) {
    return ws.slots.size() * (2 * sizeof(Wrench) + bytesOf(ws.entrySlot, ws.other));
}

}  // namespace

double bytesMovedPerGrain(const WorldState& world, const StepWorkspace& workspace) {
    const Contacts& c = world.contacts;
    const std::size_t ofContacts =
        bytesOfPairs(c, workspace.forces) + bytesOfWallContacts(c) + bytesOfCrossings(workspace.forces);
    return static_cast<double>(bytesPerGrain(world)) +
           static_cast<double>(ofContacts) / static_cast<double>(world.bodies.grainCount);
}

double contactsPerGrain(const WorldState& world) {
    const ContactTable& table = world.contacts;
    return 2.0 * static_cast<double>(countTouching(table, 0, table.firstWall())) /
           static_cast<double>(world.bodies.grainCount);
}

}  // namespace talus
