// The field lists: every setting of a scene with its key, unit, range and meaning. Defaults stand in the structs.
//
// To add a setting: add a member to its struct in talus/scene.hpp and one line to the field list of its topic
// (fields/). Reader, writer, schema and reference page follow. Rules between several settings are in *_rules.cpp.
#pragma once

#include "io/scene/fields/body_fields.hpp"
#include "io/scene/fields/contact_dynamics_fields.hpp"
#include "io/scene/fields/joint_fields.hpp"
#include "io/scene/fields/material_fields.hpp"
#include "io/scene/fields/run_fields.hpp"
#include "io/scene/fields/space_fields.hpp"

namespace talus {

template <>
struct EnumNames<Method> {
    static constexpr std::array<std::string_view, 3> names{"penalty", "contact-dynamics", "quasi-static"};
};

// Defined in io/scene/stage_fields.hpp.
template <class V>
void fields(V& v, StageSettings& s);

template <class V>
void fields(V& v, Scene& s) {
    v({"name", "Short name of the scene; results go into out/NAME."}, s.name);
    v({"description", "What it shows."}, s.description);
    v({"method",
       "How contacts are treated: penalty (soft contacts, short explicit steps), contact-dynamics (rigid contacts, "
       "long steps, each with a problem to solve) or quasi-static (elastic contacts in equilibrium, no inertia)."},
      s.method);
    v({"seed", "Of all random numbers.", unit::number, bounds::nonNegative}, s.seed);
    v({"gravity", "Acceleration of gravity.", unit::acceleration, speedRange}, s.gravity);
    v({"planar", "Plane to which all motion is restricted."}, s.planar);
    v({"domain", "The space of the scene; unbounded if not given. A grain that leaves it stops the run."}, s.domain);
    v({"materials", "Materials by name.", unit::number, bounds::anyValue, Need::required}, s.materials);
    v({"pairs", "What differs between two materials from the values mixed of both."}, s.pairs);
    v({"contact_law", "The law of every contact."}, s.contactLaw);
    v({"contact_dynamics", "How contacts are solved, method: contact-dynamics and quasi-static."}, s.contactDynamics);
    v({"quasi_static", "How equilibrium is found, method: quasi-static."}, s.quasiStatic);
    v({"bodies", "Bodies one by one (shape) or many at once (generate)."}, s.bodies);
    v({"joints", "What connects two bodies, or a body and the world; not with method: quasi-static."}, s.joints);
    v({"sources", "Regions where grains are poured in."}, s.sources);
    v({"sinks", "Regions where grains are taken out."}, s.sinks);
    v({"run", "How long and how to run."}, s.run);
    v({"measure", "What to measure beyond the energies."}, s.measure);
    v({"output", "What to write and how often."}, s.output);
    v({"stages", "Parts of the run one after the other, each with what it changes; see docs/stages.md."}, s.stages);
}

}  // namespace talus
