#include "io/scene/scene_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <type_traits>

#include "io/scene/body_rules.hpp"
#include "io/scene/joint_rules.hpp"
#include "io/scene/method_rules.hpp"
#include "io/scene/rule_check.hpp"
#include "io/scene/stage_rules.hpp"
#include "laws/pair_law.hpp"

namespace talus {
namespace {

constexpr std::size_t longestTitle = 200;  // file systems take 255 bytes; -2, -3, ... may follow

template <class Kind, class... Others>
constexpr bool isOneOf = (std::is_same_v<Kind, Others> || ...);

// Space, materials, measurements and the run; what else there is has rules of its own.
class SceneRules : public RuleCheck {
public:
    using RuleCheck::RuleCheck;

    void checkAll() {
        checkTitle();
        checkSpace();
        checkMaterials();
        checkPairs();
        if (scene_.bodies.empty() && scene_.sources.empty()) add("bodies", "the scene has no bodies and no sources");
        checkBodies(scene_, "bodies", scene_.bodies, problems_);
        checkSources(scene_, "sources", scene_.sources, problems_);
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
    // Results go into out/NAME.
    void checkTitle() {
        const std::string& name = scene_.name;
        const auto isUnfit = [](unsigned char c) { return c == '/' || c < ' ' || c == 127; };
        const bool unfit = std::any_of(name.begin(), name.end(), isUnfit) || name == "." || name == "..";
        if (unfit) add("name", fmt::format("is the name of a folder for results, without '/', got {}", inQuotes(name)));
        if (name.size() > longestTitle)
            add("name", fmt::format("must have at most {} bytes, got {}", longestTitle, name.size()));
    }

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

    // What cuts a region must stand across an axis and be flat there.
    void checkCut(const std::string& path, const std::string& group) {
        bool any = false;
        forEachEntry(group, scene_.stages.size(), [&](const BodySettings& body) {
            any = true;
            if (const auto* plane = std::get_if<Plane>(&body.kind)) {
                const Vec3& n = plane->normal;
                const double along = std::max({std::abs(n.x), std::abs(n.y), std::abs(n.z)});
                if (along < (1 - 1e-9) * norm(n)) add(path, "a plane that cuts a region must stand across x, y or z");
            } else if (const auto* container = std::get_if<Container>(&body.kind)) {
                if (container->rotation != Vec3{}) add(path, "a container that cuts a region must not be turned");
            } else if (!isPlate(body)) {
                add(path, "planes, containers and plates cut a region: convex solids that are held, moved or guided");
            }
        });
        if (!any) add(path, fmt::format("there is no group {}", inQuotes(group)));
    }

    // A single convex body. While it is free it is a grain and cuts nothing.
    bool isPlate(const BodySettings& body) const {
        const bool convex = std::visit(
            []<class Kind>(const Kind&) {
                return !isOneOf<Kind, SolidBody<Mesh>, SolidBody<Clump>, SolidBody<Compound>, SolidBody<Surface>,
                                SolidBody<Outline>, Drum, Sleeve>;
            },
            body.kind);
        return convex && !isGenerated(body.kind);
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
            for (std::size_t j = 0; j < scene_.measure.regions[k].between.size(); ++j) {
                checkCut(indexed(path + ".between", j), scene_.measure.regions[k].between[j]);
            }
        }
        for (std::size_t k = 0; k < scene_.measure.planes.size(); ++k) {
            const std::string path = indexed("measure.planes", k);
            checkUnique(path, scene_.measure.planes[k].name);
            checkDirection(path + ".normal", scene_.measure.planes[k].normal);
            const auto& window = scene_.measure.planes[k].window;
            if (window && !((*window)[0] < (*window)[1])) {
                add(path + ".window",
                    fmt::format("must end after it begins, got {} and {} s", (*window)[0], (*window)[1]));
            }
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
