// When solvers take stock: seldom where that is costly, and never much later than they could have stopped.
#include "solvers/stopping.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace talus {
namespace {

struct Course {
    std::uint64_t stopped = 0, questions = 0;
};

// A residual that falls by the factor per iteration.
Course follow(double factor, Pace pace) {
    const SolverSettings settings{.tolerance = 1e-6, .maxIterations = 100000};
    SolveReport report;
    Stopping stopping(settings, report, pace);
    Course course;
    for (std::uint64_t k = 0;; ++k) {
        if (!stopping.isDue(k)) continue;
        ++course.questions;
        if (stopping.check(k, std::pow(factor, static_cast<double>(k)))) {
            course.stopped = k;
            return course;
        }
    }
}

double earliest(double factor) { return std::ceil(std::log(1e-6) / std::log(factor)); }

TEST(Stopping, ForeseesTheEndOfASteadyFall) {
    for (const double factor : {0.1, 0.5, 0.8, 0.95, 0.99}) {
        const Course course = follow(factor, Pace::foreseen);
        EXPECT_NEAR(static_cast<double>(course.stopped), earliest(factor), 1) << factor;
        EXPECT_LT(course.questions, follow(factor, Pace::milestones).questions + 1) << factor;
    }
    EXPECT_LT(2 * follow(0.8, Pace::foreseen).questions, follow(0.8, Pace::milestones).questions);
}

TEST(Stopping, IsAtMostHalfAgainLateWhenAFallQuickens) {
    const SolverSettings settings{.tolerance = 1e-6, .maxIterations = 100000};
    for (const std::uint64_t turn : {7u, 20u, 75u, 300u}) {
        SolveReport report;
        Stopping stopping(settings, report, Pace::foreseen);
        std::uint64_t k = 0;
        while (!(stopping.isDue(k) && stopping.check(k, k < turn ? 1 - 1e-4 * static_cast<double>(k) : 1e-9))) ++k;
        EXPECT_LE(k, turn + std::max<std::uint64_t>(4, turn / 2)) << turn;
    }
}

TEST(Stopping, HistoryChangesNothing) {
    for (const double factor : {0.5, 0.95}) {
        SolveReport report;
        const SolverSettings settings{.tolerance = 1e-6, .maxIterations = 100000, .history = true};
        Stopping stopping(settings, report, Pace::foreseen);
        std::uint64_t k = 0;
        while (!stopping.check(k, std::pow(factor, static_cast<double>(k)))) ++k;
        EXPECT_EQ(k, follow(factor, Pace::foreseen).stopped);
        EXPECT_EQ(report.history.size(), k + 1);
    }
}

}  // namespace
}  // namespace talus
