// A solver works in memory it already has: a second problem of the same size allocates nothing.
#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "problems/problem_collection.hpp"
#include "regression/allocation_count.hpp"

namespace talus {
namespace {

std::uint64_t allocationsOfASecondSolve(const ContactProblem& problem, const SolverSettings& settings) {
    SolverWorkspace workspace;
    const std::vector<Vec3> none(problem.contactCount());
    solve(problem, none, settings, workspace);
    const std::uint64_t before = allocationCount();
    solve(problem, none, settings, workspace);
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

// At a loose tolerance it takes a first-order solver.
TEST(Solver, ChoosesWithoutAllocating) {
    for (const NamedProblem& problem : everyProblem()) {
        const SolverSettings settings{.kind = SolverKind::automatic, .tolerance = 1e-3, .maxIterations = 60};
        const SolverKind used = solve(problem.problem, settings).report.solver;
        if (used == SolverKind::interiorPoint || used == SolverKind::newton) continue;
        EXPECT_EQ(allocationsOfASecondSolve(problem.problem, settings), 0u) << problem.name << ' ' << nameOf(used);
    }
}

TEST(Solver, IsSeenToAllocateWhenTheProblemIsLarger) {
    SolverWorkspace workspace;
    solve(makePlanarPile(0.5), {}, {.maxIterations = 10}, workspace);
    const std::uint64_t before = allocationCount();
    solve(makeSmallPile(0.5), {}, {.maxIterations = 10}, workspace);
    EXPECT_GT(allocationCount(), before);
}

}  // namespace
}  // namespace talus
