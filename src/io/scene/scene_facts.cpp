// What follows from the settings of a scene: see scene_rules.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "build/generators.hpp"
#include "io/scene/contact_kinds.hpp"
#include "io/scene/scene_fields.hpp"
#include "laws/pair_law.hpp"

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
    if (scene.method != Method::contactDynamics || !hasElasticContacts(scene)) return false;
    bool any = scene.contactLaw.kinds.cohesion != CohesionLaw::none || hasDilation(scene);
    forEachContactKind(scene, [&](const std::string&, const ContactProperties& c) { any = any || yields(c); });
    return any;
}

bool hasDilation(const Scene& scene) {
    bool any = false;
    forEachContactKind(scene,
                       [&](const std::string&, const ContactProperties& c) { any = any || c.dilationAngle > 0; });
    return scene.method == Method::contactDynamics && any;
}

ContactProperties contactBetween(const Scene& scene, const std::string& nameA, const std::string& nameB) {
    ContactProperties contact = mix(scene.materials.at(nameA).contact, scene.materials.at(nameB).contact);
    for (const PairSettings& pair : scene.pairs) {
        if (isBetween(pair, nameA, nameB)) applyOverrides(pair.contact, contact);
    }
    return contact;
}

std::string pathOfContacts(const Scene& scene, const std::string& a, const std::string& b) {
    for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
        if (isBetween(scene.pairs[k], a, b)) return indexed("pairs", k);
    }
    return a == b ? joined("materials", a) : fmt::format("pairs[{}, {}]", a, b);
}

void applyOverrides(const ContactOverrides& set, ContactProperties& contact) {
    contact.friction = set.friction.value_or(contact.friction);
    contact.restitution = set.restitution.value_or(contact.restitution);
    contact.stiffness = set.stiffness.value_or(contact.stiffness);
    contact.tangentialRatio = set.tangentialRatio.value_or(contact.tangentialRatio);
    contact.viscosity = set.viscosity.value_or(contact.viscosity);
    contact.rollingFriction = set.rollingFriction.value_or(contact.rollingFriction);
    contact.rollingDamping = set.rollingDamping.value_or(contact.rollingDamping);
    contact.cohesionForce = set.cohesionForce.value_or(contact.cohesionForce);
    contact.adhesionWork = set.adhesionWork.value_or(contact.adhesionWork);
    contact.dampingTime = set.dampingTime.value_or(contact.dampingTime);
    contact.rounding = set.rounding.value_or(contact.rounding);
    contact.cap = set.cap.value_or(contact.cap);
    contact.bondStretch = set.bondStretch.value_or(contact.bondStretch);
    contact.cohesionHardening = set.cohesionHardening.value_or(contact.cohesionHardening);
    contact.roundingHardening = set.roundingHardening.value_or(contact.roundingHardening);
    contact.capHardening = set.capHardening.value_or(contact.capHardening);
    contact.dampingRate = set.dampingRate.value_or(contact.dampingRate);
    contact.cohesionStress = set.cohesionStress.value_or(contact.cohesionStress);
    contact.roundingStress = set.roundingStress.value_or(contact.roundingStress);
    contact.capStress = set.capStress.value_or(contact.capStress);
    contact.dilationAngle = set.dilationAngle.value_or(contact.dilationAngle);
}

bool isWallKind(const BodyKind& kind) {
    return std::holds_alternative<Plane>(kind) || std::holds_alternative<Container>(kind) ||
           std::holds_alternative<Drum>(kind) || std::holds_alternative<Sleeve>(kind);
}

std::string velocityFault(Planar planar, const Vec3& velocity) {
    const int across = acrossAxis(planar);
    if (across < 0 || velocity[across] == 0) return "";
    return fmt::format("leaves the plane of the scene; set {} to 0 instead of {} m/s, or leave out planar: {}",
                       "xyz"[across], velocity[across], EnumNames<Planar>::names[static_cast<std::size_t>(planar)]);
}

std::string directionFault(const Vec3& direction) {
    const double length = norm(direction);
    const bool isSound = length > 1e-100 && length < 1e100;
    return isSound ? "" : "a direction must not be zero, nor of absurd length";
}

std::string spinFault(Planar planar, const Vec3& spin) {
    const int across = acrossAxis(planar);
    if (across < 0) return "";
    for (int axis = 0; axis < 3; ++axis) {
        if (axis == across || spin[axis] == 0) continue;
        return fmt::format(
            "turns a body out of the plane of the scene; set {} to 0 instead of {} rad/s (spins are about {} here), "
            "or leave out planar: {}",
            "xyz"[axis], spin[axis], "xyz"[across], EnumNames<Planar>::names[static_cast<std::size_t>(planar)]);
    }
    return "";
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
