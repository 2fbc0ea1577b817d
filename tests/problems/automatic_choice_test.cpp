// What `solver: auto` does first, and when it turns to something else.
#include <gtest/gtest.h>

#include <cmath>

#include "io/fclib/fclib.hpp"
#include "problems/problem_collection.hpp"
#include "solvers/choice.hpp"
#include "solvers/first_order/gauss_seidel.hpp"
#include "solvers/predicted_cost.hpp"
#include "solvers/stopping.hpp"
#include "source_folder.hpp"

namespace talus {
namespace {

const SolverSettings automatic{.kind = SolverKind::automatic, .tolerance = 1e-8};

TEST(AutomaticChoice, SolvesOneContactWithoutAnyFactors) {
    BodyContacts bodies;
    const auto floor = bodies.addFixed(), ball = bodies.addSphere(2, 0.1);
    bodies.add({.normal = {0, 0, 1}, .armA = {0, 0, -0.1}, .armB = {}, .a = ball, .b = floor});
    bodies.finish();
    const ContactProblem p{.contacts = bodies, .sets = {ReactionSet::coulomb(0.3)}, .offset = {{-1, 4, 0}}};
    const Solution found = solve(p, automatic);
    EXPECT_EQ(nameOf(found.report.status), "converged");
    EXPECT_EQ(found.report.solver, SolverKind::gaussSeidel);
    EXPECT_EQ(found.report.reason, "sweeps were enough");
    EXPECT_EQ(found.report.factors.count, 0u);
    EXPECT_NEAR(found.reactions[0].x, 2, 1e-7);  // stops 2 kg at 1 m/s
    EXPECT_NEAR(norm(found.reactions[0] - Vec3{2, -0.6, 0}), 0, 1e-6);
}

TEST(AutomaticChoice, GivesSweepsUpWhereTheyCreep) {
    const ContactProblem p = readFclib(sourceFolder() / "tests/problems/data/BoxesStack1-i100000-32.hdf5").problem;
    const SolverChoice choice = chooseSolver(p, automatic);
    ASSERT_EQ(choice.solver, SolverKind::interiorPoint);
    SolverWorkspace ws;
    Solution swept{.reactions = std::vector<Vec3>(p.contactCount()), .velocities = {}, .report = {}};
    sweepWhileWorthwhile(p, automatic, choice.sweepsFirst, ws, swept);
    EXPECT_EQ(nameOf(swept.report.status), "stalled");
    EXPECT_LT(swept.report.iterations, choice.sweepsFirst / 2);
    const Solution found = solve(p, automatic);
    EXPECT_EQ(nameOf(found.report.status), "converged");
    EXPECT_NE(found.report.solver, SolverKind::gaussSeidel);
    EXPECT_GT(found.report.factors.count, 0u);
}

TEST(AutomaticChoice, GoesOnFromTheGuess) {
    const ContactProblem p = makeSmallPile(0.5, {1.5, 0.5, -0.3});
    SolverSettings s = automatic;
    const Solution first = solve(p, s);
    ASSERT_EQ(nameOf(first.report.status), "converged");
    s.tolerance = 1e-7;
    const Solution again = solve(p, s, first.reactions);
    EXPECT_EQ(again.report.iterations, 0u);
    EXPECT_LT(largestDifference(again.reactions, first.reactions), 1e-12) << "round-off of a change of frame";
}

TEST(AutomaticChoice, KeepsToTheIterationsAllowedWithItsSweeps) {
    const ContactProblem p = makeSmallPile(0.5, {}, 3);
    for (const std::uint64_t most : {20u, 50u, 100u}) {
        SolverSettings s = automatic;
        s.tolerance = 1e-14;
        s.maxIterations = most;
        EXPECT_LE(solve(p, s).report.iterations, most);
    }
}

// Soft contacts are solved by some ten sweeps, whatever the size: newton would factorise.
TEST(AutomaticChoice, SolvesSoftContactsBySweeps) {
    ContactProblem p = makeSmallPile(0.5, {1.5, 0.5, -0.3}, 4);
    p.compliance.assign(p.contactCount(), 0.3 * trace(p.diagonal(0)) * identity3());
    const SolverChoice choice = chooseSolver(p, automatic);
    EXPECT_EQ(choice.solver, SolverKind::newton);
    const Solution found = solve(p, automatic);
    EXPECT_EQ(nameOf(found.report.status), "converged");
    EXPECT_EQ(found.report.factors.count, 0u);
    const Solution other = solve(p, {.kind = SolverKind::newton, .tolerance = 1e-10});
    EXPECT_EQ(nameOf(other.report.status), "converged");
    double largest = 0;
    for (const Vec3& g : other.reactions) largest = std::max(largest, norm(g));
    EXPECT_LT(largestDifference(found.reactions, other.reactions), 1e-5 * largest);
}

TEST(PredictedCost, GrowsFasterForFactorsThanForSweeps) {
    const ContactProblem small = makeSmallPile(0.5, {}, 2), large = makeSmallPile(0.5, {}, 5);
    const double sweeps = predictedSweep(large) / predictedSweep(small);
    const double factors = predictedFactorisation(large) / predictedFactorisation(small);
    EXPECT_NEAR(sweeps, static_cast<double>(large.contactCount()) / static_cast<double>(small.contactCount()), 1e-9);
    EXPECT_GT(factors, sweeps);
}

// A residual that falls by the same factor with every iteration.
std::optional<SolveStatus> outcome(double factor, std::uint64_t allowed, std::uint64_t& iteration) {
    const SolverSettings s{.tolerance = 1e-6, .maxIterations = 1000};
    SolveReport report;
    Stopping stopping(s, report, Pace::foreseen);
    stopping.allow(allowed);
    for (iteration = 0;; ++iteration) {
        if (!stopping.isDue(iteration)) continue;
        if (const auto status = stopping.check(iteration, std::pow(factor, static_cast<double>(iteration))))
            return status;
    }
}

TEST(Stopping, EndsWhatWouldTakeLongerThanAllowed) {
    std::uint64_t iteration = 0;
    // ln(1e6)/0.1 = 138 iterations
    EXPECT_EQ(outcome(std::exp(-0.1), 150, iteration), SolveStatus::converged);
    EXPECT_NEAR(static_cast<double>(iteration), 139, 2);
    EXPECT_EQ(outcome(std::exp(-0.1), 120, iteration), SolveStatus::stalled);
    EXPECT_LE(iteration, 20u) << "as soon as it can be told";
    EXPECT_EQ(outcome(std::exp(-0.1), 0, iteration), SolveStatus::converged) << "0: any number";
    EXPECT_EQ(outcome(1.01, 120, iteration), SolveStatus::stalled);
    EXPECT_LE(iteration, 20u);
}

}  // namespace
}  // namespace talus
