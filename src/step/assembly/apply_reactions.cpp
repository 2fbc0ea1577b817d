// From the answer of a contact problem back to bodies and contacts.
#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"
#include "base/turning.hpp"
#include "model/driven.hpp"
#include "step/assembly/broken_bonds.hpp"
#include "step/assembly/build_problem.hpp"
#include "step/assembly/contact_search.hpp"
#include "step/assembly/joint_step.hpp"
#include "step/assembly/rolling_entries.hpp"
#include "step/rotation.hpp"

namespace talus {
namespace {

Vec3 worldImpulse(const ProblemWorkspace& ws, std::size_t k) {
    return contactFrame(ws.places[k].normal).toWorld(ws.reactions[k]);
}

// Velocities become the mean ones of the step.
void applyToBodies(WorldState& world, double impulseTime, ProblemWorkspace& ws) {
    Bodies& b = world.bodies;
    findChanges(ws);
    parallelFor(b.size(), [&](std::size_t i) {
        b.force[i] = b.torque[i] = Vec3{};
        if (b.inverseMass[i] == 0) return;
        const BodyChange change = changeOf(ws, i);
        const bool grain = i < b.grainCount;
        b.velocity[i] += change.velocity;
        b.spin[i] += change.spin;
        if (!grain) return;
        if (!isGuided(world, i)) b.force[i] = (1 / (impulseTime * b.inverseMass[i])) * change.velocity;
        b.torque[i] = (1 / impulseTime) * angularMomentum(b, i, change.spin);
    });
}

// The torque on such a body follows from how its spin changes.
bool isGuidedGrain(const WorldState& world, std::uint32_t i) {
    return i < world.bodies.grainCount && isGuided(world, i) && !isPrescribed(world.bodies, i);
}

// Forces on walls and on what does not move by itself, also in directions it cannot go: summed in order.
void addForcesOnHeld(WorldState& world, double impulseTime, const ProblemWorkspace& ws) {
    Bodies& b = world.bodies;
    const std::vector<ContactPlace>& contacts = ws.places;
    world.facePush.assign(b.wallCount(), 0.0);
    for (std::size_t k = 0; k < ws.candidates.size(); ++k) {
        const ContactPlace& contact = contacts[k];
        const bool wall = contact.b >= b.grainCount;
        const bool guidedA = isGuidedGrain(world, contact.a), guidedB = isGuidedGrain(world, contact.b);
        const bool held = wall || isPrescribed(b, contact.b) || isPrescribed(b, contact.a);
        if (!held && !guidedA && !guidedB) continue;
        const Vec3 force = worldImpulse(ws, k) / impulseTime;
        if (wall) {
            world.facePush[contact.b - b.grainCount] += pressOnFace(world, contact.b, contact.normal, force);
        }
        if (wall || isPrescribed(b, contact.b)) {
            b.force[contact.b] -= contact.closes ? Vec3{dot(force, contact.closing), 0, 0} : force;
            b.torque[contact.b] -= cross(contact.armB, force);
        }
        if (isPrescribed(b, contact.a)) {
            b.force[contact.a] += force;
            b.torque[contact.a] += cross(contact.armA, force);
        }
        if (guidedA) b.force[contact.a] += force;
        if (guidedB) b.force[contact.b] -= force;
    }
}

void addCouplesOnHeld(WorldState& world, double impulseTime, const ProblemWorkspace& ws) {
    Bodies& b = world.bodies;
    for (std::size_t entry = 0; entry < ws.rollingContact.size(); ++entry) {
        const ContactPlace& contact = ws.places[ws.rollingContact[entry]];
        const Vec3 couple = rollingCouple(world, ws, entry) / impulseTime;
        if (contact.b >= b.grainCount || isPrescribed(b, contact.b)) b.torque[contact.b] -= couple;
        if (isPrescribed(b, contact.a)) b.torque[contact.a] += couple;
    }
}

// What a contact bears at the end of the step, in its frame and as an impulse. The reaction of a tangential spring is
// that after theta of the step: it goes on in proportion, as far as friction allows.
Vec3 impulseAtEnd(const ProblemWorkspace& ws, const TimeScheme& time, std::size_t k) {
    const Vec3& g = ws.reactions[k];
    if (ws.springs.empty() || time.theta == 1) return g;
    const Vec3& held = ws.springs[k].held;
    Vec3 end{g.x, held.y + (g.y - held.y) / time.theta, held.z + (g.z - held.z) / time.theta};
    const ReactionSet& set = ws.problem.sets[k];
    const double bears = std::hypot(end.y, end.z), most = set.friction * std::max(0.0, g.x + set.cohesion);
    if (bears > most) {
        end.y *= most / bears;
        end.z *= most / bears;
    }
    return end;
}

void remember(WorldState& world, const TimeScheme& time, const ProblemWorkspace& ws) {
    Contacts& c = world.contacts;
    const std::vector<ContactPlace>& contacts = ws.places;
    std::vector<Vec3>& impulses = c.impulses();
    std::fill(impulses.begin(), impulses.end(), Vec3{});
    parallelFor(ws.candidates.size(), [&](std::size_t k) {
        impulses[ws.candidates[k]] = contactFrame(contacts[k].normal).toWorld(impulseAtEnd(ws, time, k));
    });
    c.impulseTime = time.impulseTime();
}

// How contacts that yield end the step.
void findOutcomes(const WorldState& world, double dt, ProblemWorkspace& ws) {
    ws.outcomes.resize(ws.yielding.size());
    const std::vector<ContactPlace>& contacts = ws.places;
    parallelFor(ws.yielding.size(), [&](std::size_t k) {
        const Vec3& g = ws.reactions[k];
        const Vec3 rate = velocityChangeAt(ws, k) + ws.problem.offset[k] + ws.problem.complianceTimes(k, g);
        const double speed = dot(relativeVelocity(world.bodies, contacts[k]), contacts[k].normal);
        YieldOutcome& out = ws.outcomes[k] = endYielding(ws.yielding[k], g, rate, speed, dt);
        out.memory.tangential = contactFrame(contacts[k].normal).toWorld(out.tangential);
    });
}

void rememberStretches(WorldState& world, const ProblemWorkspace& ws) {
    if (!world.contacts.areYielding()) return;
    std::vector<ContactStretch>& stretches = world.contacts.stretches();
    std::fill(stretches.begin(), stretches.end(), ContactStretch{});
    std::vector<BrokenBond> broken;
    for (std::size_t k = 0; k < ws.outcomes.size(); ++k) {
        const YieldOutcome& out = ws.outcomes[k];
        stretches[ws.candidates[k]] = out.memory;
        if (!out.bondIsBroken || ws.yielding[k].law.bondStretch == 0) continue;
        broken.push_back(bondBetween(world, ws.places[k], ws.candidates[k]));
    }
    rememberBroken(world, broken);
}

double tangentialSquared(const Vec3& v) { return v.y * v.y + v.z * v.z; }

// What the springs of a contact took up, for a normal that stays. `opening`: by how much the gap grew; `force`: at the
// end.
StoredEnergy storedBy(const ContactSpring& s, double opening, const Vec3& force, double impulseTime) {
    const double before = std::max(0.0, -s.gap), after = std::max(0.0, -(s.gap + opening));
    StoredEnergy e;
    e.normal = 0.5 * s.stiffness.normal * (after * after - before * before);
    if (s.stiffness.tangential > 0) {
        const double first = tangentialSquared(s.held) / (impulseTime * impulseTime);
        e.tangential = 0.5 * (tangentialSquared(force) - first) / s.stiffness.tangential;
    }
    return e;
}

// What a contact that yields took from the bodies, along normal and tangents, told apart.
DissipatedEnergy byMechanism(const DissipatedEnergy& taken, const YieldOutcome& out) {
    DissipatedEnergy e;
    e.plastic = out.plastic;
    e.cohesion = out.released;
    e.normalDamping = taken.normalDamping - out.taken.normal - out.plastic;
    e.sliding = out.sliding;
    e.tangentialDamping = taken.sliding - out.taken.tangential - out.sliding;
    return e;
}

// What bodies that servos drive, which come from rest in every step, have to do with the relative velocity.
Vec3 drivenVelocity(const Bodies& b, const ContactPlace& c) {
    const auto of = [&](std::uint32_t k) { return isDriven(b, k) ? b.velocity[k] : Vec3{}; };
    return of(c.a) - (c.closes ? b.velocity[c.b].x * c.closing : of(c.b));
}

// Energy that contacts took from the bodies, force times way, less what their springs took up. In `velocity` counts the
// mean of the velocities before and after the step: gravity then does the rest of the work, up to a term that depends
// on the first and the last speed only. What a servo drives has no kinetic energy, and goes at one speed all the step.
DissipatedEnergy dissipatedAt(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& ws,
                              SpringEnergy energy, std::size_t k) {
    const ContactPlace& contact = ws.places[k];
    const ContactFrame frame = contactFrame(contact.normal);
    const Vec3 mean = frame.toLocal(relativeVelocity(world.bodies, contact));
    const Vec3 outer = outerChange(world, time.impulseTime(), contact) - drivenVelocity(world.bodies, contact);
    const Vec3 change = velocityChangeAt(ws, k) + frame.toLocal(outer);
    const Vec3 velocity = mean - change + (0.5 / time.theta) * change;
    const Vec3 force = ws.reactions[k] / time.impulseTime();
    DissipatedEnergy e;
    e.normalDamping = -time.dt * force.x * velocity.x;
    e.sliding = -time.dt * (force.y * velocity.y + force.z * velocity.z);
    if (!ws.outcomes.empty()) return byMechanism(e, ws.outcomes[k]);
    if (ws.springs.empty() || energy == SpringEnergy::leftOut) return e;
    const Vec3 end = impulseAtEnd(ws, time, k) / time.impulseTime();
    const StoredEnergy stored = storedBy(ws.springs[k], time.dt * mean.x, end, time.impulseTime());
    e.normalDamping -= stored.normal;
    e.sliding -= stored.tangential;
    return e;
}

}  // namespace

void findChanges(ProblemWorkspace& ws) {
    std::visit([&](const auto& op) { op.start(ws.reactions, ws.states.of(op)); }, ws.problem.contacts);
}

BodyChange changeOf(const ProblemWorkspace& ws, std::size_t body) {
    const BodyContacts::Body& change = ws.states.bodies[body];
    return {change.velocity, change.spin};
}

Vec3 velocityChangeAt(const ProblemWorkspace& ws, std::size_t contact) {
    return std::visit([&](const auto& op) { return op.velocity(ws.states.of(op), contact); }, ws.problem.contacts);
}

void applyReactions(WorldState& world, const TimeScheme& time, ProblemWorkspace& ws, SpringEnergy energy) {
    applyToBodies(world, time.impulseTime(), ws);
    remember(world, time, ws);
    findOutcomes(world, time.dt, ws);
    rememberStretches(world, ws);
    addForcesOnHeld(world, time.impulseTime(), ws);
    addCouplesOnHeld(world, time.impulseTime(), ws);
    applyJointReactions(world, time, ws);
    world.ledger.dissipated += parallelSum(ws.candidates.size(), DissipatedEnergy{},
                                           [&](std::size_t k) { return dissipatedAt(world, time, ws, energy, k); });
    world.ledger.dissipated.rolling +=
        parallelSum(ws.rollingContact.size(), 0.0, [&](std::size_t entry) { return rollingLoss(time, ws, entry); });
}

void findStuckImpulses(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& ws,
                       std::vector<Vec3>& impulses) {
    const std::vector<ContactPlace>& contacts = ws.places;
    impulses.resize(contacts.size());
    parallelFor(contacts.size(), [&](std::size_t k) {
        const ContactFrame frame = contactFrame(contacts[k].normal);
        const double normal = ws.reactions[k].x;
        const Vec3 slip = time.dt * frame.toLocal(relativeVelocity(world.bodies, contacts[k]));
        const Vec3 stuck =
            ws.springs[k].held - (time.impulseTime() * ws.springs[k].stiffness.tangential) * Vec3{0, slip.y, slip.z};
        impulses[k] = normal > 0 ? frame.toWorld(stuck + Vec3{normal, 0, 0}) : Vec3{};
    });
}

void rememberImpulses(WorldState& world, const ProblemWorkspace& ws, const std::vector<Vec3>& impulses) {
    std::vector<Vec3>& kept = world.contacts.impulses();
    parallelFor(ws.candidates.size(), [&](std::size_t k) { kept[ws.candidates[k]] = impulses[k]; });
}

void turnMemory(WorldState& world, double dt, const ProblemWorkspace& ws) {
    if (!world.contacts.areElastic()) return;
    const BodyView b = view(world.bodies);
    const Vec3 period = world.domain.period();
    std::vector<Vec3>& impulses = world.contacts.impulses();
    auto* yielding = std::get_if<YieldingMemory>(&world.contacts.memory);
    parallelFor(ws.candidates.size(), [&](std::size_t k) {
        const std::uint32_t candidate = ws.candidates[k];
        Vec3& impulse = impulses[candidate];
        if (impulse == Vec3{} && yielding == nullptr) return;
        // Points of shapes turn with their normals when they are found again.
        const ContactPlace& old = ws.places[k];
        const FoundContact now = lookAgain(world, b, period, candidate, old);
        const Vec3& normal = now.place.normal;
        const Quat twist = rotationBy(0.5 * dt * dot(b.midSpin[old.a] + b.midSpin[old.b], normal) * normal);
        const auto turned = [&](const Vec3& v) { return rotate(twist, turnedWith(old.normal, normal, v)); };
        impulse = turned(impulse);
        if (yielding == nullptr) return;
        ContactStretch& stretch = yielding->stretch[candidate];
        stretch.tangential = turned(stretch.tangential);
        settleStretch(stretch, now.gap);
    });
}

void loadSprings(WorldState& world, double impulseTime) {
    const BodyView b = view(world.bodies);
    const Vec3 period = world.domain.period();
    Contacts& c = world.contacts;
    std::vector<Vec3>& impulses = c.impulses();
    auto* yielding = std::get_if<YieldingMemory>(&c.memory);
    parallelFor(c.rows(), [&](std::size_t row) {
        forEachInRow(c, row, [&](std::uint32_t k, const auto& candidate) {
            const FoundContact f = lookAt(world, b, period, candidate);
            const double force = linearStiffness(*f.law, f.radius).normal * std::max(0.0, -f.gap);
            impulses[k] = (impulseTime * force) * f.place.normal;
            if (yielding != nullptr) settleStretch(yielding->stretch[k], f.gap);
        });
    });
    c.impulseTime = impulseTime;
}

}  // namespace talus
