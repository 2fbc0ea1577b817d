#include "step/assembly/convert_memory.hpp"

#include <cmath>

#include "measure/contact_sample.hpp"
#include "step/assembly/contact_search.hpp"

namespace talus {
namespace {

// Calls visit(list, number of candidates) for each of the lists.
template <class Visit>
void forEachList(Contacts& c, Visit&& visit) {
    visit(c.grains, c.grains.partner.size());
    visit(c.walls, c.walls.candidate.size());
    visit(c.shapes, c.shapes.point.size());
}

// Calls visit(list, candidate, found contact) for every candidate, row by row as sampleContacts() does.
template <class Visit>
void forEachCandidate(WorldState& world, Visit&& visit) {
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
    for (std::size_t p = 0; p < c.shapes.pair.size(); ++p) {
        for (std::uint32_t k = c.shapes.pointStart[p]; k < c.shapes.pointStart[p + 1]; ++k) {
            visit(c.shapes, k, lookAtPoint(world, b, period, c.shapes.pair[p], c.shapes.point[k]));
        }
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

void toImpulses(WorldState& world, double impulseTime) {
    const std::vector<ContactSample> samples = sampleContacts(world);
    Contacts& c = world.contacts;
    forEachList(c, [](auto& list, std::size_t candidates) { list.impulse.assign(candidates, {}); });
    std::size_t next = 0;
    forEachCandidate(world, [&](auto& list, std::uint32_t k, const FoundContact&) {
        if (list.tangent[k].contactRadius > 0) list.impulse[k] = impulseTime * samples[next++].force;
    });
    forEachList(c, [](auto& list, std::size_t) {
        list.tangent.clear();
        list.rolling.clear();
    });
    c.impulseTime = impulseTime;
}

void toSprings(WorldState& world) {
    Contacts& c = world.contacts;
    const LawKinds& kinds = world.materials.kinds;
    const double perForce = c.impulseTime > 0 ? 1 / c.impulseTime : 0.0;
    forEachList(c, [](auto& list, std::size_t candidates) { list.tangent.assign(candidates, {}); });
    forEachCandidate(world, [&](auto& list, std::uint32_t k, const FoundContact& f) {
        list.tangent[k] = springFor(kinds, f, perForce * list.impulse[k]);
    });
    forEachList(c, [&](auto& list, std::size_t candidates) {
        if (kinds.rolling == RollingLaw::spring) list.rolling.assign(candidates, {});
        list.impulse.clear();
        list.stretch.clear();
    });
    c.impulseTime = 0;
}

}  // namespace

void convertMemory(WorldState& world, const MemoryKind& kind) {
    Contacts& c = world.contacts;
    if (kind.memory != c.memory) {
        if (kind.memory == ContactMemory::impulses) {
            toImpulses(world, kind.impulseTime);
        } else {
            toSprings(world);
        }
    }
    if (kind.yielding && !c.yielding) {
        forEachList(c, [](auto& list, std::size_t candidates) { list.stretch.assign(candidates, {}); });
        c.impulseTime = 0;  // the next step loads the springs from the overlaps
    } else if (!kind.yielding) {
        forEachList(c, [](auto& list, std::size_t) { list.stretch.clear(); });
    }
    c.memory = kind.memory;
    c.elastic = kind.elastic;
    c.yielding = kind.yielding;
}

}  // namespace talus
