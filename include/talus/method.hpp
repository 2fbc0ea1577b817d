// How a world is moved: by one of three methods, each with its settings. docs/ has a page on each.
//
//   Stepper soft(Penalty{.step = 2e-6});                                  // soft contacts, short steps
//   Stepper rigid(ContactDynamics{.step = 1e-3, .tolerance = 1e-6});      // rigid contacts, long steps
//   Stepper slow(QuasiStatic{.equilibrium = {.tolerance = 1e-5}});        // equilibrium, no inertia
//
// A step that is not given is chosen when it is needed, soundly, with a reason (Stepper::stepReason()).
#pragma once

#include <optional>
#include <variant>

#include "talus/contact_dynamics.hpp"
#include "talus/quasi_static.hpp"

namespace talus {

struct Penalty {
    std::optional<double> step;  // s
    double stepFraction = 0.05;  // -, of the shorter of the Rayleigh and contact times, where the step is not given
};

using ContactDynamics = ContactDynamicsSettings;

struct QuasiStatic {
    std::optional<double> step;       // s, of an increment
    QuasiStaticSettings equilibrium;  // how it is found
    ContactDynamicsSettings solving;  // of the contact problems on the way
};

using StepMethod = std::variant<Penalty, ContactDynamics, QuasiStatic>;

struct StepperSettings {
    double horizon = 1;         // s, that a chosen step divides into whole ones
    double maxOverlap = 0.25;   // -, of the smaller radius: a step that ends deeper is refused
    bool energyLedger = true;   // count energies by mechanism
    bool trackSpheres = false;  // turn the orientations of spheres, which no force depends on
};

}  // namespace talus
