// When to stop: the one rule of all solvers. A stop that the user asks for (base/stop.hpp) comes out of isDue() and
// check() as an exception.
#pragma once

#include <chrono>
#include <optional>

#include "talus/solver.hpp"

namespace talus {

// How often a solver is asked: after every iteration if each is a large one, at milestones where measuring costs little
// beside an iteration, or, where it costs as much, only when the residual's fall so far leads one to expect the end.
enum class Pace { every, milestones, foreseen };

class Stopping {
public:
    // Starts the clock.
    Stopping(const SolverSettings& settings, SolveReport& report, Pace pace = Pace::milestones);

    // Iterations at which a solver takes stock: the first ten, then about every tenth part of the work so far, at least
    // every 50th, so that it costs little and stops soon. They depend on nothing but the number.
    static bool isMilestone(std::uint64_t iteration);

    // True when the residual should be measured after this many iterations: as the pace says, at limits, or for the
    // history.
    bool isDue(std::uint64_t iteration) const;
    bool isForHistoryOnly(std::uint64_t iteration) const { return !isAsked(iteration) && !isOverLimit(iteration); }

    // Records the residual and says why to stop now, if so. The history changes nothing else: when not asked, only a
    // limit stops.
    std::optional<SolveStatus> check(std::uint64_t iteration, double naturalMap);

    double seconds() const;

    // Stalled as soon as the fall of the residual so far foretells more iterations than these.
    void allow(std::uint64_t iterations) { allowed_ = iterations; }

private:
    using Clock = std::chrono::steady_clock;

    bool isOverLimit(std::uint64_t iteration) const;
    bool isAsked(std::uint64_t iteration) const;
    void foresee(std::uint64_t iteration, double naturalMap);
    bool isTooSlow(std::uint64_t iteration, double naturalMap);

    const SolverSettings& settings_;
    SolveReport& report_;
    Pace pace_;
    Clock::time_point start_ = Clock::now();
    double best_ = std::numeric_limits<double>::infinity();
    std::uint64_t bestIteration_ = 0;
    double last_ = std::numeric_limits<double>::infinity();  // residual when last asked
    std::uint64_t lastIteration_ = 0, next_ = 0;
    std::uint64_t allowed_ = 0;  // 0: whatever it takes
    struct Landmark {
        std::uint64_t iteration = 0;
        double naturalMap = std::numeric_limits<double>::infinity();
    };
    Landmark before_, lately_;  // residuals measured at a half to a quarter of the iterations, and since
};

}  // namespace talus
