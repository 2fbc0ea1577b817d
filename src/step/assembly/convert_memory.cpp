#include "step/assembly/convert_memory.hpp"

#include <cmath>

#include "measure/contact_sample.hpp"
#include "step/assembly/contact_search.hpp"

namespace talus {
namespace {

// Calls visit(number, found contact) for every candidate, row by row as sampleContacts() does.
template <class Visit>
void forEachCandidate(const WorldState& world, Visit&& visit) {
    const BodyView b = view(world.bodies);
    const Vec3 period = world.domain.period();
    for (std::size_t row = 0; row < world.contacts.rows(); ++row) {
        forEachInRow(world.contacts, row, [&](std::uint32_t number, const auto& candidate) {
            visit(number, lookAt(world, b, period, candidate));
        });
    }
}

// The spring that bears the tangential part of this force, as far as friction holds at the present overlap: rigid
// contacts that hardly overlap bear forces that a soft spring would have to be stretched for without end.
TangentSpring springFor(const LawKinds& kinds, const FoundContact& f, const Vec3& force) {
    const double overlap = -f.gap;
    if (overlap <= 0) return {};
    const bool hertz = kinds.normal == NormalLaw::hertz;
    const double contactRadius = hertz ? std::sqrt(f.radius * overlap) : f.radius;
    const double stiffness =
        hertz ? 8 * f.law->shearModulus * contactRadius : linearStiffness(*f.law, f.radius).tangential;
    const Vec3& n = f.place.normal;
    const double press = hertz ? 4.0 / 3.0 * f.law->modulus * contactRadius * overlap
                               : linearStiffness(*f.law, f.radius).normal * overlap;
    const Vec3 tangential = law_parts::limited(force - dot(force, n) * n, 1.0, f.law->friction * press);
    return {stiffness > 0 ? (-1 / stiffness) * tangential : Vec3{}, contactRadius};
}

std::vector<Vec3> impulsesOfSprings(const WorldState& world, double impulseTime) {
    const std::vector<ContactSample> samples = sampleContacts(world);
    const SpringMemory& springs = world.contacts.springs();
    std::vector<Vec3> impulses(world.contacts.size());
    std::size_t next = 0;
    forEachCandidate(world, [&](std::uint32_t k, const FoundContact&) {
        if (springs.isActive(k)) impulses[k] = impulseTime * samples[next++].force;
    });
    return impulses;
}

SpringMemory springsOfImpulses(const WorldState& world) {
    const Contacts& c = world.contacts;
    const LawKinds& kinds = world.materials.kinds;
    const double perForce = c.impulseTime > 0 ? 1 / c.impulseTime : 0.0;
    SpringMemory springs;
    springs.tangent.resize(c.size());
    springs.rolling.resize(isKept(kinds, springs.rolling) ? c.size() : 0);
    forEachCandidate(world, [&](std::uint32_t k, const FoundContact& f) {
        springs.tangent[k] = springFor(kinds, f, perForce * c.impulses()[k]);
    });
    return springs;
}

}  // namespace

void convertMemory(WorldState& world, ContactMemory model, double impulseTime) {
    Contacts& c = world.contacts;
    if (model.index() == c.memory.index()) return;
    ContactTable fresh;
    fresh.memory = std::move(model);
    if (fresh.keepsSprings()) {
        fresh.memory = springsOfImpulses(world);
        c.impulseTime = 0;
    } else if (c.keepsSprings()) {
        fresh.impulses() = impulsesOfSprings(world, impulseTime);
        c.impulseTime = impulseTime;
    } else {
        fresh.impulses() = std::move(c.impulses());
    }
    if (fresh.areYielding()) {
        fresh.stretches().resize(c.size());
        c.impulseTime = 0;  // the next step loads the springs from the overlaps
    }
    c.memory = std::move(fresh.memory);
}

}  // namespace talus
