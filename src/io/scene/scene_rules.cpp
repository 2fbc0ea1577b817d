#include "io/scene/scene_rules.hpp"

#include <fmt/format.h>

#include <map>
#include <set>

#include "io/scene/body_rules.hpp"
#include "io/scene/joint_rules.hpp"
#include "io/scene/method_rules.hpp"
#include "io/scene/rule_check.hpp"
#include "io/scene/stage_rules.hpp"
#include "laws/pair_law.hpp"

namespace talus {
namespace {

// Space, materials, measurements and the run; what else there is has rules of its own.
class SceneRules : public RuleCheck {
public:
    using RuleCheck::RuleCheck;

    void checkAll() {
        checkSpace();
        checkMaterials();
        checkPairs();
        if (scene_.bodies.empty() && scene_.sources.empty()) add("bodies", "the scene has no bodies and no sources");
        for (std::size_t k = 0; k < scene_.bodies.size(); ++k) {
            checkBody(scene_, indexed("bodies", k), scene_.bodies[k], problems_);
        }
        for (std::size_t k = 0; k < scene_.sources.size(); ++k) {
            checkSource(scene_, indexed("sources", k), scene_.sources[k], problems_);
        }
        for (std::size_t k = 0; k < scene_.sinks.size(); ++k) {
            checkBox(indexed("sinks", k) + ".region", scene_.sinks[k].region);
        }
        checkJoints(scene_, problems_);
        checkMeasurements();
        checkRun();
        checkMethod(scene_, problems_);
        checkStages(scene_, problems_);
    }

private:
    void checkSpace() {
        if (!scene_.domain) return;
        checkBox("domain", {scene_.domain->low, scene_.domain->high});
        const std::vector<Axis>& periodic = scene_.domain->periodic;
        if (std::set(periodic.begin(), periodic.end()).size() != periodic.size()) {
            add("domain.periodic", "an axis is given twice");
        }
    }

    void checkRestitution(const std::string& path, double restitution) {
        if (scene_.method != Method::penalty) return;
        if (scene_.contactLaw.damping != DampingLaw::restitution || restitution >= smallestRestitution) return;
        add(path, fmt::format("must be {} to 1, got {}; for stronger damping set contact_law.damping: viscous",
                              smallestRestitution, restitution));
    }

    void checkMaterials() {
        if (scene_.materials.empty()) add("materials", "at least one material is needed");
        for (const auto& [name, material] : scene_.materials) {
            const std::string path = joined("materials", name);
            checkName(path, name);
            checkRestitution(path + ".restitution", material.contact.restitution);
        }
        const LawKinds& kinds = scene_.contactLaw.kinds;
        if (kinds.cohesion == CohesionLaw::jkr && kinds.normal != NormalLaw::hertz) {
            add("contact_law.cohesion", "jkr needs normal: hertz; use dmt or constant with hooke");
        }
    }

    void checkPairs() {
        std::map<std::set<std::string>, std::size_t> seen;
        for (std::size_t k = 0; k < scene_.pairs.size(); ++k) {
            const PairSettings& pair = scene_.pairs[k];
            const std::string path = indexed("pairs", k);
            for (const std::string& name : pair.between) checkMaterialName(path + ".between", name);
            const auto [first, isNew] = seen.emplace(std::set(pair.between.begin(), pair.between.end()), k);
            if (!isNew) add(path + ".between", fmt::format("this pair is already set in pairs[{}]", first->second));
            if (pair.contact.restitution) checkRestitution(path + ".restitution", *pair.contact.restitution);
        }
    }

    void checkMeasurements() {
        std::set<std::string> names;
        const auto checkUnique = [&](const std::string& path, const std::string& name) {
            checkName(path + ".name", name);
            if (!names.insert(name).second) add(path + ".name", fmt::format("{} is used twice", inQuotes(name)));
        };
        for (std::size_t k = 0; k < scene_.measure.regions.size(); ++k) {
            const std::string path = indexed("measure.regions", k);
            checkUnique(path, scene_.measure.regions[k].name);
            checkBox(path, scene_.measure.regions[k].box);
        }
        for (std::size_t k = 0; k < scene_.measure.planes.size(); ++k) {
            const std::string path = indexed("measure.planes", k);
            checkUnique(path, scene_.measure.planes[k].name);
            checkDirection(path + ".normal", scene_.measure.planes[k].normal);
        }
    }

    void checkRun() {
        if (scene_.stages.empty() && scene_.run.time == 0) add("run", "the key 'time' is missing");
        if (!scene_.stages.empty() || scene_.run.time == 0) return;
        if (scene_.run.step.value && *scene_.run.step.value > scene_.run.time) {
            add("run.step",
                fmt::format("must not exceed run.time, {} s, got {} s", scene_.run.time, *scene_.run.step.value));
        }
    }
};

}  // namespace

void checkScene(const Scene& scene, Problems& problems) { SceneRules(scene, problems).checkAll(); }

}  // namespace talus
