#include "step/assembly/build_problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/count_seconds.hpp"
#include "base/parallel.hpp"
#include "model/load.hpp"
#include "step/assembly/broken_bonds.hpp"
#include "step/assembly/contact_operators.hpp"
#include "step/assembly/contact_search.hpp"
#include "step/assembly/joint_step.hpp"
#include "step/assembly/rolling_entries.hpp"
#include "step/assembly/turning_places.hpp"

namespace talus {
namespace {

bool hasDilation(const Materials& materials) {
    return std::any_of(materials.yields.begin(), materials.yields.end(),
                       [](const YieldLaw& law) { return law.dilation > 0; });
}

// What the search for contacts needs at hand.
struct Search {
    const WorldState& world;
    const ContactDynamicsSettings& settings;
    TimeScheme time;
    ContactReach reach;
    BodyView bodies = view(world.bodies);
    Vec3 period = world.domain.period();
    bool elastic = world.contacts.areElastic();
    bool yielding = world.contacts.areYielding();
    bool dilating = hasDilation(world.materials);
    bool rolling = hasRolling(world);
    bool newton = settings.restitution == RestitutionRule::newton && time.theta == 1 && !elastic;
};

// Impacts below this do not bounce, m/s: what gravity, and the forces on the two bodies, make of two steps.
double slowSpeed(const Search& s, const ContactPlace& c) {
    const auto push = [&](std::uint32_t k) { return s.bodies.inverseMass[k] * norm(appliedForce(s.world, k)); };
    return 2 * s.time.dt * (norm(s.world.gravity) + std::max(push(c.a), push(c.b)));
}

// Rigid contacts part by Newton's rule, or because the mean velocity of the step, not the last, is stopped.
bool bounces(const Search& s, const FoundContact& f, double approach) {
    const bool can = s.newton ? f.law->restitution > 0 : !s.elastic && s.time.theta < 1;
    return can && approach < -slowSpeed(s, f.place);
}

// Near neighbours always count, since a push may run through them; others if they can meet at their own speeds.
double marginOf(const Search& s, const FoundContact& f) {
    const BodyView& b = s.bodies;
    const auto speed = [&](std::uint32_t k) {
        const double turning = isSphere(s.world.bodies, k) ? 0.0 : b.radius[k] * (norm(b.spin[k]) + norm(b.midSpin[k]));
        return norm(b.velocity[k]) + norm(b.midVelocity[k]) + turning;
    };
    const double margin = s.reach.margin;
    if (s.reach.atRest || f.place.b >= s.world.bodies.grainCount) return margin;
    const double way = 2 * s.time.dt * (speed(f.place.a) + speed(f.place.b) + slowSpeed(s, f.place));
    return std::min(margin, way + 0.1 * f.radius);
}

// Normals out of the plane of a scene, or across a guide: nothing can be done about those.
bool canGoAlong(const WorldState& world, std::uint32_t body, const Vec3& normal) {
    if (isPrescribed(world.bodies, body)) return false;
    const bool guided = body >= world.bodies.grainCount || isGuided(world, body);
    const bool turns = guided && world.bodies.inverseInertia[body].x > 0;
    return turns || dot(normal, hadamard(linearFreedomOf(world, body), normal)) >= 1e-12;
}

// Asks for the second body, which may be a wall whose radius moves.
bool canOtherGoAlong(const WorldState& world, const ContactPlace& c) {
    if (!c.closes) return canGoAlong(world, c.b, c.normal);
    const double along = dot(c.normal, c.closing);
    return along * along >= 1e-12;
}

bool isWanted(const Search& s, const FoundContact& f, bool holds) {
    if (!holds && f.gap >= marginOf(s, f)) return false;
    const ContactPlace& c = f.place;
    if (!canGoAlong(s.world, c.a, c.normal) && !canOtherGoAlong(s.world, c)) return false;
    return f.gap <= 0 || !bounces(s, f, dot(relativeVelocity(s.world.bodies, f.place), f.place.normal));
}

double normalBias(const Search& s, const FoundContact& f, double approach) {
    if (f.gap > 0) return f.gap / s.time.dt;
    if (bounces(s, f, approach)) return s.newton ? f.law->restitution * approach : 0.0;
    // What is parting already needs no push.
    if (s.settings.stabilisation != Stabilisation::gap || approach > 0) return 0;
    return std::max(s.settings.correction * f.gap / s.time.dt, -s.settings.maxCorrectionSpeed);
}

double frictionOf(const Search& s, const FoundContact& f) {
    const bool slippery =
        s.world.materials.kinds.tangential == TangentialLaw::none || (s.elastic && f.law->tangentialRatio == 0);
    return slippery ? 0.0 : f.law->friction;
}

// In a drum the effective radius may be larger than the grain's.
double yieldRadius(const Search& s, const FoundContact& f) { return std::min(f.radius, s.bodies.radius[f.place.a]); }

double cohesionOf(const Search& s, const FoundContact& f) {
    const double byStress = s.yielding ? f.yield->cohesionStress * contactArea(yieldRadius(s, f)) : 0.0;
    return law_parts::pullOff(s.world.materials.kinds, *f.law, f.radius) + byStress;
}

constexpr double touchingGap = 1e-4;  // -, of the radius: round-off must not break contacts

// Cohesion acts at contacts that touch or held on in the last step.
ReactionSet setOf(const Search& s, const FoundContact& f, bool held) {
    const bool touches = held || f.gap < touchingGap * f.radius;
    const double cohesion = touches ? cohesionOf(s, f) : 0.0;
    return ReactionSet::shiftedCone(frictionOf(s, f), cohesion * s.time.impulseTime());
}

// E and b of a contact with springs. Forces belong to the springs after theta of the step, but the normal one of a
// contact that closes during it to the gap at the end: neither can create energy, and theta = 1/2 keeps that of a
// closed contact.
void addSpring(const Search& s, const FoundContact& f, const Vec3& held, std::size_t at, ProblemWorkspace& ws) {
    const LinearStiffness k = linearStiffness(*f.law, f.radius);
    const double share = f.gap > 0 ? 1.0 : s.time.theta, dt = s.time.dt;
    const double normal = 1 / (k.normal * share * s.time.theta * dt * dt);
    const double way = s.time.theta * dt;
    const double tangential = k.tangential > 0 ? 1 / (k.tangential * way * way) : 0.0;
    ws.problem.compliance[at] = diagonal3({normal, tangential, tangential});
    ws.problem.offset[at] += Vec3{f.gap / (share * dt), -tangential * held.y, -tangential * held.z};
    ws.springs[at] = {f.gap, k, {0, held.y, held.z}};
}

// The contact with what it remembers; where the law knows tension and bodies touch, with a bond.
ContactStretch stretchNow(const Search& s, const FoundContact& f, ContactStretch memory, const BrokenBond& pair) {
    const bool canBond = cohesionOf(s, f) > 0 || hasRounding(*f.yield);
    if (!canBond || memory.bond > 0 || f.gap - memory.plastic > touchingGap * f.radius) return memory;
    const auto& broken = s.world.contacts.brokenBonds;
    if (!std::binary_search(broken.begin(), broken.end(), pair)) formBond(memory, f.gap);
    return memory;
}

YieldingContact yieldingOf(const Search& s, const FoundContact& f, const ContactFrame& frame,
                           const ContactStretch& memory) {
    const double radius = yieldRadius(s, f);
    const double mass = 1 / (s.bodies.inverseMass[f.place.a] + s.bodies.inverseMass[f.place.b]);
    const YieldLaw law = atRadius(*f.yield, radius);
    return findYielding(law, yieldLimits(law, cohesionOf(s, f), memory), linearStiffness(*f.law, f.radius), f.gap,
                        radius, memory, frame.toLocal(memory.tangential), mass);
}

ReactionSet yieldSet(double friction, const YieldLimits& limits, double dt) {
    return {.friction = friction,
            .cohesion = limits.cohesion * dt,
            .cap = (limits.cap - limits.rounding) * dt,
            .ball = limits.rounding * dt};
}

// What the candidate of a contact remembers.
struct Remembered {
    Vec3 impulse;  // N s, for the time of this step
    ContactStretch stretch;
};

// Set, E and b by the kind of the contact.
void addLaw(const Search& s, const FoundContact& f, const ContactFrame& frame, const Remembered& memory,
            double approach, std::size_t at, ProblemWorkspace& ws) {
    if (s.yielding) {
        const YieldingContact& c = ws.yielding[at] = yieldingOf(s, f, frame, memory.stretch);
        ws.problem.sets[at] = yieldSet(frictionOf(s, f), c.limits, s.time.dt);
        ws.problem.compliance[at] = yieldCompliance(c, s.time.dt);
        ws.problem.offset[at] += yieldBias(c, s.time.dt);
        return;
    }
    ws.problem.sets[at] = setOf(s, f, memory.impulse != Vec3{});
    if (s.elastic) {
        addSpring(s, f, frame.toLocal(memory.impulse), at, ws);
    } else {
        ws.problem.offset[at].x += normalBias(s, f, approach);
    }
}

// H of a contact that opens at another angle than friction when it slides.
Mat3 skewOf(const Search& s, const FoundContact& f) {
    const double friction = frictionOf(s, f);
    if (friction == 0 || f.yield->dilation == 0) return identity3();
    const double share = f.yield->dilation / friction;
    return diagonal3({1, share, share});
}

void addContact(const Search& s, const FoundContact& f, const Remembered& memory, std::size_t at,
                ProblemWorkspace& ws) {
    const ContactFrame frame = contactFrame(f.place.normal);
    const Vec3 before = relativeVelocity(s.world.bodies, f.place), held = frame.toLocal(memory.impulse);
    ws.problem.offset[at] = frame.toLocal(before + outerChange(s.world, s.time.impulseTime(), f.place));
    ws.places[at] = f.place;
    addLaw(s, f, frame, memory, dot(before, f.place.normal), at, ws);
    if (s.dilating) ws.problem.skew[at] = skewOf(s, f);
    if (s.rolling) ws.rolling[at] = rollingResistance(s.world, f.place, *f.law, f.radius, memory.impulse);
    // What is remembered may be more than friction allows (quasi-static increments).
    ws.reactions[at] = !s.settings.warmStart ? Vec3{} : s.elastic ? project(ws.problem.sets[at], held) : held;
}

// Across a gap: by a bond, or by what has been ridden up.
bool holdsOn(const ContactStretch& s) { return s.bond > 0 || s.plastic > 0; }

// Calls visit(found, number of the candidate) for each contact of a row, in the order of the table.
template <class Visit>
void forEachContact(const Search& s, std::size_t row, Visit&& visit) {
    const std::vector<ContactStretch>* stretches = s.yielding ? &s.world.contacts.stretches() : nullptr;
    forEachInRow(s.world.contacts, row, [&](std::uint32_t k, const auto& candidate) {
        const FoundContact found = lookAt(s.world, s.bodies, s.period, candidate);
        if (isWanted(s, found, stretches != nullptr && holdsOn((*stretches)[k]))) visit(found, k);
    });
}

}  // namespace

double longestBond(const WorldState& world) {
    if (!world.contacts.areYielding()) return 0;
    const Bodies& b = world.bodies;
    const double radius = parallelMax(b.grainCount, [&](std::size_t i) { return b.radius[i]; });
    double longest = 0;
    for (const YieldLaw& law : world.materials.yields) {
        const bool canBond = world.materials.kinds.cohesion != CohesionLaw::none || hasRounding(law);
        if (canBond) longest = std::max(longest, bondEnd(law, radius).whole);
        if (law.dilation > 0) longest = std::max(longest, highestRide(radius));
    }
    return longest;
}

double contactMargin(const WorldState& world, double dt) {
    const Bodies& b = world.bodies;
    const double fastest = parallelMax(b.size(), [&](std::size_t i) {
        const bool prescribed = isPrescribed(b, static_cast<std::uint32_t>(i));
        const double speed = norm(prescribed ? b.midVelocity[i] : b.velocity[i]);
        if (isSphere(b, i) || i >= b.grainCount) return speed;
        return speed + b.radius[i] * norm(prescribed ? b.midSpin[i] : b.spin[i]);
    });
    double turning = 0;
    for (std::size_t w = 0; w < world.contacts.wallReach.size(); ++w) {
        const std::size_t i = b.grainCount + w;
        const Vec3& spin = b.inverseMass[i] == 0 ? b.midSpin[i] : b.spin[i];
        turning = std::max(turning, norm(spin) * world.contacts.wallReach[w]);
    }
    return std::max(longestBond(world), 2 * dt * (fastest + turning + dt * largestOuterAcceleration(world)));
}

void predictVelocities(WorldState& w, double dt) {
    parallelFor(w.bodies.size(), [&](std::size_t i) {
        if (w.bodies.inverseMass[i] == 0) return;
        w.bodies.velocity[i] += dt * outerAcceleration(w, i);
        if (!w.ownForces.empty()) w.bodies.spin[i] += dt * outerSpinRate(w, i);
    });
}

void buildProblem(const WorldState& world, const ContactDynamicsSettings& settings, const TimeScheme& time,
                  const ContactReach& reach, ProblemWorkspace& ws) {
    const CountSeconds here(ws.seconds);
    const Search search{world, settings, time, reach};
    const std::size_t rows = world.contacts.rows();

    // Count the contacts of each row, then write each row where it belongs.
    ws.rowStart.assign(rows + 1, 0);
    parallelFor(rows, [&](std::size_t row) {
        forEachContact(search, row, [&](const FoundContact&, std::uint32_t) { ++ws.rowStart[row + 1]; });
    });
    for (std::size_t row = 0; row < rows; ++row) ws.rowStart[row + 1] += ws.rowStart[row];
    const std::size_t count = ws.rowStart[rows];

    ws.places.resize(count);
    ws.problem.sets.resize(count);
    ws.problem.offset.resize(count);
    ws.candidates.resize(count);
    ws.reactions.resize(count);
    ws.problem.compliance.resize(search.elastic ? count : 0);
    ws.problem.skew.resize(search.dilating ? count : 0);
    ws.springs.resize(search.elastic && !search.yielding ? count : 0);
    ws.yielding.resize(search.yielding ? count : 0);
    ws.rolling.resize(search.rolling ? count : 0);
    ws.rollingContact.clear();
    const double sameForce = world.contacts.impulseTime > 0 ? time.impulseTime() / world.contacts.impulseTime : 0.0;
    const std::vector<Vec3>& impulses = world.contacts.impulses();
    parallelFor(rows, [&](std::size_t row) {
        std::size_t at = ws.rowStart[row];
        forEachContact(search, row, [&](const FoundContact& f, std::uint32_t candidate) {
            ws.candidates[at] = candidate;
            Remembered memory{sameForce * impulses[candidate], {}};
            if (search.yielding) {
                memory.stretch = stretchNow(search, f, world.contacts.stretches()[candidate],
                                            bondBetween(world, f.place, candidate));
            }
            addContact(search, f, memory, at, ws);
            ++at;
        });
    });
    if (!reach.atRest) addTurning(world, time, reach.margin, ws);
    auto& contacts = std::get<BodyContacts>(ws.problem.contacts);
    writeOperator(world, ws.places, contacts);
    addRollingEntries(world, ws);
    addJointEntries(world, settings, time, ws);
    contacts.finish();
}

void orderByBodies(const WorldState& world, ProblemWorkspace& ws) {
    const std::vector<ContactPlace>& contacts = ws.places;
    const std::vector<std::uint32_t>& id = world.bodies.id;
    const auto ids = [&](std::uint32_t k) { return std::minmax({id[contacts[k].a], id[contacts[k].b]}); };
    ws.order.resize(contacts.size());
    std::iota(ws.order.begin(), ws.order.end(), 0u);
    std::stable_sort(ws.order.begin(), ws.order.end(), [&](auto i, auto j) { return ids(i) < ids(j); });
    // Entries for rolling follow in the same order.
    for (std::size_t at = 0; at < contacts.size(); ++at) {
        const auto entry = std::lower_bound(ws.rollingContact.begin(), ws.rollingContact.end(), ws.order[at]);
        if (entry == ws.rollingContact.end() || *entry != ws.order[at]) continue;
        const auto place = static_cast<std::uint32_t>(entry - ws.rollingContact.begin());
        ws.order.push_back(static_cast<std::uint32_t>(contacts.size()) + place);
    }
    for (std::size_t k = 0; k < ws.joints.entries.size(); ++k) {
        ws.order.push_back(static_cast<std::uint32_t>(ws.joints.firstEntry + k));
    }
}

}  // namespace talus
