#include "io/scene/stage_rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/scene/body_rules.hpp"
#include "io/scene/method_rules.hpp"
#include "io/scene/motion_rules.hpp"
#include "io/scene/scene_rules.hpp"
#include "io/scene/stage_scene.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

bool isSolidKind(const BodyKind& kind) {
    return std::visit(
        [](const auto& k) {
            return requires { k.form; };
        },
        kind);
}

class StageRules : public RuleCheck {
public:
    StageRules(const Scene& scene, Problems& problems) : RuleCheck(scene, problems), motions_(scene, problems) {}

    void checkStage(const std::string& path, std::size_t k) {
        const StageSettings& stage = scene_.stages[k];
        checkName(path + ".name", stage.name);
        for (std::size_t j = 0; j < k; ++j) {
            if (scene_.stages[j].name == stage.name) add(path + ".name", inQuotes(stage.name) + " is used twice");
        }
        for (std::size_t j = 0; j < stage.until.size(); ++j) {
            const StopCondition& condition = stage.until[j];
            if (condition.above.has_value() != condition.below.has_value()) continue;
            add(indexed(path + ".until", j), "give either 'above' or 'below'");
        }
        for (const auto& [name, changes] : stage.materials) checkMaterialName(path + ".materials", name);
        for (std::size_t j = 0; j < stage.pairs.size(); ++j) {
            for (const std::string& name : stage.pairs[j].between) {
                checkMaterialName(indexed(path + ".pairs", j) + ".between", name);
            }
        }
        for (std::size_t j = 0; j < stage.remove.size(); ++j) {
            checkGroup(indexed(path + ".remove", j), stage.remove[j], k);
            checkUnjoined(indexed(path + ".remove", j), stage.remove[j]);
        }
        for (std::size_t j = 0; j < stage.change.size(); ++j) {
            checkChange(indexed(path + ".change", j), stage.change[j], k);
        }
        checkBodies(scene_, path + ".bodies", stage.bodies, problems_);
        for (std::size_t j = 0; j < stage.bodies.size(); ++j) {
            checkPutOn(indexed(path + ".bodies", j), stage.bodies[j], k);
        }
        if (!problems_.any()) checkInForce(path, k);
    }

private:
    // The rules of the method, for the settings in force in this stage.
    void checkInForce(const std::string& path, std::size_t k) {
        const Scene inForce = sceneInStage(scene_, k);
        if (inForce.run.step.value && *inForce.run.step.value > inForce.run.time) {
            add(path + ".step", fmt::format("must not exceed the time of the stage, {} s, got {} s", inForce.run.time,
                                            *inForce.run.step.value));
        }
        const SceneSource inMemory;
        Problems found(scene_.source ? *scene_.source : inMemory);
        checkMethod(inForce, found);
        for (const std::string& finding : found.all()) add(path, "with what is in force then: " + finding);
    }

    // In a stage: what a new plane is put on must be there by then.
    void checkPutOn(const std::string& path, const BodySettings& body, std::size_t stage) {
        const auto* plane = std::get_if<Plane>(&body.kind);
        if (plane != nullptr && plane->on) checkGroupOfBodies(path + ".on", *plane->on, stage);
    }
    void checkGroup(const std::string& path, const std::string& group, std::size_t stage) {
        std::vector<std::string> names;
        for (const SourceSettings& source : scene_.sources) names.push_back(source.group.value_or(""));
        for (const BodySettings& body : scene_.bodies) names.push_back(body.group.value_or(""));
        for (std::size_t k = 0; k < stage; ++k) {
            for (const BodySettings& body : scene_.stages[k].bodies) names.push_back(body.group.value_or(""));
        }
        if (std::find(names.begin(), names.end(), group) != names.end()) return;
        add(path, fmt::format("there is no group {} before this stage{}", inQuotes(group), didYouMean(group, names)));
    }

    // A group that has more than walls before this stage.
    void checkGroupOfBodies(const std::string& path, const std::string& group, std::size_t stage) {
        checkGroup(path, group, stage);
        bool anyWall = false, anyOther = false;
        for (const SourceSettings& source : scene_.sources) anyOther = anyOther || source.group == group;
        const auto look = [&](const std::vector<BodySettings>& bodies) {
            for (const BodySettings& body : bodies) {
                if (body.group == group) (isWallKind(body.kind) ? anyWall : anyOther) = true;
            }
        };
        look(scene_.bodies);
        for (std::size_t k = 0; k < stage; ++k) look(scene_.stages[k].bodies);
        if (anyWall && !anyOther) {
            add(path, fmt::format("the group {} has only walls; name one of grains or other bodies", inQuotes(group)));
        }
    }

    // Bodies that joints hold cannot be taken out.
    void checkUnjoined(const std::string& path, const std::string& group) {
        for (const BodySettings& body : scene_.bodies) {
            if (!body.name || body.group != group) continue;
            for (const JointSettings& joint : scene_.joints) {
                if (joint.between[0] != *body.name && joint.between[1] != *body.name) continue;
                add(path, fmt::format("{} is held by the joint {}", inQuotes(*body.name), inQuotes(joint.name)));
            }
        }
    }

    void checkChange(const std::string& path, const GroupChange& change, std::size_t stage) {
        checkGroup(path + ".group", change.group, stage);
        const int kinds = (change.fixed ? 1 : 0) + (change.motion ? 1 : 0) + (change.free ? 1 : 0);
        if (kinds > 1) add(path, "give only one of 'fixed', 'motion' and 'free'");
        if (kinds == 0 && !change.force && !change.on) {
            add(path, "says no change: give 'on', 'fixed', 'motion', 'free' or 'force'");
        }
        if (change.on) checkLetDown(path, change, stage);
        if (change.velocity) {
            if (change.free) {
                add(path + ".velocity", "stands within 'free' for bodies in a guide: free: {velocity: [x, y, z]}");
            } else if (change.fixed.value_or(true)) {
                add(path + ".velocity", "is that of bodies that are let go: fixed: false");
            }
            checkInPlane(path, *change.velocity);
        }
        if (change.force) {
            motions_.checkForceLaw(path + ".force", *change.force);
            if (change.motion || change.fixed.value_or(false)) {
                add(path + ".force", "has no effect on a body that is held or moves as prescribed");
            }
        }
        if (change.motion) {
            motions_.checkMotion(path + ".motion", *change.motion);
        }
        bool hasWall = false;
        forEachEntry(change.group, stage,
                     [&](const BodySettings& body) { hasWall = hasWall || isWallKind(body.kind); });
        forEachEntry(change.group, stage, [&](const BodySettings& body) {
            const bool wall = isWallKind(body.kind);
            if (change.motion) motions_.checkMotionOf(path + ".motion", *change.motion, body.kind);
            if (change.free) motions_.checkFreeOf(path + ".free", *change.free, body.kind);
            if (change.free && wall != hasWall) {
                add(path + ".free", "means different things for the walls and other bodies of this group; divide it");
            }
            if (change.fixed && !*change.fixed && wall) {
                add(path + ".fixed", "a wall moves freely only if it has a mass (free: {mass: ...})");
            }
            if (wall) checkChangeOfSleeve(path, change, body.kind);
            if (change.fixed && !*change.fixed && hasSleeve_ && isSolidKind(body.kind)) {
                add(path + ".fixed", "a sleeve confines spheres only; hold these bodies, or use a drum");
            }
            const auto* mesh = std::get_if<SolidBody<Mesh>>(&body.kind);
            if (change.fixed && !*change.fixed && mesh != nullptr && mesh->form.surface) {
                add(path + ".fixed", "an open surface has no mass and must be held");
            }
        });
    }

    void checkLetDown(const std::string& path, const GroupChange& change, std::size_t stage) {
        checkGroupOfBodies(path + ".on", *change.on, stage);
        if (norm(sceneInStage(scene_, stage).gravity) == 0) add(path + ".on", "needs gravity, along which to go down");
        forEachEntry(change.group, stage, [&](const BodySettings& body) {
            if (isWallKind(body.kind)) add(path + ".on", "walls stay where they are; new planes have a key 'on' too");
        });
    }

    void checkChangeOfSleeve(const std::string& path, const GroupChange& change, const BodyKind& kind) {
        if (!isSleeve(kind)) return;
        if (change.free) add(path + ".free", "a sleeve is one wall per ring and cannot be free; use a drum");
        if (change.force) add(path + ".force", "a sleeve is one wall per ring and bears no force; use a drum");
    }

    MotionCheck motions_;
};

}  // namespace

void checkStages(const Scene& scene, Problems& problems) {
    StageRules rules(scene, problems);
    for (std::size_t k = 0; k < scene.stages.size(); ++k) rules.checkStage(indexed("stages", k), k);
}

}  // namespace talus
