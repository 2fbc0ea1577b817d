#include "io/scene/motion_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/scene/scene_rules.hpp"
#include "talus/suggest.hpp"

namespace talus {

void MotionCheck::checkMotion(const std::string& path, const MotionLaw& motion) {
    std::visit([&](const auto& law) { checkLaw(path, law); }, motion);
}

void MotionCheck::checkLaw(const std::string& path, const RotationMotion& motion) {
    checkDirection(path + ".axis", motion.axis);
}
void MotionCheck::checkLaw(const std::string& path, const TableMotion& motion) {
    if (motion.time.empty()) add(path + ".points", "at least one point is needed");
    checkTimes(path + ".points", motion.time);
}
void MotionCheck::checkLaw(const std::string& path, const ServoMotion& motion) {
    if (motion.direction) checkDirection(path + ".direction", *motion.direction);
    if (motion.force.has_value() == motion.stress.has_value()) add(path, "give either 'force' or 'stress'");
    checkTimes(path + ".shares", motion.course.time);
}
void MotionCheck::checkLaw(const std::string& path, const RadialServoMotion& motion) {
    checkTimes(path + ".shares", motion.course.time);
    for (std::size_t k = 0; k < motion.ends.size(); ++k) checkEnd(indexed(path + ".ends", k), motion.ends[k]);
}

void MotionCheck::checkEnd(const std::string& path, const std::string& group) {
    std::vector<std::string> names;
    const auto look = [&](const std::vector<BodySettings>& bodies) {
        for (const BodySettings& body : bodies) {
            if (std::holds_alternative<Plane>(body.kind)) names.push_back(body.group.value_or("plane"));
        }
    };
    look(scene_.bodies);
    for (const StageSettings& stage : scene_.stages) look(stage.bodies);
    if (std::find(names.begin(), names.end(), group) != names.end()) return;
    add(path, fmt::format("there is no plane of the group {}{}", inQuotes(group), didYouMean(group, names)));
}

void MotionCheck::checkMotionOf(const std::string& path, const MotionLaw& motion, const BodyKind& kind) {
    const bool isRound = std::holds_alternative<Drum>(kind) || isSleeve(kind);
    if (std::holds_alternative<RadialServoMotion>(motion) && !isRound) {
        add(path, "a radial servo is for drums and sleeves");
    }
    const auto* sleeve = std::get_if<Sleeve>(&kind);
    const auto* constant = std::get_if<ConstantMotion>(&motion);
    if (sleeve != nullptr && constant != nullptr &&
        norm(cross(sleeve->axis, constant->spin)) > 1e-9 * norm(sleeve->axis) * norm(constant->spin)) {
        add(path + ".spin", "each ring of a sleeve would turn about its own centre; use type: rotation");
    }
    if (const auto* servo = std::get_if<ServoMotion>(&motion)) checkServoOf(path, *servo, kind);
}

void MotionCheck::checkServoOf(const std::string& path, const ServoMotion& servo, const BodyKind& kind) {
    if (isSleeve(kind)) return add(path, "a servo moves planes, containers, drums and single bodies; use radial-servo");
    if (isGenerated(kind)) return add(path, "a servo moves walls and single bodies; these are many");
    if (std::holds_alternative<SphereBody>(kind)) {
        return add(path, "a servo moves walls and solids; a sphere can be pushed by a force");
    }
    if (!servo.direction && !std::holds_alternative<Plane>(kind)) {
        add(path, "the key 'direction' is missing; only a plane has one of its own");
    }
    const bool hasArea = std::holds_alternative<Container>(kind) || std::holds_alternative<SolidBody<Box>>(kind);
    if (servo.stress && !servo.area && !hasArea) {
        add(path, "the key 'area' is missing: it turns the stress into a force");
    }
}

void MotionCheck::checkForceLaw(const std::string& path, const ForceLaw& force) {
    const auto* table = std::get_if<TableForce>(&force);
    if (table == nullptr) return;
    if (table->time.empty()) add(path + ".points", "at least one point is needed");
    checkTimes(path + ".points", table->time);
}

void MotionCheck::checkFreeOf(const std::string& path, const FreeSettings& free, const BodyKind& kind) {
    if (isGenerated(kind)) return add(path, "is for walls and single bodies; these are many, and free unless fixed");
    if (isWallKind(kind)) return checkFreeWall(path, free);
    const auto* mesh = std::get_if<SolidBody<Mesh>>(&kind);
    if (mesh != nullptr && mesh->form.surface) return add(path, "an open surface has no mass and must be held");
    checkGuide(path, free);
}

void MotionCheck::checkGuide(const std::string& path, const FreeSettings& free) {
    if (free.inertia != 0) add(path + ".inertia", "is that of a wall; a solid has the one of its shape");
    const bool turns = free.turns && !free.turns->empty();
    if (free.axes && free.axes->empty() && !turns) {
        add(path + ".axes", "the body could not move at all; name an axis, or hold it with fixed: true");
    }
    if (scene_.planar == Planar::none && turns && free.turns->size() == 2) {
        add(path + ".turns", "a solid turns about one axis of the scene or all; a joint leaves others free");
    }
}

void MotionCheck::checkFreeWall(const std::string& path, const FreeSettings& free) {
    if (!free.mass) add(path, "the key 'mass' is missing; a wall has none of its own");
    const bool isToTurn = free.turns ? !free.turns->empty() : free.inertia > 0;
    if (isToTurn && free.inertia == 0) {
        add(path + ".turns", "a wall that turns needs its moment of inertia, free.inertia");
    }
    if (!isToTurn && free.axes && free.axes->empty()) {
        add(path + ".axes", "the wall could not move at all; name an axis, or leave out free to hold it");
    }
}

void MotionCheck::checkRigidServos() {
    const auto check = [&](const std::string& path, const std::optional<MotionLaw>& motion, const Vec3* normal) {
        if (!motion) return;
        const auto* servo = std::get_if<ServoMotion>(&*motion);
        if (servo == nullptr || (!servo->direction && normal == nullptr)) return;
        const Vec3 d = servo->direction ? *servo->direction : *normal;
        if (std::max({std::abs(d.x), std::abs(d.y), std::abs(d.z)}) >= (1 - 1e-9) * norm(d)) return;
        add(path, "with rigid contacts a servo moves along x, y or z");
    };
    const auto normalOf = [](const BodySettings& body) {
        const auto* plane = std::get_if<Plane>(&body.kind);
        return plane != nullptr ? &plane->normal : nullptr;
    };
    for (std::size_t k = 0; k < scene_.bodies.size(); ++k) {
        check(indexed("bodies", k) + ".motion", scene_.bodies[k].motion, normalOf(scene_.bodies[k]));
    }
    for (std::size_t s = 0; s < scene_.stages.size(); ++s) {
        const StageSettings& stage = scene_.stages[s];
        for (std::size_t k = 0; k < stage.bodies.size(); ++k) {
            check(indexed(indexed("stages", s) + ".bodies", k) + ".motion", stage.bodies[k].motion,
                  normalOf(stage.bodies[k]));
        }
        for (std::size_t k = 0; k < stage.change.size(); ++k) {
            const std::string path = indexed(indexed("stages", s) + ".change", k) + ".motion";
            check(path, stage.change[k].motion, nullptr);
            forEachEntry(stage.change[k].group, s,
                         [&](const BodySettings& body) { check(path, stage.change[k].motion, normalOf(body)); });
        }
    }
}

}  // namespace talus
