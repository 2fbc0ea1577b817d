#include "step/jammed_drives.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

constexpr double yielding = 1e-3;  // -, of the mobility of the joint alone

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
        const double wanted = std::max(std::abs(e.offset.x), std::abs(e.offset.x - e.free.x));
        const double speed = std::max(wanted, speedAround(world, time, ws, e));
        const double missed = giveOf(ws.problem, entry) * std::abs(ws.reactions[entry].x);
        if (hasNoAnswer || missed > speed) jammed = true;
    });
    return jammed;
}

void letDrivesGiveWay(ProblemWorkspace& ws) {
    forEachUnlimited(ws, [&](const JointEntry&, std::size_t entry) {
        ws.problem.compliance[entry](0, 0) = giveOf(ws.problem, entry);
    });
    ws.reactions.assign(ws.problem.contactCount(), Vec3{});
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
    });
    jammed.at = mostPressed(world, ws);
    return jammed;
}

}  // namespace talus
