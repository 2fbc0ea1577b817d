// Undoes a step that was stopped in the middle (base/stop.hpp), which leaves the world in between.
//
// A copy of the world is kept, not before each step but as often as copying costs little beside the steps. From it the
// steps since are taken once more: they give the same bits. So a signal waits for a moment, no step knows of it, and
// nothing has to know what a step writes.
#pragma once

#include <chrono>
#include <optional>

#include "step/step.hpp"

namespace talus {

class Rewind {
public:
    // Call before each step that may be stopped.
    void beforeStep(const WorldState& world);
    // After one that was: the world is as beforeStep() saw it last. Settings are those of the steps since forget().
    void undoStep(WorldState& world, const StepSettings& settings, StepWorkspace& workspace);
    // Something else than a step, or one of other settings, changes the world.
    void forget() { kept_.reset(); }

private:
    using Clock = std::chrono::steady_clock;

    std::optional<WorldState> kept_;
    std::uint64_t last_ = 0;  // number of the step that the world was seen before
    Clock::time_point keptAt_;
    Clock::duration copying_{};  // how long it took
};

}  // namespace talus
