// A solver works in memory it already has: a second problem of the same size allocates nothing.
#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "problems/problem_collection.hpp"
#include "regression/allocation_count.hpp"

namespace talus {
namespace {

std::uint64_t allocationsOfASecondSolve(const ContactProblem& problem, const SolverSettings& settings) {
    Solver solver(settings);
    std::vector<Vec3> reactions;
    solver.solve(problem, reactions);
    reactions.assign(reactions.size(), Vec3{});
    const std::uint64_t before = allocationCount();
    solver.solve(problem, reactions);
    return allocationCount() - before;
}

TEST(Solver, AllocatesNothingForASecondProblemOfTheSameSize) {
    for (const int threads : {1, 3}) {
        setThreadCount(threads);
        for (const NamedProblem& problem : everyProblem()) {
            for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
                for (SolverSettings s : firstOrderSolvers()) {
                    s.law = law;
                    s.maxIterations = 60;
                    EXPECT_EQ(allocationsOfASecondSolve(problem.problem, s), 0u)
                        << problem.name << ' ' << nameOf(s.kind);
                }
            }
        }
    }
    setThreadCount(1);
}

TEST(Solver, IsSeenToAllocateWhenTheProblemIsLarger) {
    Solver solver({.maxIterations = 10});
    std::vector<Vec3> reactions;
    solver.solve(makePlanarPile(0.5), reactions);
    const std::uint64_t before = allocationCount();
    solver.solve(makeSmallPile(0.5), reactions);
    EXPECT_GT(allocationCount(), before);
}

}  // namespace
}  // namespace talus
