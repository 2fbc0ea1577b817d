// What a method (talus/method.hpp) asks of a world and of its steps. Scenes and programs come with one; everything from
// the length of a step to what contacts remember follows from it here.
#pragma once

#include "model/servo.hpp"
#include "step/assembly/convert_memory.hpp"
#include "step/step.hpp"
#include "step/time_step.hpp"
#include "talus/method.hpp"

namespace talus {

inline bool isPenalty(const StepMethod& method) { return std::holds_alternative<Penalty>(method); }

// s, if it is not to be chosen.
inline std::optional<double> givenStep(const StepMethod& method) {
    return std::visit([](const auto& m) { return m.step; }, method);
}

// Springs of Hooke's law that a contact problem solves for.
bool hasElasticContacts(const StepMethod& method);

// Elastic contacts of contact dynamics are damped, hold on or yield if their materials say so; those of other methods
// never do.
inline bool canYield(const StepMethod& method) {
    return std::holds_alternative<ContactDynamics>(method) && hasElasticContacts(method);
}

// What contacts remember, without candidates. `yielding`: by canYield() and their materials.
ContactMemory memoryOf(const StepMethod& method, bool yielding);

// The length of the step, as given or chosen, and why. Chosen ones divide the duration (s).
StepChoice chooseStep(const StepMethod& method, const WorldState& world, double duration);

// `dilating`: some contacts slide at angles of their own.
StepSettings stepSettings(const StepMethod& method, const WorldState& world, double dt, bool dilating);

// Scratch memory for such steps.
StepWorkspace makeWorkspace(const StepSettings& step, const WorldState& world);

// What servos do, before the step is chosen: the mass of one that was driven by force is no mass of the world.
void restServos(WorldState& world);

// The world goes on in steps of this length: time counts from here, servos start, contact lists and forces are those of
// the present state.
void beginSteps(WorldState& world, const StepMethod& method, const StepSettings& step, StepWorkspace& workspace);

}  // namespace talus
