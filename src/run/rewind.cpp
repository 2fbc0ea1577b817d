#include "run/rewind.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace talus {
namespace {

constexpr int stepsPerCopying = 50;                   // -, least time of steps over that of copying
constexpr std::chrono::milliseconds leastApart{100};  // a signal may wait that long for its answer

}  // namespace

void Rewind::beforeStep(const WorldState& world) {
    last_ = world.step;
    const Clock::time_point now = Clock::now();
    const Clock::duration apart = std::max<Clock::duration>(stepsPerCopying * copying_, leastApart);
    if (kept_ && now - keptAt_ < apart) return;
    kept_ = world;
    keptAt_ = Clock::now();
    copying_ = keptAt_ - now;
}

void Rewind::undoStep(WorldState& world, const StepSettings& settings, StepWorkspace& workspace) {
    ENGINE_CHECK(kept_.has_value() && kept_->step <= last_);
    world = std::move(*kept_);
    kept_.reset();
    workspace.neighbours.travel.forget();
    while (world.step < last_) stepOf(world, settings)(world, settings, workspace);
}

}  // namespace talus
