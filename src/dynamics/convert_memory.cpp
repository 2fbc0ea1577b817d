#include "dynamics/convert_memory.hpp"

#include <cmath>

#include "dynamics/contact_search.hpp"
#include "observables/contact_sample.hpp"

namespace talus {
namespace {

// Calls visit(list, candidate, found contact) for every candidate, row by row as sampleContacts() does.
template <class Visit>
void forEachCandidate(World& world, Visit&& visit) {
    const BodyView b = view(world.bodies);
    const Vec3 period = world.domain.period();
    Contacts& c = world.contacts;
    for (std::uint32_t i = 0; i < world.bodies.grainCount; ++i) {
        for (std::uint32_t k = c.grains.rowStart[i]; k < c.grains.rowStart[i + 1]; ++k) {
            visit(c.grains, k, lookAtPair(world, b, period, i, c.grains.partner[k]));
        }
        for (std::uint32_t k = c.walls.rowStart[i]; k < c.walls.rowStart[i + 1]; ++k) {
            visit(c.walls, k, lookAtWall(world, b, c.walls.candidate[k]));
        }
    }
}

// The spring that bears the tangential part of this force.
TangentSpring springFor(const LawKinds& kinds, const FoundContact& f, const Vec3& force) {
    const double overlap = -f.gap;
    if (overlap <= 0) return {};
    const bool hertz = kinds.normal == NormalLaw::hertz;
    const double contactRadius = hertz ? std::sqrt(f.radius * overlap) : f.radius;
    const double stiffness =
        hertz ? 8 * f.law->shearModulus * contactRadius : linearStiffness(*f.law, f.radius).tangential;
    const Vec3& n = f.contact.normal;
    const Vec3 tangential = force - dot(force, n) * n;
    return {stiffness > 0 ? (-1 / stiffness) * tangential : Vec3{}, contactRadius};
}

void toImpulses(World& world, double impulseTime) {
    const std::vector<ContactSample> samples = sampleContacts(world);
    Contacts& c = world.contacts;
    c.grains.impulse.assign(c.grains.partner.size(), {});
    c.walls.impulse.assign(c.walls.candidate.size(), {});
    std::size_t next = 0;
    forEachCandidate(world, [&](auto& list, std::uint32_t k, const FoundContact&) {
        if (list.tangent[k].contactRadius > 0) list.impulse[k] = impulseTime * samples[next++].force;
    });
    for (auto* tangent : {&c.grains.tangent, &c.walls.tangent}) tangent->clear();
    for (auto* rolling : {&c.grains.rolling, &c.walls.rolling}) rolling->clear();
    c.impulseTime = impulseTime;
}

void toSprings(World& world) {
    Contacts& c = world.contacts;
    const LawKinds& kinds = world.materials.kinds;
    const double perForce = c.impulseTime > 0 ? 1 / c.impulseTime : 0.0;
    c.grains.tangent.assign(c.grains.partner.size(), {});
    c.walls.tangent.assign(c.walls.candidate.size(), {});
    forEachCandidate(world, [&](auto& list, std::uint32_t k, const FoundContact& f) {
        list.tangent[k] = springFor(kinds, f, perForce * list.impulse[k]);
    });
    if (kinds.rolling == RollingLaw::spring) {
        c.grains.rolling.assign(c.grains.partner.size(), {});
        c.walls.rolling.assign(c.walls.candidate.size(), {});
    }
    for (auto* impulse : {&c.grains.impulse, &c.walls.impulse}) impulse->clear();
    for (auto* stretch : {&c.grains.stretch, &c.walls.stretch}) stretch->clear();
    c.impulseTime = 0;
}

}  // namespace

void convertMemory(World& world, const MemoryKind& kind) {
    Contacts& c = world.contacts;
    if (kind.memory != c.memory) {
        if (kind.memory == ContactMemory::impulses) {
            toImpulses(world, kind.impulseTime);
        } else {
            toSprings(world);
        }
    }
    if (kind.yielding && !c.yielding) {
        c.grains.stretch.assign(c.grains.partner.size(), {});
        c.walls.stretch.assign(c.walls.candidate.size(), {});
        c.impulseTime = 0;  // the next step loads the springs from the overlaps
    } else if (!kind.yielding) {
        c.grains.stretch.clear();
        c.walls.stretch.clear();
    }
    c.memory = kind.memory;
    c.elastic = kind.elastic;
    c.yielding = kind.yielding;
}

}  // namespace talus
