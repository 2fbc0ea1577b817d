#include "dynamics/build_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/parallel.hpp"
#include "collision/narrow.hpp"

namespace talus {
namespace {

// One contact before it goes into the problem.
struct Found {
    SphereContact contact;
    double gap;
    const PairLaw* law;
    double radius;  // m, effective
};

// What the search for contacts needs at hand.
struct Search {
    const World& world;
    const ContactDynamicsSettings& settings;
    double dt, margin;
    BodyView bodies = view(world.bodies);
    Vec3 period = world.domain.period();
    double slow = 2 * dt * norm(world.gravity);  // m/s; impacts below this do not bounce
};

Found lookAtPair(const Search& s, std::uint32_t i, std::uint32_t j) {
    const BodyView& b = s.bodies;
    const Vec3 separation = nearestImage(b.position[i] - b.position[j], s.period);
    const double distance = norm(separation), gap = distance - b.radius[i] - b.radius[j];
    return {{separation / distance, b.radius[i] + 0.5 * gap, b.radius[j] + 0.5 * gap, i, j},
            gap,
            &s.world.materials.between(b.material[i], b.material[j]),
            b.radius[i] * b.radius[j] / (b.radius[i] + b.radius[j])};
}

Found lookAtWall(const Search& s, const WallCandidate& c) {
    const BodyView& b = s.bodies;
    const auto wall = static_cast<std::uint32_t>(s.world.bodies.grainCount + c.wall);
    const Shape& shape = s.world.shapes[s.world.bodies.shape[wall]];
    const WallApproach a = wallApproach(b, shape, wall, c.face, b.position[c.grain]);
    const double gap = a.distance - b.radius[c.grain], lever = b.radius[c.grain] + 0.5 * gap;
    return {{a.normal, lever, 0.0, c.grain, wall},
            gap,
            &s.world.materials.between(b.material[c.grain], b.material[wall]),
            wallContactRadius(b.radius[c.grain], a.curvature)};
}

bool isPrescribed(const Bodies& b, std::uint32_t i) { return b.inverseMass[i] == 0; }

// At the contact point; prescribed bodies move as they do on average during the step.
Vec3 relativeVelocity(const Bodies& b, const SphereContact& c) {
    const auto velocityOf = [&](std::uint32_t k) { return isPrescribed(b, k) ? b.midVelocity[k] : b.velocity[k]; };
    const auto spinOf = [&](std::uint32_t k) { return isPrescribed(b, k) ? b.midSpin[k] : b.spin[k]; };
    const Vec3 ofA = velocityOf(c.a) - c.leverA * cross(spinOf(c.a), c.normal);
    if (c.b < b.grainCount) return ofA - velocityOf(c.b) - c.leverB * cross(spinOf(c.b), c.normal);
    const Vec3 arm = b.position[c.a] - c.leverA * c.normal - b.position[c.b];
    return ofA - velocityOf(c.b) - cross(spinOf(c.b), arm);
}

// What gravity adds to the relative velocity during the step.
Vec3 gravityChange(const World& world, double dt, const SphereContact& c) {
    const Bodies& b = world.bodies;
    const double free = (isPrescribed(b, c.a) ? 0.0 : 1.0) - (isPrescribed(b, c.b) ? 0.0 : 1.0);
    return (free * dt) * hadamard(world.linearFreedom, world.gravity);
}

bool bounces(const Search& s, const Found& f, double approach) {
    return s.settings.restitution == RestitutionRule::newton && f.law->restitution > 0 && approach < -s.slow;
}

// Near neighbours always count, since a push may run through them; others if they can meet at their own speeds.
double marginOf(const Search& s, const Found& f) {
    const BodyView& b = s.bodies;
    const auto speed = [&](std::uint32_t k) { return norm(b.velocity[k]) + norm(b.midVelocity[k]); };
    if (f.contact.b >= s.world.bodies.grainCount) return s.margin;
    const double reach = 2 * s.dt * (speed(f.contact.a) + speed(f.contact.b) + s.slow);
    return std::min(s.margin, reach + 0.1 * f.radius);
}

bool isWanted(const Search& s, const Found& f) {
    if (f.gap >= marginOf(s, f)) return false;
    // In a planar scene nothing can be done about a normal that points out of the plane.
    if (dot(f.contact.normal, hadamard(s.world.linearFreedom, f.contact.normal)) < 1e-12) return false;
    return f.gap <= 0 || !bounces(s, f, dot(relativeVelocity(s.world.bodies, f.contact), f.contact.normal));
}

double normalBias(const Search& s, const Found& f, double approach) {
    if (f.gap > 0) return f.gap / s.dt;
    if (bounces(s, f, approach)) return f.law->restitution * approach;
    // What is parting already needs no push.
    if (s.settings.stabilisation != Stabilisation::gap || approach > 0) return 0;
    return std::max(s.settings.correction * f.gap / s.dt, -s.settings.maxCorrectionSpeed);
}

// Cohesion acts at contacts that touch or held on in the last step; round-off must not break them.
ReactionSet setOf(const Search& s, const Found& f, bool held) {
    const LawKinds& kinds = s.world.materials.kinds;
    const double friction = kinds.tangential == TangentialLaw::none ? 0.0 : f.law->friction;
    const bool touches = held || f.gap < 1e-4 * f.radius;
    if (!touches || kinds.cohesion == CohesionLaw::none) return ReactionSet::coulomb(friction);
    const double force = kinds.cohesion == CohesionLaw::constant
                             ? f.law->cohesionForce
                             : 2 * std::numbers::pi * f.law->adhesionWork * f.radius;  // DMT
    return ReactionSet::shiftedCone(friction, force * s.dt);
}

void addContact(const Search& s, const Found& f, const Vec3& impulse, std::size_t at, ProblemWorkspace& ws) {
    const ContactFrame frame = contactFrame(f.contact.normal);
    const Vec3 before = relativeVelocity(s.world.bodies, f.contact);
    Vec3 offset = frame.toLocal(before + gravityChange(s.world, s.dt, f.contact));
    offset.x += normalBias(s, f, dot(before, f.contact.normal));
    std::get<SphereContacts>(ws.problem.contacts).contacts[at] = f.contact;
    ws.problem.sets[at] = setOf(s, f, impulse != Vec3{});
    ws.problem.offset[at] = offset;
    ws.reactions[at] = s.settings.warmStart ? frame.toLocal(impulse) : Vec3{};
}

// Calls visit(found, candidate, is wall) for each contact of grain i, in the order of the lists.
template <class Visit>
void forEachContact(const Search& s, std::uint32_t i, Visit&& visit) {
    const Contacts& c = s.world.contacts;
    for (std::uint32_t k = c.grains.rowStart[i]; k < c.grains.rowStart[i + 1]; ++k) {
        if (const Found f = lookAtPair(s, i, c.grains.partner[k]); isWanted(s, f)) visit(f, k, false);
    }
    for (std::uint32_t k = c.walls.rowStart[i]; k < c.walls.rowStart[i + 1]; ++k) {
        if (const Found f = lookAtWall(s, c.walls.candidate[k]); isWanted(s, f)) visit(f, k, true);
    }
}

void copyBodies(const World& world, SphereContacts& contacts) {
    const Bodies& b = world.bodies;
    contacts.inverseMass = b.inverseMass;
    contacts.inverseInertia.resize(b.size());
    parallelFor(b.size(), [&](std::size_t i) { contacts.inverseInertia[i] = b.inverseInertia[i].x; });
    contacts.linearFreedom = world.linearFreedom;
    contacts.angularFreedom = world.angularFreedom;
}

// Energy that contacts took from the bodies: minus the impulse times the mean of the velocities before and after the
// step. Gravity does the rest of the work, up to a term that depends on the first and the last speed only.
DissipatedEnergy dissipatedBy(const Vec3& reaction, const Vec3& before, const Vec3& after) {
    const Vec3 mean = 0.5 * (before + after);
    DissipatedEnergy e;
    e.normalDamping = -reaction.x * mean.x;
    e.sliding = -(reaction.y * mean.y + reaction.z * mean.z);
    return e;
}

}  // namespace

double contactMargin(const World& world, double dt) {
    const Bodies& b = world.bodies;
    const double fastest = std::sqrt(parallelMax(b.size(), [&](std::size_t i) {
        return normSquared(isPrescribed(b, static_cast<std::uint32_t>(i)) ? b.midVelocity[i] : b.velocity[i]);
    }));
    double turning = 0;
    for (std::size_t w = 0; w < world.contacts.wallReach.size(); ++w) {
        turning = std::max(turning, norm(b.midSpin[b.grainCount + w]) * world.contacts.wallReach[w]);
    }
    return 2 * dt * (fastest + turning + dt * norm(world.gravity));
}

void predictVelocities(World& w, double dt) {
    const Vec3 change = dt * hadamard(w.linearFreedom, w.gravity);
    parallelFor(w.bodies.grainCount, [&](std::size_t i) {
        if (w.bodies.inverseMass[i] != 0) w.bodies.velocity[i] += change;
    });
}

void buildProblem(const World& world, const ContactDynamicsSettings& settings, double dt, double margin,
                  ProblemWorkspace& ws) {
    const Search search{world, settings, dt, margin};
    const std::size_t grains = world.bodies.grainCount;

    // Count the contacts of each row, then write each row where it belongs.
    ws.rowStart.assign(grains + 1, 0);
    parallelFor(grains, [&](std::size_t i) {
        forEachContact(search, static_cast<std::uint32_t>(i),
                       [&](const Found&, std::uint32_t, bool) { ++ws.rowStart[i + 1]; });
    });
    for (std::size_t i = 0; i < grains; ++i) ws.rowStart[i + 1] += ws.rowStart[i];
    const std::size_t count = ws.rowStart[grains];

    if (!std::holds_alternative<SphereContacts>(ws.problem.contacts)) ws.problem.contacts = SphereContacts{};
    auto& contacts = std::get<SphereContacts>(ws.problem.contacts);
    copyBodies(world, contacts);
    contacts.contacts.resize(count);
    ws.problem.sets.resize(count);
    ws.problem.offset.resize(count);
    ws.sources.resize(count);
    ws.reactions.resize(count);
    const double sameForce = world.contacts.impulseTime > 0 ? dt / world.contacts.impulseTime : 0.0;
    parallelFor(grains, [&](std::size_t i) {
        std::size_t at = ws.rowStart[i];
        forEachContact(search, static_cast<std::uint32_t>(i), [&](const Found& f, std::uint32_t k, bool wall) {
            const Contacts& c = world.contacts;
            ws.sources[at] = {k, wall};
            addContact(search, f, sameForce * (wall ? c.walls.impulse[k] : c.grains.impulse[k]), at, ws);
            ++at;
        });
    });
    contacts.finish();
}

void applyReactions(World& world, double dt, ProblemWorkspace& ws) {
    Bodies& b = world.bodies;
    Contacts& c = world.contacts;
    const auto& contacts = std::get<SphereContacts>(ws.problem.contacts);

    // Velocities and forces of the grains.
    contacts.start(ws.reactions, ws.state);
    parallelFor(b.size(), [&](std::size_t i) {
        b.force[i] = b.torque[i] = Vec3{};
        if (b.inverseMass[i] == 0) return;
        const SphereContacts::Body& change = ws.state[i];
        b.velocity[i] += change.velocity;
        b.spin[i] += change.spin;
        b.force[i] = (1 / (dt * change.inverseMass)) * change.velocity;
        b.torque[i] = (1 / (dt * change.inverseInertia)) * change.spin;
    });

    // Impulses to remember.
    std::fill(c.grains.impulse.begin(), c.grains.impulse.end(), Vec3{});
    std::fill(c.walls.impulse.begin(), c.walls.impulse.end(), Vec3{});
    const auto impulseOf = [&](std::size_t k) {
        return contactFrame(contacts.contacts[k].normal).toWorld(ws.reactions[k]);
    };
    parallelFor(ws.sources.size(), [&](std::size_t k) {
        (ws.sources[k].wall ? c.walls.impulse : c.grains.impulse)[ws.sources[k].candidate] = impulseOf(k);
    });

    // Forces on what does not move by itself: summed in order.
    for (std::size_t k = 0; k < ws.sources.size(); ++k) {
        const SphereContact& contact = contacts.contacts[k];
        if (b.inverseMass[contact.b] == 0) {
            const Vec3 force = impulseOf(k) / dt, point = b.position[contact.a] - contact.leverA * contact.normal;
            const bool wall = contact.b >= b.grainCount;
            b.force[contact.b] -= force;
            b.torque[contact.b] -= cross(wall ? point - b.position[contact.b] : contact.leverB * contact.normal, force);
        }
        if (b.inverseMass[contact.a] == 0) {
            const Vec3 force = impulseOf(k) / dt;
            b.force[contact.a] += force;
            b.torque[contact.a] -= contact.leverA * cross(contact.normal, force);
        }
    }
    c.impulseTime = dt;

    world.ledger.dissipated += parallelSum(ws.sources.size(), DissipatedEnergy{}, [&](std::size_t k) {
        const Vec3 change = contacts.velocity(ws.state, k);
        const SphereContact& contact = contacts.contacts[k];
        const ContactFrame frame = contactFrame(contact.normal);
        const Vec3 after = frame.toLocal(relativeVelocity(b, contact));
        const Vec3 before = after - change - frame.toLocal(gravityChange(world, dt, contact));
        return dissipatedBy(ws.reactions[k], before, after);
    });
}

}  // namespace talus
