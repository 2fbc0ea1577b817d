// The field lists of stages; see scene_fields.hpp.
#pragma once

#include <algorithm>
#include <any>
#include <string>
#include <unordered_map>

#include "io/scene/scene_fields.hpp"

namespace talus {

template <>
struct EnumNames<Unfinished> {
    static constexpr std::array<std::string_view, 2> names{"error", "continue"};
};

template <class V>
void fields(V& v, ContactOverrides& c) {
    contactFields(v, c);
}

template <class V>
void fields(V& v, StopCondition& c) {
    v({"quantity", "A column of series.csv, such as max_speed or force_z_lid.", unit::number, bounds::anyValue,
       Need::required},
      c.quantity);
    v({"above", "True while the quantity is above this, in its own unit; give this or below."}, c.above);
    v({"below", "True while the quantity is below this, in its own unit; give this or above."}, c.below);
    v({"for", "How long it must have been true.", unit::time, bounds::nonNegative}, c.duration);
}

template <class V>
void fields(V& v, GroupChange& g) {
    v({"group", "The bodies that change.", unit::number, bounds::anyValue, Need::required}, g.group);
    v({"on", "First let a single body down along gravity, until it touches a body of this group."}, g.on);
    v({"fixed", "true holds them where they are; false lets them move freely."}, g.fixed);
    v({"velocity", "Velocity with which they set out, fixed: false; the one they have if not given.", unit::velocity,
       speedRange},
      g.velocity);
    v({"motion", "Prescribed motion from where they are."}, g.motion);
    v({"free", "Makes walls bodies that forces move, and guides single bodies."}, g.free);
    v({"force", "Force on each of them; the times of a table count from the start of the stage.", unit::force,
       forceRange},
      g.force);
}

template <class V>
void fields(V& v, StageSettings& s) {
    v({"name", "Name in the output.", unit::number, bounds::anyValue, Need::required}, s.name);
    v({"time", "How long it lasts, at most if it has conditions.", unit::time, bounds::positive, Need::required},
      s.time);
    v({"until", "Conditions at which it ends, once all are true."}, s.until);
    v({"unfinished",
       "If the time is over before the conditions are met: error ends the run as failed, continue goes "
       "on."},
      s.unfinished);
    v({"check", "Time between looks at the conditions; auto is a thousandth of time.", unit::time, bounds::positive},
      s.check);
    v({"method", "As in the scene."}, s.method);
    v({"step", "As run.step; auto again if the method changes.", unit::time, bounds::positive}, s.step);
    v({"step_fraction", "As run.step_fraction.", unit::number, {.low = 0, .high = 1, .openLow = true}}, s.stepFraction);
    v({"gravity", "As in the scene.", unit::acceleration, speedRange}, s.gravity);
    v({"materials", "What changes in contacts of a material, by name."}, s.materials);
    v({"pairs", "What changes between two materials."}, s.pairs);
    v({"contact_dynamics", "Keys of contact_dynamics that change."}, s.contactDynamics);
    v({"quasi_static", "Keys of quasi_static that change."}, s.quasiStatic);
    v({"output", "Keys of output that change: series, frames, contacts, problems, checkpoint."}, s.output);
    v({"sources_on", "Whether sources pour."}, s.sourcesOn);
    v({"sinks_on", "Whether sinks take out grains."}, s.sinksOn);
    v({"remove", "Groups whose bodies are taken out at the start of the stage, such as a gate."}, s.remove);
    v({"change", "Groups whose bodies are held, moved, freed or loaded from the start of the stage on."}, s.change);
    v({"bodies", "New bodies, as in the scene."}, s.bodies);
}

// Collects where the members of a struct are, by their keys.
class MemberFinder {
public:
    template <class T>
    void operator()(const FieldInfo& info, T& member) {
        found[std::string(info.key)] = &member;
    }
    std::unordered_map<std::string, std::any> found;  // each a pointer
};

// Sets those members whose keys are named.
class MemberSetter {
public:
    MemberSetter(const std::vector<std::string>& keys, const MemberFinder& from) : keys_(keys), from_(from) {}

    template <class T>
    void operator()(const FieldInfo& info, T& member) {
        const std::string key(info.key);
        if (std::find(keys_.begin(), keys_.end(), key) == keys_.end()) return;
        member = *std::any_cast<T*>(from_.found.at(key));
    }

private:
    const std::vector<std::string>& keys_;
    const MemberFinder& from_;
};

template <class Settings>
void applyChanges(Changes<Settings> changes, Settings& settings) {
    MemberFinder from;
    fields(from, changes.values);
    MemberSetter setter(changes.keys, from);
    fields(setter, settings);
}

}  // namespace talus
