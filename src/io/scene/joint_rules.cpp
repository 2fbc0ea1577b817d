#include "io/scene/joint_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "io/scene/scene_fields.hpp"
#include "io/scene/scene_rules.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

bool isSingle(const BodyKind& kind) { return !isGenerated(kind); }

const BodySettings* bodyNamed(const Scene& scene, const std::string& name) {
    const auto found = std::find_if(scene.bodies.begin(), scene.bodies.end(),
                                    [&](const BodySettings& body) { return body.name == name; });
    return found == scene.bodies.end() ? nullptr : &*found;
}

bool isReleased(const Scene& scene, const BodySettings& body) {
    const auto releases = [&](const GroupChange& change) {
        return change.group == body.group && (change.free || !change.fixed.value_or(true));
    };
    return std::any_of(scene.stages.begin(), scene.stages.end(), [&](const StageSettings& stage) {
        return std::any_of(stage.change.begin(), stage.change.end(), releases);
    });
}

// The world, and bodies that no force moves in any stage.
bool isHeld(const Scene& scene, const std::string& name) {
    const BodySettings* body = bodyNamed(scene, name);
    if (body == nullptr) return true;
    if (isReleased(scene, *body)) return false;
    return body->motion.has_value() || body->fixed.value_or(isWallKind(body->kind) && !body->free);
}

bool slides(JointKind kind) {
    return kind == JointKind::prismatic || kind == JointKind::cylindrical || kind == JointKind::distance;
}
bool turns(JointKind kind) { return kind == JointKind::revolute || kind == JointKind::cylindrical; }

std::string_view nameOf(JointKind kind) { return EnumNames<JointKind>::names[static_cast<std::size_t>(kind)]; }

bool isForTurning(const SpeedDrive&) { return false; }
bool isForTurning(const PositionDrive&) { return false; }
bool isForTurning(const ForceDrive&) { return false; }
bool isForTurning(const SpinDrive&) { return true; }
bool isForTurning(const AngleDrive&) { return true; }
bool isForTurning(const TorqueDrive&) { return true; }

// Its value over time and the key of that.
struct DriveView {
    const TimedValue& value;
    const char* key;
};
DriveView viewOf(const SpeedDrive& d) { return {d.speed, "speed"}; }
DriveView viewOf(const PositionDrive& d) { return {d.position, "position"}; }
DriveView viewOf(const ForceDrive& d) { return {d.force, "force"}; }
DriveView viewOf(const SpinDrive& d) { return {d.rate, "rate"}; }
DriveView viewOf(const AngleDrive& d) { return {d.angle, "angle"}; }
DriveView viewOf(const TorqueDrive& d) { return {d.torque, "torque"}; }
DriveView viewOf(const DriveLaw& drive) {
    return std::visit([](const auto& d) { return viewOf(d); }, drive);
}

class JointCheck {
public:
    JointCheck(const Scene& scene, Problems& problems) : scene_(scene), problems_(problems) {}

    void checkAll() {
        checkBodyNames();
        std::set<std::string> names;
        for (std::size_t k = 0; k < scene_.joints.size(); ++k) {
            const JointSettings& joint = scene_.joints[k];
            const std::string path = indexed("joints", k);
            checkName(path + ".name", joint.name, names);
            checkBetween(path + ".between", joint);
            checkPlace(path, joint);
            checkCoordinates(path, joint);
            if (joint.drive) checkDrive(path + ".drive", joint.kind, *joint.drive);
        }
    }

    // What the method and its solver know of joints.
    void checkMethod() {
        const ContactDynamicsSettings& s = scene_.contactDynamics;
        if (scene_.method == Method::quasiStatic) {
            add("joints", "need method: contact-dynamics or penalty; quasi-static knows none");
        }
        if (scene_.method != Method::contactDynamics) return;
        if (s.theta != 1) add("contact_dynamics.theta", "must be 1 with joints: machines would gain energy otherwise");
        if (s.forces == ForceRule::compatible) add("contact_dynamics.forces", "compatible knows no joints");
        if (scene_.output.problems > 0) add("output.problems", "the files cannot express joints");
    }

private:
    void add(const std::string& path, const std::string& message) { problems_.add(path, message); }

    void checkName(const std::string& path, const std::string& name, std::set<std::string>& seen) {
        if (!isPlainName(name)) {
            add(path, fmt::format("a name has up to 64 letters, digits, '_' and '-', got {}", inQuotes(name)));
        }
        if (!seen.insert(name).second) add(path, fmt::format("{} is used twice", inQuotes(name)));
    }

    void checkBodyNames() {
        std::set<std::string> names;
        for (std::size_t k = 0; k < scene_.bodies.size(); ++k) {
            const BodySettings& body = scene_.bodies[k];
            if (!body.name) continue;
            const std::string path = indexed("bodies", k) + ".name";
            checkName(path, *body.name, names);
            if (*body.name == nameOfTheWorld) add(path, "world is what bodies are joined to; choose another name");
            if (!isSingle(body.kind)) add(path, "is for a single body; this entry makes many");
        }
    }

    void checkBetween(const std::string& path, const JointSettings& joint) {
        const auto& [first, second] = joint.between;
        bool known = true;
        for (const std::string& name : joint.between) {
            if (name == nameOfTheWorld || bodyNamed(scene_, name) != nullptr) continue;
            std::vector<std::string> names{nameOfTheWorld};
            for (const BodySettings& body : scene_.bodies) names.push_back(body.name.value_or(""));
            add(path, fmt::format("there is no body {}{}; bodies get names by their key 'name'", inQuotes(name),
                                  didYouMean(name, names)));
            known = false;
        }
        if (!known) return;
        if (first == second) {
            add(path, fmt::format("{} cannot be joined to itself", inQuotes(first)));
        } else if (isHeld(scene_, first) && isHeld(scene_, second)) {
            add(path, fmt::format("neither {} nor {} can move by itself, so there is nothing to join", inQuotes(first),
                                  inQuotes(second)));
        }
    }

    void checkPlace(const std::string& path, const JointSettings& joint) {
        const double length = norm(joint.axis);
        if (!(length > 1e-100) || !(length < 1e100)) {
            add(path + ".axis", "a direction must not be zero, nor of absurd length");
        }
        const bool needsPoint = joint.kind == JointKind::spherical || joint.kind == JointKind::revolute;
        const bool atWorld = joint.between[0] == nameOfTheWorld;
        if (!joint.point && (needsPoint || atWorld)) {
            add(path, fmt::format("the key 'point' is missing; a {} joint {} needs it", nameOf(joint.kind),
                                  atWorld ? "that names world first" : ""));
        }
        if (joint.point2 && joint.kind != JointKind::distance) {
            add(path + ".point2", "is for distance joints; others have one point");
        }
        if (!joint.point2 && joint.kind == JointKind::distance && joint.between[1] == nameOfTheWorld) {
            add(path, "the key 'point2' is missing: the end of the distance joint in the world");
        }
    }

    template <class Limits>
    void checkLimits(const std::string& path, const Limits& limits, bool fromZero) {
        if (!limits.lower && !limits.upper) add(path, "give lower, upper or both");
        if (limits.lower && limits.upper && *limits.lower > *limits.upper) {
            add(path, fmt::format("lower must not exceed upper, got {} and {}", *limits.lower, *limits.upper));
        } else if (fromZero && (limits.lower.value_or(0) > 0 || limits.upper.value_or(0) < 0)) {
            add(path, "the joint is at 0 at the start, which is outside");
        }
    }

    template <class Spring>
    void checkSpring(const std::string& path, const Spring& spring) {
        if (spring.stiffness == 0 && spring.damping == 0) add(path, "give it a stiffness, a damping or both");
    }

    void checkCoordinates(const std::string& path, const JointSettings& j) {
        const bool isDistance = j.kind == JointKind::distance;
        if (j.limits) checkLimits(path + ".limits", *j.limits, slides(j.kind) && !isDistance);
        if (j.turnLimits) checkLimits(path + ".turn_limits", *j.turnLimits, turns(j.kind));
        if (j.spring) checkSpring(path + ".spring", *j.spring);
        if (j.torsionSpring) checkSpring(path + ".torsion_spring", *j.torsionSpring);
        const auto complain = [&](const char* key, const char* does) {
            add(path + key, fmt::format("a {} joint {}", nameOf(j.kind), does));
        };
        if (j.limits && !slides(j.kind)) complain(".limits", "does not slide");
        if (j.spring && !slides(j.kind)) complain(".spring", "does not slide");
        if (j.turnLimits && !turns(j.kind)) complain(".turn_limits", "has no one turn to stop");
        if (j.torsionSpring && !turns(j.kind)) complain(".torsion_spring", "has no one turn for a spring");
    }

    void checkDrive(const std::string& path, JointKind kind, const DriveLaw& drive) {
        const bool turning = std::visit([](const auto& d) { return isForTurning(d); }, drive);
        if (turning && !turns(kind)) {
            add(path, fmt::format("spin, angle and torque are for revolute and cylindrical joints; a {} joint {}",
                                  nameOf(kind), slides(kind) ? "has speed, position or force" : "has no drive"));
        } else if (!turning && !slides(kind)) {
            add(path, fmt::format(
                          "speed, position and force are for prismatic, cylindrical and distance joints; a {} joint {}",
                          nameOf(kind), turns(kind) ? "has spin, angle or torque" : "has no drive"));
        }
        checkTimed(path, viewOf(drive));
    }

    void checkTimed(const std::string& path, const DriveView& drive) {
        const TimedValue& v = drive.value;
        if (v.constant.has_value() == !v.time.empty()) {
            add(path, fmt::format("give either '{}', or 'times' and '{}s'", drive.key, drive.key));
        }
        if (v.time.size() != v.value.size()) {
            add(path, fmt::format("'times' and '{}s' must be equally many, got {} and {}", drive.key, v.time.size(),
                                  v.value.size()));
        }
        for (std::size_t k = 1; k < v.time.size(); ++k) {
            if (v.time[k] > v.time[k - 1]) continue;
            add(path + ".times", fmt::format("must increase, got {} s after {} s", v.time[k], v.time[k - 1]));
        }
    }

    const Scene& scene_;
    Problems& problems_;
};

}  // namespace

void checkJointMethod(const Scene& scene, Problems& problems) {
    if (!scene.joints.empty()) JointCheck(scene, problems).checkMethod();
}

void checkJoints(const Scene& scene, Problems& problems) { JointCheck(scene, problems).checkAll(); }

bool passThrough(const Scene& scene, std::size_t entry, std::size_t other) {
    const auto &a = scene.bodies[entry].name, &b = scene.bodies[other].name;
    if (!a || !b) return false;
    return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const JointSettings& j) {
        const auto& [first, second] = j.between;
        return !j.collide && ((first == *a && second == *b) || (first == *b && second == *a));
    });
}

}  // namespace talus
