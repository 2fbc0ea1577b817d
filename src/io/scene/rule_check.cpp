#include "io/scene/rule_check.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/scene/generators.hpp"
#include "io/scene/scene_rules.hpp"
#include "talus/suggest.hpp"

namespace talus {
namespace {

bool anySleeve(const Scene& scene) {
    const auto anyIn = [](const std::vector<BodySettings>& bodies) {
        return std::any_of(bodies.begin(), bodies.end(), [](const BodySettings& b) { return isSleeve(b.kind); });
    };
    return anyIn(scene.bodies) || std::any_of(scene.stages.begin(), scene.stages.end(),
                                              [&](const StageSettings& stage) { return anyIn(stage.bodies); });
}

}  // namespace

RuleCheck::RuleCheck(const Scene& scene, Problems& problems)
    : scene_(scene), problems_(problems), hasSleeve_(anySleeve(scene)) {}

void RuleCheck::checkName(const std::string& path, const std::string& name) {
    if (isPlainName(name)) return;
    add(path, fmt::format("a name has up to 64 letters, digits, '_' and '-', got {}", inQuotes(name)));
}

void RuleCheck::checkDirection(const std::string& path, const Vec3& direction) {
    if (const std::string fault = directionFault(direction); !fault.empty()) add(path, fault);
}

void RuleCheck::checkBox(const std::string& path, const BoxRegion& box) {
    for (int axis = 0; axis < 3; ++axis) {
        const bool isFlat = box.low[axis] == box.high[axis] && axis == acrossAxis(scene_.planar);
        if (box.low[axis] < box.high[axis] || isFlat) continue;
        add(path, fmt::format("low must be below high along {}, got {} and {} m", "xyz"[axis], box.low[axis],
                              box.high[axis]));
    }
}

void RuleCheck::checkMaterialName(const std::string& path, const std::string& name) {
    if (scene_.materials.contains(name)) return;
    std::vector<std::string> names;
    for (const auto& [known, material] : scene_.materials) names.push_back(known);
    add(path, fmt::format("there is no material {}{}", inQuotes(name), didYouMean(name, names)));
}

void RuleCheck::checkMaterial(const std::string& path, const std::optional<std::string>& name) {
    if (name) return checkMaterialName(path + ".material", *name);
    if (!scene_.materials.empty()) add(path, "the key 'material' is missing; there are several materials");
}

void RuleCheck::checkTimes(const std::string& path, const std::vector<double>& time) {
    for (std::size_t k = 1; k < time.size(); ++k) {
        if (time[k] > time[k - 1]) continue;
        add(indexed(path, k), fmt::format("times must increase, got {} s after {} s", time[k], time[k - 1]));
    }
}

void RuleCheck::checkInPlane(const std::string& path, const Vec3& velocity) {
    if (const std::string fault = velocityFault(scene_.planar, velocity); !fault.empty()) {
        add(path + ".velocity", fault);
    }
}

bool isSleeve(const BodyKind& kind) { return std::holds_alternative<Sleeve>(kind); }

}  // namespace talus
