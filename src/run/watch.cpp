#include "run/watch.hpp"

#include <algorithm>
#include <cmath>

#include "measure/failure.hpp"
#include "step/time_step.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double safeTravel = 0.5;                 // -, of the smallest half width, in a step
constexpr double sameSpeed = 1.1;                  // -, growth of a speed that does not matter
constexpr std::uint64_t stepsBetweenChecks = 100;  // for what takes a pass over all bodies

// Whether contacts are seen only once they have closed.
bool canMissContacts(const WorldState& world, const StepSettings& step) {
    if (step.quasiStatic) return false;
    if (world.contacts.keepsSprings()) return true;
    if (world.contacts.areElastic()) return false;
    if (step.contactDynamics.theta < 1) return true;
    const auto& laws = world.materials.laws;
    return step.contactDynamics.restitution == RestitutionRule::newton &&
           std::any_of(laws.begin(), laws.end(), [](const PairLaw& law) { return law.restitution > 0; });
}

}  // namespace

void beginWatch(const WorldState& world, const StepSettings& step, WatchState& watch) {
    watch.speed = watch.judgedSpeed = watch.reach = 0;
    const double halfWidth = canMissContacts(world, step) ? smallestHalfWidth(world) : 0.0;
    if (std::isfinite(halfWidth)) watch.reach = safeTravel * halfWidth;
}

bool watchStep(const WorldState& world, const WatchedStep& taken, const StepSettings& step, double maxOverlap,
               WatchState& watch) {
    watch.overlap = std::max(watch.overlap, taken.overlap);
    watch.speed = std::max(watch.speed, taken.moved / step.dt);
    const bool tooFar = watch.reach > 0 ? !(taken.moved <= watch.reach) : !std::isfinite(taken.moved);
    return tooFar || taken.overlap > maxOverlap || world.step % stepsBetweenChecks == 0;
}

void judge(const WorldState& world, const StepSettings& step, double maxOverlap, const WatchedStep& taken,
           const WatchState& watch) {
    if (const auto trouble = findTrouble(world, maxOverlap)) throw RunError(*trouble);
    if (watch.reach == 0 || taken.moved <= watch.reach) return;
    if (const auto leap = findLeap(world, step.dt, watch.reach / safeTravel, safeTravel)) throw RunError(*leap);
}

std::optional<std::string> judgeStepLength(const WorldState& world, const StepSettings& step, WatchState& watch) {
    if (!(watch.speed > sameSpeed * watch.judgedSpeed) || step.quasiStatic) return {};
    watch.judgedSpeed = watch.speed;
    const bool rigid = !world.contacts.keepsSprings();
    return rigid ? rigidStepWarning(world, step.dt, watch.speed) : stepWarning(world, step.dt, watch.speed);
}

}  // namespace talus
