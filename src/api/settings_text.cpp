#include "talus/settings_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "io/scene/field_reader.hpp"
#include "io/scene/field_writer.hpp"
#include "io/scene/scene_fields.hpp"
#include "talus/error.hpp"
#include "talus/suggest.hpp"

namespace talus {

// --- the field lists of what programs have and scenes have not -----------------------------------------------------

template <class V>
void fields(V& v, WorldSettings& w) {
    v({"gravity", "Acceleration of gravity.", unit::acceleration, speedRange}, w.gravity);
    v({"planar", "Plane to which all motion is restricted."}, w.planar);
    v({"domain", "The space of the world; unbounded if not given."}, w.domain);
    v({"seed", "Of all random numbers.", unit::number, bounds::nonNegative}, w.seed);
    v({"contact_law", "The law of every contact."}, w.contactLaw);
    v({"skin", "How far neighbour lists look beyond contact; 0: chosen.", unit::length, bounds::nonNegative}, w.skin);
}

template <class V>
void fields(V& v, MaterialProperties& m) {
    v({"name", "For messages and files."}, m.name);
    v({"density", "Mass per volume of the solid grain.", unit::density, {.low = 1e-6, .high = 1e12}}, m.density);
    v({"youngs_modulus", "Young's modulus.", unit::pressure, {.low = 1e-3, .high = 1e15}}, m.youngsModulus);
    v({"poisson_ratio", "Poisson's ratio.", unit::number, {.low = -1, .high = 0.5, .openLow = true}}, m.poissonRatio);
    contactFields(v, m);
}

template <class V>
void stepField(V& v, std::optional<double>& step) {
    AutoValue given{step};
    v({"step", "Length of a step; auto: chosen.", unit::time, bounds::positive}, given);
    step = given.value;
}

template <>
inline constexpr Tag tagOf<Penalty>{"method", "penalty", "Soft contacts, short explicit steps."};
template <>
inline constexpr Tag tagOf<ContactDynamics>{"method", "contact-dynamics", "Rigid contacts, long steps."};
template <>
inline constexpr Tag tagOf<QuasiStatic>{"method", "quasi-static", "Equilibrium, no inertia."};

template <class V>
void fields(V& v, Penalty& p) {
    stepField(v, p.step);
    v({"step_fraction", "Of the shorter of the Rayleigh and contact times.", unit::number, bounds::positive},
      p.stepFraction);
}

template <class V>
void fields(V& v, QuasiStatic& q) {
    stepField(v, q.step);
    v({"equilibrium", "How equilibrium is found."}, q.equilibrium);
    v({"solving", "Of the contact problems on the way."}, q.solving);
}

template <class V>
void fields(V& v, StepperSettings& s) {
    v({"horizon", "Time that a chosen step divides into whole ones.", unit::time, bounds::positive}, s.horizon);
    v({"max_overlap", "Of the smaller radius: a step that ends deeper is refused.", unit::number, bounds::positive},
      s.maxOverlap);
    v({"energy_ledger", "Count energies by mechanism."}, s.energyLedger);
    v({"track_spheres", "Turn the orientations of spheres, which no force depends on."}, s.trackSpheres);
}

namespace {

// Scenes have the step of contact dynamics elsewhere, so that its own list has none.
void readStepOf(const YamlNode& root, const ReadContext& context, ContactDynamics& method, YamlNode& rest) {
    rest = root;
    for (std::size_t k = 0; k < rest.keys.size(); ++k) {
        if (rest.keys[k].text != "step") continue;
        ReadContext inner = context.at(joined(context.path, "step"));
        inner.info = {.key = "step", .unit = unit::time, .range = bounds::positive};
        AutoValue step;
        read(rest.items[k], inner, step);
        method.step = step.value;
        rest.keys.erase(rest.keys.begin() + static_cast<long>(k));
        rest.items.erase(rest.items.begin() + static_cast<long>(k));
        return;
    }
}

template <class Settings>
void readAll(const YamlNode& root, const ReadContext& context, Settings& settings) {
    read(root, context, settings);
}

void readAll(const YamlNode& root, const ReadContext& context, StepMethod& method) {
    const YamlNode* tag = root.kind == YamlNode::Kind::map ? root.find("method") : nullptr;
    if (tag == nullptr || tag->text != tagOf<ContactDynamics>.value) return read(root, context, method);
    ContactDynamics step;
    YamlNode rest;
    readStepOf(root, context, step, rest);
    read(rest, context, method);
    if (auto* dynamics = std::get_if<ContactDynamics>(&method)) dynamics->step = step.step;
}

Json allOf(StepMethod& method) {
    Json all = FieldWriter::toJson(method);
    if (const auto* dynamics = std::get_if<ContactDynamics>(&method)) {
        all["step"] = dynamics->step ? Json(*dynamics->step) : Json("auto");
    }
    return all;
}
template <class Settings>
Json allOf(Settings& settings) {
    return FieldWriter::toJson(settings);
}

}  // namespace

template <class Settings>
Settings parseSettings(const std::string& text, const std::string& path) {
    SceneSource source;
    Problems problems(source);
    Settings settings;
    readAll(parseYaml(text, path), ReadContext{path, {}, problems, source}, settings);
    problems.throwIfAny();
    return settings;
}

template <class Settings>
std::string settingsAsJson(const Settings& settings) {
    Settings copy = settings;
    return allOf(copy).dump();
}

#define TALUS_SETTINGS(Settings)                                                       \
    template Settings parseSettings<Settings>(const std::string&, const std::string&); \
    template std::string settingsAsJson<Settings>(const Settings&)
TALUS_SETTINGS(WorldSettings);
TALUS_SETTINGS(MaterialProperties);
TALUS_SETTINGS(ContactOverrides);
TALUS_SETTINGS(BodySettings);
TALUS_SETTINGS(Region);
TALUS_SETTINGS(MotionLaw);
TALUS_SETTINGS(ForceLaw);
TALUS_SETTINGS(JointSettings);
TALUS_SETTINGS(SourceSettings);
TALUS_SETTINGS(SinkSettings);
TALUS_SETTINGS(StepMethod);
TALUS_SETTINGS(StepperSettings);
#undef TALUS_SETTINGS

double parseQuantityOf(const std::string& text, const std::string& quantity) {
    static constexpr std::array units{
        unit::number,    unit::length,          unit::time,      unit::velocity, unit::acceleration,
        unit::angle,     unit::angularVelocity, unit::mass,      unit::force,    unit::torque,
        unit::frequency, unit::pressure,        unit::energy,    unit::density,  unit::area,
        unit::volume,    unit::power,           unit::stiffness, unit::damping,  unit::inertia};
    const auto found = std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.name == quantity; });
    if (found == units.end()) {
        std::vector<std::string> names;
        for (const Unit& u : units) names.emplace_back(u.name);
        throw InputError(fmt::format("there is no quantity '{}'{}", quantity, didYouMean(quantity, names)));
    }
    try {
        return parseQuantity(text, *found);
    } catch (const InputError& error) {
        throw InputError(fmt::format("{} {}; {} (e.g. \"{}\") is wanted", inQuotes(text), error.what(),
                                     withArticle(found->name), found->example));
    }
}

}  // namespace talus
