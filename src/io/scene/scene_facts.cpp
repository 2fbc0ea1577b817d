// What follows from the settings of a scene: see scene_rules.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "build/generators.hpp"
#include "io/scene/contact_kinds.hpp"
#include "io/scene/scene_fields.hpp"

namespace talus {
namespace {

// Held and guided solids act as walls and are weighed like them: the forces on each shape are a group of their own.
template <class Kind>
constexpr bool isSolidBody = false;
template <class Form>
constexpr bool isSolidBody<SolidBody<Form>> = true;

std::string defaultGroup(const BodySettings& body) {
    return std::visit(
        [&]<class Kind>(const Kind&) {
            const bool isWallLike = isWallKind(body.kind) || (isSolidBody<Kind> && (*body.fixed || body.free));
            return isWallLike ? std::string(tagOf<Kind>.value) : std::string("grains");
        },
        body.kind);
}

bool isBetween(const PairSettings& pair, const std::string& a, const std::string& b) {
    const auto& [first, second] = pair.between;
    return (first == a && second == b) || (first == b && second == a);
}

}  // namespace

bool isGenerated(const BodyKind& kind) {
    return std::visit([]<class Kind>(const Kind&) { return tagOf<Kind>.key == "generate"; }, kind);
}

bool isPlainName(const std::string& name) {
    const auto isPlain = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; };
    return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), isPlain);
}

bool hasElasticContacts(const Scene& scene) {
    if (scene.method == Method::quasiStatic) return true;
    return scene.method == Method::contactDynamics && scene.contactDynamics.contacts == ContactKind::elastic;
}

bool hasYieldingContacts(const Scene& scene) {
    const bool isElastic = scene.method == Method::contactDynamics && hasElasticContacts(scene);
    return isElastic && hasYielding(materialsOf(scene));
}

ContactMemory memoryOf(const Scene& scene) {
    if (scene.method == Method::penalty) return SpringMemory{};
    if (!hasElasticContacts(scene)) return RigidMemory{};
    if (hasYieldingContacts(scene)) return YieldingMemory{};
    return ElasticMemory{};
}

bool hasDilation(const Scene& scene) {
    return scene.method == Method::contactDynamics && hasDilation(materialsOf(scene));
}

// Pairs that name no material are left out; others tell of them.
MaterialTable materialsOf(const Scene& scene) {
    MaterialTable table{.law = scene.contactLaw};
    for (const auto& [name, settings] : scene.materials) table.list.push_back({name, settings});
    for (const PairSettings& pair : scene.pairs) {
        const auto& [first, second] = pair.between;
        if (!scene.materials.contains(first) || !scene.materials.contains(second)) continue;
        table.pairs.push_back({materialIndex(scene, first), materialIndex(scene, second), pair.contact});
    }
    return table;
}

std::uint16_t materialIndex(const Scene& scene, const std::string& name) {
    return static_cast<std::uint16_t>(std::distance(scene.materials.begin(), scene.materials.find(name)));
}

std::string pathOfContacts(const Scene& scene, const std::string& a, const std::string& b) {
    for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
        if (isBetween(scene.pairs[k], a, b)) return indexed("pairs", k);
    }
    return a == b ? joined("materials", a) : fmt::format("pairs[{}, {}]", a, b);
}

std::string directionFault(const Vec3& direction) {
    const double length = norm(direction);
    const bool isSound = length > 1e-100 && length < 1e100;
    return isSound ? "" : "a direction must not be zero, nor of absurd length";
}

void completeScene(Scene& scene) {
    const auto fillMaterial = [&](std::optional<std::string>& material) {
        if (!material && scene.materials.size() == 1) material = scene.materials.begin()->first;
    };
    const auto fillBody = [&](BodySettings& body) {
        fillMaterial(body.material);
        if (!body.fixed) body.fixed = (isWallKind(body.kind) && !body.free) || body.motion.has_value();
        if (!body.group) body.group = defaultGroup(body);
        auto* lattice = std::get_if<LatticeBodies>(&body.kind);
        if (lattice != nullptr && !lattice->spacing && lattice->radius && lattice->grains.empty()) {
            lattice->spacing = 2 * *lattice->radius;
        }
    };
    for (BodySettings& body : scene.bodies) fillBody(body);
    double allStages = 0;
    for (StageSettings& stage : scene.stages) {
        for (BodySettings& body : stage.bodies) fillBody(body);
        allStages += stage.time;
    }
    if (scene.run.time == 0) scene.run.time = allStages;
    for (SourceSettings& source : scene.sources) {
        fillMaterial(source.material);
        if (!source.group) source.group = "grains";
    }
}

}  // namespace talus
