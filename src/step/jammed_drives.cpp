#include "step/jammed_drives.hpp"

#include <algorithm>
#include <cmath>

#include "step/assembly/contact_search.hpp"

namespace talus {
namespace {

constexpr double yielding = 1e-3;                 // -, of the mobility of the joint alone
constexpr double slack = 1e-6;                    // -, the same of what joints hold
constexpr std::size_t mostContactsPerJoint = 10;  // of a machine; elsewhere most steps without an answer are just slow

// Drives that have no largest force, with their entries in the problem.
template <class Visit>
void forEachUnlimited(const ProblemWorkspace& ws, Visit&& visit) {
    for (std::size_t k = 0; k < ws.joints.entries.size(); ++k) {
        const JointEntry& e = ws.joints.entries[k];
        if (e.part == JointPart::drive && e.set.bilateral) visit(e, ws.joints.firstEntry + k);
    }
}

// s/kg, E of a drive that gives way; its problem is still the one without.
double giveOf(const ContactProblem& problem, std::size_t entry) { return yielding * problem.diagonal(entry)(0, 0); }

std::optional<std::array<std::uint32_t, 2>> mostPressed(const WorldState& world, const ProblemWorkspace& ws) {
    std::optional<std::array<std::uint32_t, 2>> at;
    double most = 0;
    for (std::size_t k = 0; k < ws.places.size(); ++k) {
        if (!(ws.reactions[k].x > most)) continue;
        most = ws.reactions[k].x;
        at = {world.bodies.id[ws.places[k].a], world.bodies.id[ws.places[k].b]};
    }
    return at;
}

// m/s, relative to how its bodies move anyway or without it, whichever is more.
double wantedSpeed(const JointEntry& e) { return std::max(std::abs(e.offset.x), std::abs(e.offset.x - e.free.x)); }

// m/s, with which contact k of a problem that is to be solved has to part at least, beside what comes of its motion:
// overlaps of rigid bodies, and those that bounce.
double pushOf(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& ws, std::size_t k) {
    if (world.contacts.areElastic()) return 0;
    const ContactPlace& place = ws.places[k];
    const Vec3 free = relativeVelocity(world.bodies, place) + outerChange(world, time.impulseTime(), place);
    const double push = dot(free, place.normal) - ws.problem.offset[k].x;
    const double roundOff = 1e-12 * (std::abs(ws.problem.offset[k].x) + norm(free));
    return push > roundOff ? push : 0.0;
}

// m/s, of the bodies of a drive, and what gravity makes of it in a step.
double speedAround(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& ws, const JointEntry& e) {
    double speed = time.dt * norm(world.gravity);
    for (const JointBody& body : ws.joints.bodies[e.joint]) {
        speed = std::max({speed, norm(body.start.velocity), e.lever * norm(body.start.spin)});
    }
    return speed;
}

}  // namespace

bool haveJammed(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& ws,
                const SolveReport& solved) {
    if (solved.status == SolveStatus::converged) return false;
    const bool hasNoAnswer = solved.status == SolveStatus::infeasible || solved.status == SolveStatus::numericalError;
    bool jammed = false;
    forEachUnlimited(ws, [&](const JointEntry& e, std::size_t entry) {
        const double speed = std::max(wantedSpeed(e), speedAround(world, time, ws, e));
        const double missed = giveOf(ws.problem, entry) * std::abs(ws.reactions[entry].x);
        if (hasNoAnswer || missed > speed) jammed = true;
    });
    return jammed;
}

bool canGiveWay(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& ws) {
    const std::size_t joints = ws.joints.entries.size();
    if (joints == 0 || joints * mostContactsPerJoint < ws.problem.contactCount()) return false;
    bool can = false;
    for (std::size_t k = 0; k < ws.places.size() && !can; ++k) can = pushOf(world, time, ws, k) > 0;
    forEachUnlimited(ws, [&](const JointEntry&, std::size_t) { can = true; });
    return can;
}

Stiff giveWay(const WorldState& world, const TimeScheme& time, ProblemWorkspace& ws) {
    Stiff stiff{ws.problem.offset, ws.reactions, ws.problem.compliance};
    forEachUnlimited(ws, [&](const JointEntry&, std::size_t entry) {
        ws.problem.compliance[entry](0, 0) = giveOf(ws.problem, entry);
    });
    for (std::size_t k = 0; k < ws.joints.entries.size(); ++k) {
        if (ws.joints.entries[k].part != JointPart::held) continue;
        const std::size_t entry = ws.joints.firstEntry + k;
        const Mat3 mobility = ws.problem.diagonal(entry);
        for (int c = 0; c < 3; ++c) ws.problem.compliance[entry](c, c) += slack * mobility(c, c);
    }
    for (std::size_t k = 0; k < ws.places.size(); ++k) ws.problem.offset[k].x += pushOf(world, time, ws, k);
    ws.reactions.assign(ws.problem.contactCount(), Vec3{});
    return stiff;
}

void takeBack(Stiff stiff, ProblemWorkspace& ws) {
    ws.problem.offset = std::move(stiff.offset);
    ws.problem.compliance = std::move(stiff.compliance);
    ws.reactions = std::move(stiff.reactions);
}

JammedDrive jammedDrive(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& ws) {
    JammedDrive jammed;
    double most = -1;
    forEachUnlimited(ws, [&](const JointEntry& e, std::size_t entry) {
        const double reaction = std::abs(ws.reactions[entry].x);
        const double missed = ws.problem.compliance[entry](0, 0) * reaction;
        if (!(missed > most)) return;
        most = missed;
        jammed.joint = e.joint;
        jammed.turning = e.turning;
        jammed.force = e.lever * reaction / time.impulseTime();
        jammed.stands = missed > 0.5 * std::max(wantedSpeed(e), speedAround(world, time, ws, e));
    });
    jammed.at = mostPressed(world, ws);
    return jammed;
}

}  // namespace talus
