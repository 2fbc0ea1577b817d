#include "solvers/stopping.hpp"

#include <algorithm>
#include <cmath>

#include "base/stop.hpp"

namespace talus {
namespace {

// No better by a hundredth for four times as long as it took to get there, and for this many iterations: stalled.
constexpr std::uint64_t patience = 5000;
// Of large iterations: for this many.
constexpr std::uint64_t shortPatience = 100;
constexpr double worthwhile = 0.99;

// The longest one goes on without asking where that costs as much as an iteration.
std::uint64_t longestGap(std::uint64_t iteration) { return std::clamp<std::uint64_t>(iteration / 2, 4, 50); }

}  // namespace

Stopping::Stopping(const SolverSettings& settings, SolveReport& report, Pace pace)
    : settings_(settings), report_(report), pace_(pace) {
    report_.history.clear();
}

bool Stopping::isMilestone(std::uint64_t iteration) {
    return iteration % std::clamp<std::uint64_t>(iteration / 10, 1, 50) == 0;
}

bool Stopping::isAsked(std::uint64_t iteration) const {
    if (pace_ == Pace::every) return true;
    return pace_ == Pace::milestones ? isMilestone(iteration) : iteration == next_;
}

// Half of the way to where the tolerance would be met if the residual went on falling as it did since the last time.
void Stopping::foresee(std::uint64_t iteration, double naturalMap) {
    std::uint64_t gap = iteration == 0 ? 1 : longestGap(iteration);
    if (naturalMap < last_ && iteration > 0) {
        const double fall = std::log(last_ / naturalMap) / static_cast<double>(iteration - lastIteration_);
        const double left = std::log(naturalMap / settings_.tolerance) / fall;
        if (left < static_cast<double>(2 * gap)) gap = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(left / 2));
    }
    next_ = iteration + gap;
    last_ = naturalMap;
    lastIteration_ = iteration;
}

// As it fell since a half or a quarter of the iterations.
bool Stopping::isTooSlow(std::uint64_t iteration, double naturalMap) {
    constexpr std::uint64_t firstLook = 8;
    if (iteration >= 2 * lately_.iteration) {
        before_ = lately_;
        lately_ = {iteration, naturalMap};
    }
    if (iteration < firstLook) return false;
    if (!(naturalMap < before_.naturalMap)) return true;
    const double fall = std::log(before_.naturalMap / naturalMap) / static_cast<double>(iteration - before_.iteration);
    const double left = std::log(naturalMap / settings_.tolerance) / fall;
    return static_cast<double>(iteration) + left > static_cast<double>(allowed_);
}

bool Stopping::isOverLimit(std::uint64_t iteration) const {
    if (settings_.fixedIterations > 0) return iteration >= settings_.fixedIterations;
    if (iteration >= settings_.maxIterations) return true;
    // The clock costs as much as a sweep over a contact or two.
    return std::isfinite(settings_.timeLimit) && iteration > 0 && seconds() >= settings_.timeLimit;
}

bool Stopping::isDue(std::uint64_t iteration) const {
    stopIfAsked();
    if (settings_.history || isOverLimit(iteration)) return true;
    return settings_.fixedIterations == 0 && isAsked(iteration);
}

std::optional<SolveStatus> Stopping::check(std::uint64_t iteration, double naturalMap) {
    stopIfAsked();
    report_.iterations = iteration;
    if (settings_.history) report_.history.push_back({iteration, seconds(), naturalMap});
    if (!std::isfinite(naturalMap)) return SolveStatus::numericalError;
    const bool converged = naturalMap <= settings_.tolerance, over = isOverLimit(iteration);
    if (over && !converged) {
        const std::uint64_t most = settings_.fixedIterations > 0 ? settings_.fixedIterations : settings_.maxIterations;
        return iteration >= most ? SolveStatus::iterationLimit : SolveStatus::timeLimit;
    }
    if (over) return SolveStatus::converged;
    if (settings_.fixedIterations > 0 || !isAsked(iteration)) return {};
    if (converged) return SolveStatus::converged;
    if (allowed_ > 0 && isTooSlow(iteration, naturalMap)) return SolveStatus::stalled;
    if (naturalMap < worthwhile * best_) {
        best_ = naturalMap;
        bestIteration_ = iteration;
    }
    foresee(iteration, naturalMap);
    const std::uint64_t wait = pace_ == Pace::every ? shortPatience : std::max(patience, 4 * bestIteration_);
    if (iteration - bestIteration_ > wait) return SolveStatus::stalled;
    return {};
}

double Stopping::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

}  // namespace talus
