// What is no mistake but may surprise. The same scene runs with both methods by switching `method` alone, so the keys
// of the other method are welcome; but whoever forgot to switch should be told. So should whoever turns a knob of
// another solver; one at its default, as `talus validate` prints it, is none that was turned.
#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <set>

#include "io/scene/field_reader.hpp"
#include "io/scene/generators.hpp"
#include "io/scene/problems.hpp"
#include "talus/scene.hpp"

namespace talus {
namespace {

// The first key of a section that the scene gives, or "".
template <class Settings>
std::string firstGivenKey(const SceneSource& source, const std::string& section) {
    KeyCollector keys;
    Settings settings;
    fields(keys, settings);
    for (const std::string& key : keys.all) {
        std::string path = joined(section, key);
        if (source.lines.contains(path)) return path;
    }
    return "";
}

// Where a material or a pair gives this key, or "".
std::string firstMaterialWith(const Scene& scene, const SceneSource& source, const std::string& key) {
    for (const auto& [name, material] : scene.materials) {
        std::string path = joined(joined("materials", name), key);
        if (source.lines.contains(path)) return path;
    }
    for (std::size_t k = 0; k < scene.pairs.size(); ++k) {
        std::string path = joined(indexed("pairs", k), key);
        if (source.lines.contains(path)) return path;
    }
    return "";
}

// Some material, at least.
bool hasFriction(const Scene& scene) {
    const auto rubs = [](const auto& entry) { return entry.second.contact.friction > 0; };
    return scene.contactLaw.kinds.tangential != TangentialLaw::none &&
           std::any_of(scene.materials.begin(), scene.materials.end(), rubs);
}

class ContactDynamicsNotes {
public:
    ContactDynamicsNotes(const Scene& scene, const SceneSource& source)
        : source_(source), settings_(scene.contactDynamics), hasFriction_(talus::hasFriction(scene)) {}

    std::vector<std::string> all() {
        const bool isCompatible = settings_.forces == ForceRule::compatible;
        const bool inTwoSteps = isCompatible && !hasFriction_;
        check("compatible_method", &ContactDynamicsSettings::compatibleMethod, inTwoSteps,
              isCompatible ? "contacts that are all free of friction" : "forces: compatible");
        if (isCompatible && hasFriction_) {
            notes_.push_back(findingAt(
                source_, "contact_dynamics.forces",
                "the two-step form is for contacts without friction; where there is friction, forces come from "
                "the one-step form and depend on how the load grew (docs/compatible-forces.md)"));
        }
        // auto takes Gauss-Seidel or APGD where they suit.
        check("sweep", &ContactDynamicsSettings::sweep, solvesBy({SolverKind::gaussSeidel, SolverKind::automatic}),
              "solver: gauss-seidel");
        check("relaxation", &ContactDynamicsSettings::relaxation, solvesBy({SolverKind::jacobi}), "solver: jacobi");
        check("gradient_scaling", &ContactDynamicsSettings::gradientScaling,
              solvesBy({SolverKind::apgd, SolverKind::spg, SolverKind::automatic}), "solver: apgd or spg");
        return notes_;
    }

private:
    bool solvesBy(std::initializer_list<SolverKind> kinds) const {
        // Where none is named it depends on the bodies, which auto stands for.
        const SolverKind solver = settings_.solver.value_or(SolverKind::automatic);
        return std::find(kinds.begin(), kinds.end(), solver) != kinds.end();
    }

    template <class Value>
    void check(const std::string& key, Value ContactDynamicsSettings::*member, bool isUsed, const std::string& needed) {
        const std::string path = joined("contact_dynamics", key);
        const bool isDefault = settings_.*member == ContactDynamicsSettings{}.*member;
        if (isUsed || isDefault || !source_.lines.contains(path)) return;
        notes_.push_back(findingAt(source_, path, "has no effect without " + needed));
    }

    const SceneSource& source_;
    const ContactDynamicsSettings& settings_;
    bool hasFriction_;
    std::vector<std::string> notes_;
};

// Whether the scene or one of its stages has this method.
bool uses(const Scene& scene, Method method) {
    const auto has = [&](const StageSettings& stage) { return stage.method == method; };
    return scene.method == method || std::any_of(scene.stages.begin(), scene.stages.end(), has);
}

// Values of contacts that belong to a part of the contact law that is not chosen.
void addLawNotes(const Scene& scene, const SceneSource& source, std::vector<std::string>& notes) {
    const LawKinds& kinds = scene.contactLaw.kinds;
    const auto check = [&](const char* key, double ContactProperties::*value, bool isUsed, const char* needed) {
        const auto turned = [&](const auto& entry) {
            return entry.second.contact.*value != ContactProperties{}.*value;
        };
        if (isUsed || std::none_of(scene.materials.begin(), scene.materials.end(), turned)) return;
        const std::string path = firstMaterialWith(scene, source, key);
        if (!path.empty()) notes.push_back(findingAt(source, path, fmt::format("has no effect without {}", needed)));
    };
    const bool byWork = kinds.cohesion == CohesionLaw::dmt || kinds.cohesion == CohesionLaw::jkr;
    check("stiffness", &ContactProperties::stiffness, kinds.normal == NormalLaw::hooke, "contact_law.normal: hooke");
    check("cohesion_force", &ContactProperties::cohesionForce, kinds.cohesion == CohesionLaw::constant,
          "contact_law.cohesion: constant");
    check("adhesion_work", &ContactProperties::adhesionWork, byWork, "contact_law.cohesion: dmt or jkr");
    check("rolling_friction", &ContactProperties::rollingFriction, kinds.rolling != RollingLaw::none,
          "contact_law.rolling");
    check("viscosity", &ContactProperties::viscosity, scene.contactLaw.damping == DampingLaw::viscous,
          "contact_law.damping: viscous");
}

// Nothing moves across the plane of a planar scene, and nothing can press that way.
void addPlanarNotes(const Scene& scene, const SceneSource& source, std::vector<std::string>& notes) {
    const int across = acrossAxis(scene.planar);
    if (across < 0) return;
    const char axis = "xyz"[across];
    if (scene.gravity[across] != 0) {
        notes.push_back(findingAt(
            source, "gravity", fmt::format("its part along {} has no effect: nothing moves across the plane", axis)));
    }
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
        const auto* plane = std::get_if<Plane>(&scene.bodies[k].kind);
        if (plane == nullptr || plane->normal[across] == 0) continue;
        notes.push_back(
            findingAt(source, indexed("bodies", k) + ".normal",
                      fmt::format("its part along {} points out of the plane, in which all bodies move", axis)));
    }
}

// A material that was misspelt when it was to be changed is a new one.
void addNotesOnUnusedMaterials(const Scene& scene, const SceneSource& source, std::vector<std::string>& notes) {
    std::set<std::string> used;
    const auto use = [&](const auto& entries) {
        for (const auto& entry : entries) used.insert(entry.material.value_or(scene.materials.begin()->first));
    };
    use(scene.bodies);
    use(scene.sources);
    for (const StageSettings& stage : scene.stages) use(stage.bodies);
    for (const auto& [name, material] : scene.materials) {
        if (!used.contains(name))
            notes.push_back(findingAt(source, joined("materials", name), "nothing is made of it"));
    }
}

}  // namespace

std::vector<std::string> sceneNotes(const Scene& scene) {
    std::vector<std::string> notes;
    const SceneSource source = scene.source ? *scene.source : SceneSource{};
    addNotesOnUnusedMaterials(scene, source, notes);
    addPlanarNotes(scene, source, notes);
    addLawNotes(scene, source, notes);
    if (!uses(scene, Method::quasiStatic)) {
        if (const std::string key = firstGivenKey<QuasiStaticSettings>(source, "quasi_static"); !key.empty()) {
            notes.push_back(findingAt(source, key, "like all of quasi_static, needs method: quasi-static"));
        }
    }
    if (scene.method == Method::contactDynamics && scene.contactDynamics.contacts == ContactKind::rigid) {
        if (const std::string path = firstMaterialWith(scene, source, "dilation_angle"); !path.empty()) {
            notes.push_back(findingAt(source, path,
                                      "rigid contacts open at this angle within a step and close in the next, and may "
                                      "have no solution where they are wedged; with contact_dynamics.contacts: "
                                      "elastic they ride up, and there always is one"));
        }
    }
    if (uses(scene, Method::contactDynamics) || uses(scene, Method::quasiStatic)) {
        const std::vector<std::string> more = ContactDynamicsNotes(scene, source).all();
        notes.insert(notes.end(), more.begin(), more.end());
        return notes;
    }
    if (const std::string key = firstGivenKey<ContactDynamicsSettings>(source, "contact_dynamics"); !key.empty()) {
        notes.push_back(findingAt(source, key, "like all of contact_dynamics, has no effect with method: penalty"));
    }
    for (const char* key : {"damping_time", "damping_rate", "rounding", "rounding_stress", "cap", "cap_stress",
                            "cohesion_stress", "bond_stretch", "dilation_angle"}) {
        if (const std::string path = firstMaterialWith(scene, source, key); !path.empty()) {
            notes.push_back(findingAt(source, path, "has no effect with method: penalty"));
        }
    }
    if (scene.output.problems > 0) {
        notes.push_back(findingAt(source, "output.problems", "nothing is saved: method: penalty solves no problems"));
    }
    return notes;
}

}  // namespace talus
