// A solver is a function and a row that says what it can do: names, refusals and reports follow.
#include <gtest/gtest.h>

#include <set>

#include "base/parallel.hpp"
#include "problem/residual.hpp"
#include "problems/problem_collection.hpp"
#include "solvers/registry.hpp"
#include "solvers/stopping.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

// A solver of the test's own: fixed gradient steps on frictionless contacts.
struct PlainGradientWorkspace {
    std::vector<Vec3> velocities;
    Diagonals diagonals;
};

void solveByPlainGradient(const ContactProblem& p, const SolverSettings& s, SolverWorkspace& workspace,
                          Solution& solution) {
    auto& ws = workspace.part<PlainGradientWorkspace>();
    Stopping stopping(s, solution.report);
    ws.diagonals.measure(p);
    for (std::uint64_t iteration = 0;; ++iteration) {
        relativeVelocities(p, solution.reactions, solution.velocities);
        solution.report.residuals = measureResiduals(p, s.law, ws.diagonals, solution.reactions, solution.velocities);
        if (const auto status = stopping.check(iteration, solution.report.residuals.naturalMap)) {
            solution.report.status = *status;
            return;
        }
        for (std::size_t i = 0; i < p.contactCount(); ++i) {
            const double step = 0.1 * 3 / ws.diagonals.trace[i];
            solution.reactions[i].x = std::max(0.0, solution.reactions[i].x - step * solution.velocities[i].x);
        }
    }
}

constexpr SolverTraits traits{SolverKind::jacobi,
                              "plain-gradient",
                              "for a test",
                              SolverOrder::first,
                              {.coulomb = false, .bilateral = false, .capsAndBalls = false}};
const SolverRow plainGradient{traits, solveByPlainGradient};

TEST(SolverRegistry, RunsASolverThatIsAFunctionAndARow) {
    const ContactProblem p = makeSmallPile(0);
    const SolverSettings settings{.tolerance = 1e-8, .maxIterations = 100'000};
    SolverWorkspace workspace;
    Solution own{.reactions = std::vector<Vec3>(p.contactCount()), .velocities = {}, .report = {}};
    runSolver(plainGradient, p, settings, workspace, own);
    EXPECT_EQ(nameOf(own.report.status), "converged");
    EXPECT_LT(largestDifference(own.velocities, solve(p, settings).velocities), 1e-6);
}

TEST(SolverRegistry, RefusesWhatARowSaysItCannot) {
    const auto refusal = [&](const ContactProblem& p, const SolverSettings& s) -> std::string {
        SolverWorkspace workspace;
        Solution own{.reactions = std::vector<Vec3>(p.contactCount()), .velocities = {}, .report = {}};
        try {
            runSolver(plainGradient, p, s, workspace, own);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    const ContactProblem smooth = makeSmallPile(0);
    EXPECT_EQ(refusal(smooth, {.maxIterations = 3}), "");
    EXPECT_EQ(refusal(makeSmallPile(0.5), {.law = FrictionLaw::associated, .maxIterations = 3}), "");
    EXPECT_NE(refusal(makeSmallPile(0.5), {}).find("plain-gradient does not know Coulomb's law; gauss-seidel"),
              std::string::npos);
    EXPECT_NE(refusal(withJoints(smooth), {}).find("bilateral contacts"), std::string::npos);
    EXPECT_NE(refusal(withSets(smooth, ReactionSet::ballOf(1)), {}).find("caps and balls"), std::string::npos);
    ContactProblem skewed = smooth;
    skewed.skew.assign(smooth.contactCount(), identity3());
    EXPECT_NE(refusal(skewed, {}).find("skewed laws; interior-point does"), std::string::npos);
}

TEST(SolverRegistry, HasOneNameAndOneFunctionForEachKind) {
    std::set<std::string_view> names;
    for (const SolverKind kind : allSolvers()) {
        names.insert(nameOf(kind));
        EXPECT_EQ(solverNamed(nameOf(kind)), kind);
        EXPECT_EQ(traitsOf(kind).kind, kind);
        if (kind == SolverKind::automatic) continue;
        EXPECT_NE(rowOf(kind).solve, nullptr);
        EXPECT_EQ(&rowOf(kind).traits, &traitsOf(kind));
    }
    EXPECT_EQ(names.size(), solverCount);
    EXPECT_THROW(solverNamed("gauss-siedel"), InputError);
}

TEST(SolverWorkspace, KeepsTheAnswerUntilTheNextSolve) {
    const ContactProblem p = makeSmallPile(0.5);
    SolverSettings settings{.tolerance = 1e-4, .maxIterations = 10'000};
    SolverWorkspace workspace;
    const Solution& first = solve(p, {}, settings, workspace);
    EXPECT_GT(first.report.iterations, 1u);
    const std::vector<Vec3> kept = first.reactions;
    settings.tolerance = 1.001e-4;
    const Solution& second = solve(p, first.reactions, settings, workspace);  // its own answer as the guess
    EXPECT_EQ(&first, &second);
    EXPECT_EQ(second.report.iterations, 0u);
    EXPECT_LT(largestDifference(second.reactions, kept), 1e-12);  // turned into the world frame and back
}

}  // namespace
}  // namespace talus
