// When to stop: the one rule of all solvers.
#pragma once

#include <chrono>
#include <optional>

#include "solvers/solver.hpp"

namespace talus {

class Stopping {
public:
    // Starts the clock.
    Stopping(const SolverSettings& settings, SolveReport& report);

    // True when the residual should be measured after this many iterations: always at the first few, then about
    // every tenth part of the work so far, at least every 50, so that measuring costs little and stops soon.
    bool isDue(std::uint64_t iteration) const;

    // Records the residual and says why to stop now, if so.
    std::optional<SolveStatus> check(std::uint64_t iteration, double naturalMap);

    double seconds() const;

private:
    using Clock = std::chrono::steady_clock;

    const SolverSettings& settings_;
    SolveReport& report_;
    Clock::time_point start_ = Clock::now();
    double best_ = std::numeric_limits<double>::infinity();
    std::uint64_t bestIteration_ = 0;
};

}  // namespace talus
