// The calls of a World that change what is there.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "api/change.hpp"
#include "build/change_body.hpp"
#include "io/scene/motion_rules.hpp"

namespace talus {
namespace {

// The index of a body that forces move; InputError for others.
std::size_t movableIndex(const World::Data& data, BodyId body, const char* call) {
    const std::size_t i = data.indexOf(body, call);
    if (!isSteered(data.state().bodies, i)) return i;
    throw InputError(fmt::format("{}: body {} is held or moves as prescribed; use setMotion(), or release() it first",
                                 call, body.value));
}

// Throws InputError if a law breaks a rule; `check` is the one of a scene for such a law.
template <class Law>
void requireSound(const World::Data& data, const char* call, Law law,
                  void (MotionCheck::*check)(const std::string&, const Law&)) {
    const SceneSource noSource;
    Problems problems(noSource);
    FieldChecker(call, problems).alternatives(law);
    (MotionCheck(data.parts.facts, problems).*check)(call, law);
    problems.throwIfAny();
}

void removeBodies(World::Data& data, const char* call, const std::vector<char>& goes) {
    WorldState& w = data.state();
    const Bodies& b = w.bodies;
    for (const Joint& joint : w.joints.list) {
        for (const std::uint32_t id : {joint.first, joint.second}) {
            if (id == theWorld || !goes[data.indexOf({id}, call)]) continue;
            throw InputError(fmt::format("{}: body {} is held by the joint '{}'; bodies with joints cannot be removed",
                                         call, id, joint.name));
        }
    }
    const std::vector<char> grains(goes.begin(), goes.begin() + static_cast<long>(b.grainCount));
    const std::vector<char> walls(goes.begin() + static_cast<long>(b.grainCount), goes.end());
    change(data, call, [&] {
        removeWalls(w, walls);
        removeGrains(w, grains);
        dropUnusedMotions(w);
    });
}

void dropJoint(Joints& joints, std::size_t joint) {
    const auto drop = [&](auto& array) { array.erase(array.begin() + static_cast<std::ptrdiff_t>(joint)); };
    drop(joints.list);
    visitArrays(drop, joints);
}

}  // namespace

void World::remove(BodyId body) {
    std::vector<char> goes(data_->state().bodies.size(), 0);
    goes[data_->indexOf(body, "remove")] = 1;
    removeBodies(*data_, "remove", goes);
}

void World::removeGroup(const std::string& name) {
    const WorldState& w = data_->state();
    std::vector<char> goes(w.bodies.size(), 0);
    bool any = false;
    for (std::size_t i = 0; i < goes.size(); ++i) {
        goes[i] = w.groupNames[w.bodies.group[i]] == name;
        any = any || goes[i];
    }
    if (!any) throw InputError(fmt::format("removeGroup: no body of the group {} is there", inQuotes(name)));
    removeBodies(*data_, "removeGroup", goes);
}

void World::removeJoint(JointId joint) {
    const char* call = "removeJoint";
    WorldParts& parts = data_->parts;
    const std::size_t k = parts.joints.find(joint.value, call, "joint");
    change(*data_, call, [&] {
        WorldState& w = parts.state;
        dropJoint(w.joints, k);
        parts.joints.remove(k);
        parts.jointsIgnore.erase(parts.jointsIgnore.begin() + static_cast<std::ptrdiff_t>(k));
        // Only joints keep bodies from touching each other: those that are left.
        w.ignoredPairs.clear();
        for (std::size_t j = 0; j < w.joints.size(); ++j) {
            if (parts.jointsIgnore[j]) ignorePair(w.ignoredPairs, w.joints.list[j].first, w.joints.list[j].second);
        }
        w.contacts.stale = true;
    });
}

void World::removeSource(SourceId source) {
    WorldParts& parts = data_->parts;
    const std::size_t k = parts.sources.find(source.value, "removeSource", "source");
    change(*data_, "removeSource", [&] {
        parts.state.sources.erase(parts.state.sources.begin() + static_cast<std::ptrdiff_t>(k));
        parts.sources.remove(k);
    });
}

void World::removeSink(SinkId sink) {
    WorldParts& parts = data_->parts;
    const std::size_t k = parts.sinks.find(sink.value, "removeSink", "sink");
    change(*data_, "removeSink", [&] {
        parts.state.sinks.erase(parts.state.sinks.begin() + static_cast<std::ptrdiff_t>(k));
        parts.sinks.remove(k);
    });
}

void World::setGravity(const Vec3& gravity) {
    requireFinite("setGravity", gravity);
    change(*data_, "setGravity", [&] { data_->state().gravity = gravity; });
}

void World::setPosition(BodyId body, const Vec3& position) {
    const char* call = "setPosition";
    const std::size_t i = data_->indexOf(body, call);
    requireFinite(call, position);
    WorldState& w = data_->state();
    if (w.bodies.motion[i] != noMotion) {
        throw InputError(fmt::format("{}: body {} goes where its motion has it; use setMotion()", call, body.value));
    }
    if (i < w.bodies.grainCount) requirePlane(w, call, position, w.bodies.radius[i]);
    change(*data_, call,
           [&] { w.bodies.position[i] = w.domain.anyPeriodic() ? w.domain.wrapped(position) : position; });
}

void World::setOrientation(BodyId body, const Quat& q) {
    const char* call = "setOrientation";
    const std::size_t i = data_->indexOf(body, call);
    const double square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    if (!(square > 1e-200 && square < 1e200))
        throw InputError("setOrientation: must not be zero, nor of absurd length");
    WorldState& w = data_->state();
    if (w.bodies.motion[i] != noMotion) {
        throw InputError(fmt::format("{}: body {} goes where its motion has it; use setMotion()", call, body.value));
    }
    change(*data_, call, [&] { w.bodies.orientation[i] = normalized(q); });
}

void World::setVelocity(BodyId body, const Vec3& velocity) {
    const char* call = "setVelocity";
    const std::size_t i = movableIndex(*data_, body, call);
    requireFinite(call, velocity);
    requireNone(call, velocityFault(planarOf(data_->state()), velocity));
    Bodies& b = data_->state().bodies;
    change(*data_, call, [&] { b.velocity[i] = b.midVelocity[i] = velocity; });
}

void World::setSpin(BodyId body, const Vec3& spin) {
    const char* call = "setSpin";
    const std::size_t i = movableIndex(*data_, body, call);
    requireFinite(call, spin);
    requireNone(call, spinFault(planarOf(data_->state()), spin));
    Bodies& b = data_->state().bodies;
    change(*data_, call, [&] { b.spin[i] = b.midSpin[i] = spin; });
}

void World::setMotion(BodyId body, const std::optional<MotionLaw>& motion) {
    const char* call = "setMotion";
    WorldState& w = data_->state();
    const std::size_t i = data_->indexOf(body, call);
    if (motion) requireSound(*data_, call, *motion, &MotionCheck::checkMotion);
    change(*data_, call, [&] {
        if (!motion) return hold(w, i);
        // A law that only this body follows makes room for the new one.
        const std::uint16_t old = w.bodies.motion[i] == noMotion ? noMotion : w.motions[w.bodies.motion[i]].entry;
        const auto users =
            std::count_if(w.motions.begin(), w.motions.end(), [&](const Motion& other) { return other.entry == old; });
        std::uint16_t law = old;
        if (old == noMotion || users > 1) {
            law = addMotionLaw(w, *motion);
        } else {
            w.motionLaws[old] = *motion;
            if (auto* turning = std::get_if<RotationMotion>(&w.motionLaws[old]))
                turning->axis = normalized(turning->axis);
        }
        follow(w, i, law);
        dropUnusedMotions(w);
    });
}

void World::setLoad(BodyId body, const std::optional<ForceLaw>& load) {
    const char* call = "setLoad";
    WorldState& w = data_->state();
    const std::size_t i = movableIndex(*data_, body, call);
    if (load) requireSound(*data_, call, *load, &MotionCheck::checkForceLaw);
    change(*data_, call, [&] {
        const std::uint16_t old = w.bodies.load[i];
        w.bodies.load[i] = noLoad;
        if (!load) return;
        const bool isShared = old == noLoad || std::count(w.bodies.load.begin(), w.bodies.load.end(), old) > 0;
        if (!isShared) w.loads[old] = *load;
        pushBy(w, i, isShared ? addLoad(w, *load) : old);
    });
}

void World::release(BodyId body) {
    const char* call = "release";
    WorldState& w = data_->state();
    const std::size_t i = data_->indexOf(body, call);
    if (i >= w.bodies.grainCount) {
        throw InputError("release: a wall has no mass; add it with WallOptions::free to have forces move it");
    }
    change(*data_, call, [&] {
        letGo(w, i, w.bodies.velocity[i], w.bodies.spin[i]);
        dropUnusedMotions(w);
    });
}

void World::setMotorTarget(JointId joint, double target) {
    Joints& joints = data_->state().joints;
    const std::size_t place = data_->parts.joints.find(joint.value, "setMotorTarget", "joint");
    if (!std::isfinite(target)) throw InputError(fmt::format("setMotorTarget: must be finite, got {}", target));
    Joint& j = joints.list[place];
    CoordinateLaw* driven = j.slide.drive != DriveKind::none  ? &j.slide
                            : j.turn.drive != DriveKind::none ? &j.turn
                                                              : nullptr;
    if (driven == nullptr) {
        throw InputError(
            fmt::format("setMotorTarget: the joint '{}' has no drive; give it one when it is added", j.name));
    }
    driven->target = {.constant = target};
}

}  // namespace talus
