// What is looked at after every step, whatever a run writes: how deep bodies are in each other, and how far they go.
//
// A body that moves further in a step than bodies are wide can pass through another, or through a thin wall, between
// two looks at its contacts: then no overlap ever shows. While each moves by at most half of the smallest half width w,
// two approach by at most w per step, and on a way of at least 2 w they overlap by more than a quarter of their size
// (measure/overlap.hpp): so at least one step sees it. Contact dynamics foresees contacts across gaps, and nothing
// passes through them at any speed, but for those that bounce: these are seen only once they have closed.
//
// Holds what a checkpoint keeps of it. docs/what-a-run-watches.md has it for users.
#pragma once

#include <optional>
#include <string>

#include "step/step.hpp"

namespace talus {

struct WatchState {
    double overlap = 0;      // -, the deepest since the start of the run
    double speed = 0;        // m/s, of the fastest point of a free grain since the start of the stage, at mid step
    double judgedSpeed = 0;  // m/s, for which the length of the step was last judged
    double reach = 0;        // m, that a grain may go in a step of this stage near others; 0: as far as it likes

    static constexpr auto fields() {
        return std::tuple{Field{"overlap", &WatchState::overlap}, Field{"speed", &WatchState::speed},
                          Field{"judgedSpeed", &WatchState::judgedSpeed}, Field{"reach", &WatchState::reach}};
    }
};

// What is looked at of a step.
struct WatchedStep {
    double overlap = 0;  // -, the deepest at its end
    double moved = 0;    // m, largest way of a point of a free grain
};

// At the start of a stage.
void beginWatch(const WorldState& world, const StepSettings& step, WatchState& watch);

// Enters a step; true if something must be looked at closer: judge() then.
bool watchStep(const WorldState& world, const WatchedStep& taken, const StepSettings& step, double maxOverlap,
               WatchState& watch);

// Looks for trouble in the completed state after a step, and throws RunError if there is any.
void judge(const WorldState& world, const StepSettings& step, double maxOverlap, const WatchedStep& taken,
           const WatchState& watch);

// If the step is long for the fastest grain so far: words for the user. Judged again only when speeds have grown.
std::optional<std::string> judgeStepLength(const WorldState& world, const StepSettings& step, WatchState& watch);

}  // namespace talus
