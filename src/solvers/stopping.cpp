#include "solvers/stopping.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

// No better by a hundredth for as long as it took to get there, and for this many iterations: stalled.
constexpr std::uint64_t patience = 2000;
constexpr double worthwhile = 0.99;

}  // namespace

Stopping::Stopping(const SolverSettings& settings, SolveReport& report) : settings_(settings), report_(report) {
    report_.history.clear();
}

bool Stopping::isDue(std::uint64_t iteration) const {
    if (settings_.fixedIterations > 0) return iteration == settings_.fixedIterations || settings_.history;
    if (iteration >= settings_.maxIterations || settings_.history) return true;
    const std::uint64_t every = std::clamp<std::uint64_t>(iteration / 10, 1, 50);
    return iteration % every == 0;
}

std::optional<SolveStatus> Stopping::check(std::uint64_t iteration, double naturalMap) {
    report_.iterations = iteration;
    if (settings_.history) report_.history.push_back({iteration, seconds(), naturalMap});
    if (!std::isfinite(naturalMap)) return SolveStatus::numericalError;
    if (settings_.fixedIterations > 0) {
        if (iteration < settings_.fixedIterations) return {};
        return naturalMap <= settings_.tolerance ? SolveStatus::converged : SolveStatus::iterationLimit;
    }
    if (naturalMap <= settings_.tolerance) return SolveStatus::converged;
    if (iteration >= settings_.maxIterations) return SolveStatus::iterationLimit;
    if (seconds() >= settings_.timeLimit) return SolveStatus::timeLimit;
    if (naturalMap < worthwhile * best_) {
        best_ = naturalMap;
        bestIteration_ = iteration;
    }
    if (iteration - bestIteration_ > std::max(patience, 2 * bestIteration_)) return SolveStatus::stalled;
    return {};
}

double Stopping::seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

}  // namespace talus
