#include "step/assembly/joint_step.hpp"

#include <cmath>

#include "measure/energy.hpp"
#include "step/assembly/contact_search.hpp"
#include "step/assembly/joint_pull.hpp"
#include "step/integrate.hpp"

namespace talus {
namespace {

JointTiming timingOf(const WorldState& world, const TimeScheme& time) {
    return {.time = world.time,
            .dt = time.dt,
            .impulseTime = time.impulseTime(),
            .springWay = time.theta * time.dt,
            .loadTime = world.time + 0.5 * time.dt};
}

// Where this velocity and spin take a free body in the step.
void letGo(const WorldState& world, const TimeScheme& time, const Vec3& velocity, const Vec3& spin, JointBody& body) {
    body.going.velocity = velocity;
    body.going.spin = spin;
    body.on = {body.start.position + time.dt * velocity, orientationAfter(world, body.index, spin, time.dt), velocity,
               spin};
}

JointBody bodyOf(const WorldState& world, const TimeScheme& time, std::uint32_t index) {
    JointBody body;
    body.index = index;
    if (index == theWorld) return body;
    const Bodies& b = world.bodies;
    body.start = body.going = endOf(b, index);
    if (isPrescribed(b, index)) {
        body.start = body.going = {b.position[index], b.orientation[index], b.midVelocity[index], b.midSpin[index]};
        body.on = movedOn(body.going, time.dt);
    } else {
        body.entry = index;
        setMobility(world, body);
        letGo(world, time, body.start.velocity, body.start.spin, body);
        body.freeVelocity = time.impulseTime() * outerAcceleration(world, index);
    }
    body.freeVelocity += body.start.velocity;
    body.freeSpin = body.start.spin;
    return body;
}

void lookAtJoints(const WorldState& world, const TimeScheme& time, JointWorkspace& ws) {
    findJointBodies(world, ws.indices);
    ws.bodies.resize(world.joints.size());
    for (std::size_t j = 0; j < ws.bodies.size(); ++j) {
        ws.bodies[j] = {bodyOf(world, time, ws.indices[j][0]), bodyOf(world, time, ws.indices[j][1])};
    }
}

double speedOf(const WorldState& world, const KnownForce& f, const JointIndices& indices) {
    const Bodies& b = world.bodies;
    const auto end = [&](std::uint32_t i) -> JointEnd {
        if (i == theWorld) return {};
        if (!isPrescribed(b, i)) return endOf(b, i);
        return {b.position[i], b.orientation[i], b.midVelocity[i], b.midSpin[i]};
    };
    const JointEnd first = end(indices[0]), second = end(indices[1]);
    if (f.turning) return speedAbout(f.direction, first, second);
    JointPlace place;
    place.firstArm = f.firstArm;
    place.secondArm = f.secondArm;
    return speedAlong(f.direction, place, first, second);
}

// Impulse of a force and a torque on a body.
void kickBody(WorldState& world, const JointBody& body, const Vec3& impulse, const Vec3& turning) {
    if (body.entry == BodyContacts::noBody) return;
    world.bodies.velocity[body.index] += hadamard(body.inverseMass, impulse);
    world.bodies.spin[body.index] += body.inverseInertia * turning;
}

void kick(WorldState& world, double dt, const JointPair& bodies, const KnownForce& f) {
    Vec3 force, torque, backForce, backTorque;
    addToFirst(loadOf(f), f.firstArm, force, torque);
    addToSecond(loadOf(f), f.secondArm, backForce, backTorque);
    kickBody(world, bodies[0], dt * force, dt * torque);
    kickBody(world, bodies[1], dt * backForce, dt * backTorque);
}

// Walls, and what does not move by itself, have no force yet from what reactions do to bodies.
bool isHeld(const Bodies& b, std::uint32_t i) { return i != theWorld && (i >= b.grainCount || isPrescribed(b, i)); }

void addToHeld(Bodies& b, const JointIndices& indices, const JointLoad& load, const Vec3& firstArm,
               const Vec3& secondArm) {
    const auto [first, second] = indices;
    if (isHeld(b, first)) addToFirst(load, firstArm, b.force[first], b.torque[first]);
    if (isHeld(b, second)) addToSecond(load, secondArm, b.force[second], b.torque[second]);
}

constexpr double harmless = 1e-9;  // -, of the kinetic energy of jointed bodies: what a step may create

// With the mean of the velocities before and after the step, as contacts do.
void addEnergy(WorldState& world, const TimeScheme& time, const JointEntry& e, const Vec3& reaction,
               const Vec3& change) {
    const Vec3 mean = e.before + (0.5 / time.theta) * (e.free - e.before + change);
    const double work = (time.dt / time.impulseTime()) * dot(reaction, mean);
    if (e.part == JointPart::drive) {
        world.ledger.wallWork += work;
    } else {
        world.ledger.jointLoss -= work;
    }
}

}  // namespace

void kickByJoints(WorldState& world, const TimeScheme& time, ProblemWorkspace& ws) {
    if (world.joints.empty()) return;
    JointWorkspace& joints = ws.joints;
    lookAtJoints(world, time, joints);
    findKnownForces(world, timingOf(world, time), joints.bodies, joints.known);
    for (const KnownForce& f : joints.known) {
        const double before = speedOf(world, f, joints.indices[f.joint]);
        kick(world, time.dt, joints.bodies[f.joint], f);
        const double after = speedOf(world, f, joints.indices[f.joint]);
        if (f.part == JointPart::drive) world.ledger.wallWork += 0.5 * time.dt * f.value * (before + after);
    }
}

void addJointEntries(const WorldState& world, const ContactDynamicsSettings& settings, const TimeScheme& time,
                     ProblemWorkspace& ws) {
    JointWorkspace& joints = ws.joints;
    joints.firstEntry = ws.problem.sets.size();
    joints.entries.clear();
    if (world.joints.empty()) return;
    lookAtJoints(world, time, joints);
    noteCoordinates(world, joints);
    findJointEntries(world, timingOf(world, time), settings.correction, joints.bodies, joints.entries);
    addPullEntries(world, timingOf(world, time), joints.bodies, joints.pulled, joints.entries);
    auto& contacts = std::get<BodyContacts>(ws.problem.contacts);
    if (ws.problem.compliance.empty()) ws.problem.compliance.resize(joints.firstEntry);
    for (const JointEntry& e : joints.entries) {
        contacts.contacts.push_back(e.contact);
        ws.problem.sets.push_back(e.set);
        ws.problem.offset.push_back(e.offset);
        ws.problem.compliance.push_back(e.compliance);
        if (!ws.problem.skew.empty()) ws.problem.skew.push_back(identity3());
        ws.reactions.push_back(settings.warmStart ? project(e.set, e.guess) : Vec3{});
    }
}

bool correctJointEntries(const WorldState& world, const ContactDynamicsSettings& settings, const TimeScheme& time,
                         ProblemWorkspace& ws) {
    JointWorkspace& joints = ws.joints;
    if (joints.entries.empty()) return false;
    findChanges(ws);
    double moving = 0;
    for (JointPair& pair : joints.bodies) {
        for (JointBody& body : pair) {
            if (body.entry == BodyContacts::noBody) continue;
            const BodyChange change = changeOf(ws, body.index);
            letGo(world, time, body.freeVelocity + change.velocity, body.freeSpin + change.spin, body);
            moving += kineticEnergy(world.bodies, body.index);
        }
    }
    std::vector<JointEntry>& again = joints.again;
    findJointEntries(world, timingOf(world, time), settings.correction, joints.bodies, again);
    double created = 0;
    for (std::size_t k = 0; k < again.size(); ++k) {
        const Vec3 missed = again[k].offset - joints.entries[k].offset;
        created += std::abs(dot(ws.reactions[joints.firstEntry + k], missed));
        joints.entries[k].offset = ws.problem.offset[joints.firstEntry + k] = again[k].offset;
    }
    return created > harmless * moving;
}

void applyJointReactions(WorldState& world, const TimeScheme& time, ProblemWorkspace& ws) {
    if (world.joints.empty()) return;
    const JointWorkspace& joints = ws.joints;
    forgetJointForces(world.joints);
    for (std::size_t k = 0; k < joints.entries.size(); ++k) {
        const JointEntry& e = joints.entries[k];
        const Vec3& reaction = ws.reactions[joints.firstEntry + k];
        const Vec3 force = reaction / time.impulseTime();
        rememberJointForce(world.joints, e, force);
        addToHeld(world.bodies, joints.indices[e.joint], loadOf(e, force), e.firstArm, e.secondArm);
        addEnergy(world, time, e, reaction, velocityChangeAt(ws, joints.firstEntry + k));
    }
    for (const KnownForce& f : joints.known) {
        rememberJointForce(world.joints, f);
        addToHeld(world.bodies, joints.indices[f.joint], loadOf(f), f.firstArm, f.secondArm);
    }
}

void endJointStep(WorldState& world, ProblemWorkspace& ws) {
    if (world.joints.empty()) return;
    const JointWorkspace& joints = ws.joints;
    for (const JointEntry& e : joints.entries) {
        if (!e.stores) continue;
        const Joint& joint = world.joints.list[e.joint];
        const JointCoordinates before = joints.before[e.joint],
                               after = coordinatesOf(world, e.joint, joints.indices[e.joint]);
        const double stored = e.turning
                                  ? springEnergy(joint.turn, after.turn) - springEnergy(joint.turn, before.turn)
                                  : springEnergy(joint.slide, after.slide) - springEnergy(joint.slide, before.slide);
        world.ledger.jointLoss -= stored;
    }
    followTurns(world, joints.indices);
}

}  // namespace talus
