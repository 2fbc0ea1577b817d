#include "step/forces/joint_forces.hpp"

#include <fmt/format.h>

#include "model/prescribed_motion.hpp"
#include "step/rotation.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double wantedResidual = 1e-11, largestResidual = 1e-5;  // -
constexpr double correction = 1;                                  // -, share of an error that a step takes away

SolverSettings settingsForJoints() {
    SolverSettings s;
    s.kind = SolverKind::automatic;
    s.tolerance = wantedResidual;
    s.maxIterations = 20'000;
    return s;
}

// Pose now, and how it moves on average from `time` to `time` + dt.
JointEnd prescribedEnd(const WorldState& world, double time, double dt, std::uint32_t i) {
    const Bodies& b = world.bodies;
    JointEnd end{b.position[i], b.orientation[i], {}, {}};
    if (b.motion[i] == noMotion) return end;
    const Motion& motion = world.motions[b.motion[i]];
    end.velocity = (evaluateMotion(motion, time + dt).pose.position - evaluateMotion(motion, time).pose.position) / dt;
    end.spin = evaluateMotion(motion, time + 0.5 * dt).spin;
    return end;
}

JointBody bodyOf(const WorldState& world, double time, double dt, KnownVelocities known, std::uint32_t index) {
    JointBody body;
    body.index = index;
    if (index == theWorld) return body;
    const Bodies& b = world.bodies;
    if (b.inverseMass[index] == 0) {
        body.start = body.going = prescribedEnd(world, time, dt, index);
        return body;
    }
    const bool middle = known == KnownVelocities::middle;
    body.start =
        body.going = {b.position[index], b.orientation[index], middle ? b.midVelocity[index] : b.velocity[index],
                      middle ? b.midSpin[index] : b.spin[index]};
    setMobility(world, body);
    return body;
}

// rad/s, by which the spin of mid step differs from that at the start with the same angular momentum.
Vec3 gyroscopicChange(const Bodies& b, const JointBody& body, double dt) {
    if (isSphere(b, body.index) || body.index >= b.grainCount) return {};
    const Quat& q = b.orientation[body.index];
    const Vec3 &moments = b.inverseInertia[body.index], &spin = body.start.spin;
    return (-0.5 * dt) * applyInBodyFrame(q, moments, cross(spin, applyInBodyFrame(q, inverseOf(moments), spin)));
}

void findFreeMotion(const WorldState& world, const JointTiming& timing, JointBody& body) {
    body.freeVelocity = body.start.velocity;
    body.freeSpin = body.start.spin;
    if (body.index == theWorld || world.bodies.inverseMass[body.index] == 0) return;
    const Bodies& b = world.bodies;
    const Vec3 byForce = hadamard(body.inverseMass, b.force[body.index]);
    body.freeVelocity += timing.impulseTime * (outerAcceleration(world, body.index) + byForce);
    body.freeSpin += timing.impulseTime * (body.inverseInertia * b.torque[body.index]);
    body.freeSpin += gyroscopicChange(b, body, timing.dt);
}

MassBlock massBlock(const JointBody& body) {
    MassBlock block{};
    for (int row = 0; row < 3; ++row) {
        block[static_cast<std::size_t>(7 * row)] = body.inverseMass[row];
        for (int column = 0; column < 3; ++column) {
            block[static_cast<std::size_t>(6 * (row + 3) + 3 + column)] = body.inverseInertia(row, column);
        }
    }
    return block;
}

// Bodies that joints can move get places in the problem, in the order of the joints.
void placeBodies(const WorldState& world, JointForcesWorkspace& ws, BodyContacts& contacts) {
    ws.place.resize(world.bodies.size(), BodyContacts::noBody);
    contacts.inverseMass.clear();
    for (JointPair& pair : ws.joints.bodies) {
        for (JointBody& body : pair) {
            if (body.index == theWorld || world.bodies.inverseMass[body.index] == 0) continue;
            std::uint32_t& place = ws.place[body.index];
            if (place == BodyContacts::noBody) {
                place = static_cast<std::uint32_t>(contacts.inverseMass.size());
                contacts.inverseMass.push_back(massBlock(body));
            }
            body.entry = place;
        }
    }
    for (const JointPair& pair : ws.joints.bodies) {
        for (const JointBody& body : pair) {
            if (body.index != theWorld) ws.place[body.index] = BodyContacts::noBody;
        }
    }
}

void fillProblem(JointForcesWorkspace& ws, BodyContacts& contacts) {
    ContactProblem& p = ws.problem;
    contacts.contacts.clear();
    p.sets.clear();
    p.offset.clear();
    p.compliance.clear();
    ws.reactions.clear();
    for (const JointEntry& e : ws.joints.entries) {
        contacts.contacts.push_back(e.contact);
        p.sets.push_back(e.set);
        p.offset.push_back(e.offset);
        p.compliance.push_back(e.compliance);
        ws.reactions.push_back(project(e.set, e.guess));
    }
    contacts.finish();
}

void addToBodies(Bodies& b, const JointIndices& indices, const JointLoad& load, const Vec3& firstArm,
                 const Vec3& secondArm) {
    const auto [first, second] = indices;
    if (first != theWorld) addToFirst(load, firstArm, b.force[first], b.torque[first]);
    if (second != theWorld) addToSecond(load, secondArm, b.force[second], b.torque[second]);
}

void checkSolved(const WorldState& world, const SolveReport& report) {
    if (report.residuals.naturalMap <= largestResidual) return;
    throw RunError(fmt::format(
        "t = {:.6g} s: the forces of the joints could not be found (residual {:.2g}); the mechanism may be jammed or "
        "its bodies torn apart: look at joints that contradict each other, and reduce run.step",
        world.time, report.residuals.naturalMap));
}

}  // namespace

JointForcesWorkspace::JointForcesWorkspace() : solver(settingsForJoints()) { problem.contacts = BodyContacts{}; }

void addJointForces(WorldState& world, double time, double dt, KnownVelocities known, JointForcesWorkspace& ws) {
    if (world.joints.empty()) return;
    JointWorkspace& joints = ws.joints;
    const double impulseTime = known == KnownVelocities::middle ? dt : 0.5 * dt;
    const JointTiming timing{time, dt, impulseTime, dt, time};
    findJointBodies(world, joints.indices);
    joints.bodies.resize(world.joints.size());
    for (std::size_t j = 0; j < joints.bodies.size(); ++j) {
        const auto [first, second] = joints.indices[j];
        joints.bodies[j] = {bodyOf(world, time, dt, known, first), bodyOf(world, time, dt, known, second)};
        for (JointBody& body : joints.bodies[j]) body.on = movedOn(body.going, dt);
    }

    findKnownForces(world, timing, joints.bodies, joints.known);
    for (const KnownForce& f : joints.known) {
        addToBodies(world.bodies, joints.indices[f.joint], loadOf(f), f.firstArm, f.secondArm);
    }
    auto& contacts = std::get<BodyContacts>(ws.problem.contacts);
    placeBodies(world, ws, contacts);
    for (JointPair& pair : joints.bodies) {
        for (JointBody& body : pair) findFreeMotion(world, timing, body);
    }
    findJointEntries(world, timing, correction, joints.bodies, joints.entries);
    fillProblem(ws, contacts);
    if (!joints.entries.empty()) checkSolved(world, ws.solver.solve(ws.problem, ws.reactions));

    forgetJointForces(world.joints);
    for (std::size_t k = 0; k < joints.entries.size(); ++k) {
        const JointEntry& e = joints.entries[k];
        const Vec3 force = ws.reactions[k] / impulseTime;
        rememberJointForce(world.joints, e, force);
        addToBodies(world.bodies, joints.indices[e.joint], loadOf(e, force), e.firstArm, e.secondArm);
    }
    for (const KnownForce& f : joints.known) rememberJointForce(world.joints, f);
}

void beginJointMove(const WorldState& world, JointForcesWorkspace& ws) {
    if (world.joints.empty()) return;
    findJointBodies(world, ws.joints.indices);
    noteCoordinates(world, ws.joints);
    ws.slideForceBefore = world.joints.slideForce;
    ws.turnCoupleBefore = world.joints.turnCouple;
}

void endJointMove(WorldState& world, JointForcesWorkspace& ws) {
    if (world.joints.empty()) return;
    // Forces of start and end each act over half of the way.
    const auto add = [&](const CoordinateLaw& law, double from, double to, const Vec3& forces) {
        const double way = to - from;
        world.ledger.wallWork += forces.z * way;
        world.ledger.jointLoss -= (forces.x + forces.y) * way + springEnergy(law, to) - springEnergy(law, from);
    };
    for (std::size_t j = 0; j < world.joints.size(); ++j) {
        const Joint& joint = world.joints.list[j];
        const JointCoordinates &before = ws.joints.before[j], after = coordinatesOf(world, j, ws.joints.indices[j]);
        add(joint.slide, before.slide, after.slide, 0.5 * (ws.slideForceBefore[j] + world.joints.slideForce[j]));
        add(joint.turn, before.turn, after.turn, 0.5 * (ws.turnCoupleBefore[j] + world.joints.turnCouple[j]));
    }
    followTurns(world, ws.joints.indices);
}

}  // namespace talus
