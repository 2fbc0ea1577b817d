// How long a step may be.
//
//   Rayleigh time  pi r sqrt(rho/G) / (0.1631 nu + 0.8766): a surface wave runs around half the grain
//   contact time   Hertz 2.87 (m^2 / (R E*^2 v))^(1/5); Hooke pi sqrt(m/k): how long an impact lasts, over 1 + zeta
//   damping time   16/rate, with the rate at which the dashpots of six contacts calm a grain: 20 ct/m turning, and
//                  4 (cn + 2 ct)/m shifting; cn = 2 zeta sqrt(m S), ct = sqrt(kt/S) cn, S the stiffness at the deepest
//                  point of an impact
//
//   longest stable step of the springs  2/omega with omega^2 = max(40 kt, 8 kn + 16 kt)/m, those of twelve contacts of
//   a
//                  grain, turning and shifting; with linear springs, whose stiffness is known
//
// All for the grains that make them shortest, two equal grains against each other. With the rule of a twentieth the
// dashpots of six contacts change a spin by 0.8 of it in a step; from 1 on they would turn it round, and are held back
// (step/forces/dashpot_shares.hpp).
#pragma once

#include <algorithm>
#include <optional>
#include <string>

#include "model/world.hpp"

namespace talus {

struct TimeScales {
    double rayleigh = 0;  // s
    double contact = 0;   // s, at the given speed
    double damping = 0;   // s, likewise
    double springs = 0;   // s, likewise
    double speed = 0;     // m/s, of the impacts assumed

    // What a step is a fraction of. The springs set a limit to it that no fraction can pass.
    double shortest() const { return std::min({rayleigh, contact, damping}); }
};

// Infinite where there are no free grains.
TimeScales measureTimeScales(const WorldState& world, double speed);

struct StepChoice {
    double dt = 0;  // s
    TimeScales scales;
    std::string reason;  // for the user, e.g. "step 4.2e-06 s (auto): 10 % of the Rayleigh time ..."
};

// dt = fraction * shortest of the times, at most 0.57 of what springs bear, made to divide `duration`.
StepChoice chooseStep(const WorldState& world, double fraction, double duration);

// Contact dynamics: no grain should go further than a tenth of the smallest radius in a step at the expected speed,
// nor fall through a hundredth of it from rest; and no link swing by more than a fifth of a radian across the pull of
// its joints (joint_time.hpp).
StepChoice chooseRigidStep(const WorldState& world, double duration);

// Quasi-static: the given increment, or one in which prescribed bodies go no further than a hundredth of the smallest
// radius, at most a hundredth of the duration.
StepChoice chooseIncrement(const WorldState& world, const std::optional<double>& given, double duration);

// Describes a step that was given.
StepChoice describeStep(const WorldState& world, double dt);
StepChoice describeRigidStep(const WorldState& world, double dt);

// Why no impact can come out right with this step, if so: the spring of a contact alone is unstable then.
std::optional<std::string> stepFault(const WorldState& world, double dt);

// A warning if this step is too long for impacts at this speed.
std::optional<std::string> stepWarning(const WorldState& world, double dt, double speed);
std::optional<std::string> rigidStepWarning(const WorldState& world, double dt, double speed);

}  // namespace talus
