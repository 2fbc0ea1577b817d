// What there is to say of a step after it: nothing here changes the world or the answer.
#pragma once

#include "step/jammed_drives.hpp"
#include "step/step.hpp"

namespace talus {

struct Diagnosis {
    double overlap = 0;                 // -, the deepest at the end of the step (measure/overlap.hpp)
    bool wedged = false;                // rigid contacts with dilation angles, and internal forces: maybe no solution
    std::optional<JammedDrive> jammed;  // if drives of joints had to give way, the one that missed its speed by most
};

// From the workspace as the step left it.
Diagnosis diagnose(const WorldState& world, const StepSettings& settings, const StepOutcome& outcome,
                   StepWorkspace& workspace);

// Where the time of contact dynamics went, s of wall clock.
struct StepSeconds {
    double collision = 0, assembly = 0, solve = 0;
    double compatible = 0;  // of contact_dynamics.forces: compatible, on top of solve
    StepSeconds& operator+=(const StepSeconds& other);

    static constexpr auto fields() {
        return std::tuple{Field{"collision", &StepSeconds::collision}, Field{"assembly", &StepSeconds::assembly},
                          Field{"solve", &StepSeconds::solve}, Field{"compatible", &StepSeconds::compatible}};
    }
};
StepSeconds secondsOf(const StepOutcome& outcome);      // its solves
StepSeconds secondsOf(const StepWorkspace& workspace);  // the rest, of all steps that were taken with it

}  // namespace talus
