// What every solver promises besides the answer: limits, status, history, orders.
#include <gtest/gtest.h>

#include <numeric>

#include "problems/problem_collection.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

ContactProblem hardPile() { return makeLatticePile({.jitter = 0.02, .velocity = {0.05, 0, 0}}, 4, 4, 4); }

TEST(Solver, StopsAtItsIterationLimitAndSaysSo) {
    for (SolverSettings s : firstOrderSolvers()) {
        s.tolerance = 1e-14;
        for (const std::uint64_t limit : {0u, 1u, 7u, 57u}) {
            s.maxIterations = limit;
            const Solution answer = solve(hardPile(), s);
            EXPECT_EQ(answer.report.status, SolveStatus::iterationLimit);
            EXPECT_EQ(answer.report.iterations, limit);
            EXPECT_GT(answer.report.residuals.naturalMap, 0);
        }
    }
}

TEST(Solver, StopsAtItsTimeLimitAndSaysSo) {
    for (SolverSettings s : firstOrderSolvers()) {
        s.tolerance = 0;
        s.maxIterations = 1'000'000'000;
        s.timeLimit = 0.02;
        const Solution answer = solve(hardPile(), s);
        EXPECT_EQ(nameOf(answer.report.status), "time limit");
        EXPECT_GE(answer.report.seconds, 0.02);
        EXPECT_LT(answer.report.seconds, 2);  // generous: the machine may be busy
    }
}

TEST(Solver, DoesJustSoManyIterationsWhenTold) {
    for (SolverSettings s : firstOrderSolvers()) {
        s.fixedIterations = 23;
        s.tolerance = 1;  // already met
        const Solution met = solve(hardPile(), s);
        EXPECT_EQ(met.report.iterations, 23u);
        EXPECT_EQ(met.report.status, SolveStatus::converged);
        s.tolerance = 1e-14;
        const Solution missed = solve(hardPile(), s);
        EXPECT_EQ(missed.report.iterations, 23u);
        EXPECT_EQ(missed.report.status, SolveStatus::iterationLimit);
    }
}

TEST(Solver, DoesTheSameWhetherIterationsAreFixedOrLimited) {
    for (SolverSettings s : firstOrderSolvers()) {
        s.tolerance = 0;
        s.maxIterations = 41;
        const Solution limited = solve(hardPile(), s);
        s.fixedIterations = 41;
        const Solution fixed = solve(hardPile(), s);
        // Gauss-Seidel starts its sums anew where it measures: round-off.
        EXPECT_LT(largestDifference(limited.reactions, fixed.reactions), 1e-15) << nameOf(s.kind);
    }
}

TEST(Solver, HistoryChangesNothingButIsRecorded) {
    for (SolverSettings s : firstOrderSolvers()) {
        s.tolerance = 1e-4;
        s.maxIterations = 10'000;
        const Solution without = solve(hardPile(), s);
        s.history = true;
        const Solution with = solve(hardPile(), s);
        EXPECT_EQ(with.reactions, without.reactions) << nameOf(s.kind);
        EXPECT_EQ(with.report.iterations, without.report.iterations);
        EXPECT_TRUE(without.report.history.empty());
        ASSERT_EQ(with.report.history.size(), with.report.iterations + 1);
        for (std::size_t k = 0; k < with.report.history.size(); ++k) {
            EXPECT_EQ(with.report.history[k].iteration, k);
            EXPECT_GE(with.report.history[k].seconds, with.report.history[k > 0 ? k - 1 : 0].seconds);
        }
        EXPECT_EQ(with.report.history.back().naturalMap, with.report.residuals.naturalMap);
        EXPECT_GT(with.report.history.front().naturalMap, with.report.history.back().naturalMap);
    }
}

TEST(Solver, SaysThatItStalledWhenNothingGetsBetter) {
    for (SolverSettings s : firstOrderSolvers()) {
        s.tolerance = 0;  // round-off keeps everyone from it
        s.maxIterations = 100'000'000;
        s.timeLimit = 60;
        const Solution answer = solve(makePlanarPile(0.3), s);
        const std::string status(nameOf(answer.report.status));
        EXPECT_TRUE(status == "stalled" || (status == "converged" && answer.report.residuals.naturalMap == 0))
            << nameOf(s.kind) << ": " << status;
        EXPECT_LT(answer.report.residuals.naturalMap, 1e-10);
    }
}

TEST(Solver, SaysWhenNumbersWentBad) {
    ContactProblem p = makeSmallPile(0.5);
    p.offset[3].x = std::numeric_limits<double>::quiet_NaN();
    for (const SolverSettings& s : everySolver()) {
        EXPECT_EQ(nameOf(solve(p, s).report.status), "numerical error") << nameOf(s.kind);
    }
    p.offset[3].x = -1e300;
    for (const SolverSettings& s : everySolver()) {
        const Solution answer = solve(p, s);
        EXPECT_NE(answer.report.status, SolveStatus::converged) << nameOf(s.kind);
    }
}

TEST(Solver, ForgetsTheLastProblem) {
    for (SolverSettings s : firstOrderSolvers()) {
        s.tolerance = 1e-5;
        s.maxIterations = 10'000;
        SolverWorkspace used;
        for (const NamedProblem& other : everyProblem()) solve(other.problem, {}, s, used);
        EXPECT_EQ(solve(hardPile(), {}, s, used).reactions, solve(hardPile(), s).reactions) << nameOf(s.kind);
    }
}

TEST(Solver, TakesAGuessOfAnotherSizeForNone) {
    for (const SolverSettings& s : firstOrderSolvers()) {
        EXPECT_EQ(solve(hardPile(), s, {Vec3{5, 5, 5}}).reactions, solve(hardPile(), s).reactions);
    }
}

TEST(GaussSeidel, InTheGivenOrderOfTheListIsTheListSweep) {
    const ContactProblem p = hardPile();
    SolverSettings s{.fixedIterations = 20, .gaussSeidel = {.sweep = SweepOrder::list}};
    const Solution list = solve(p, s);
    s.gaussSeidel.sweep = SweepOrder::given;
    s.gaussSeidel.order.resize(p.contactCount());
    std::iota(s.gaussSeidel.order.begin(), s.gaussSeidel.order.end(), 0u);
    EXPECT_EQ(solve(p, s).reactions, list.reactions);
    std::reverse(s.gaussSeidel.order.begin(), s.gaussSeidel.order.end());
    EXPECT_NE(solve(p, s).reactions, list.reactions);
}

TEST(GaussSeidel, RefusesAnOrderThatIsNotOne) {
    const ContactProblem p = makePlanarPile(0.5);
    for (const std::vector<std::uint32_t>& order :
         {std::vector<std::uint32_t>{0, 1, 2}, {0, 1, 2, 2}, {0, 1, 2, 4}, {0, 1, 2, 3, 3}}) {
        EXPECT_THROW(solve(p, {.gaussSeidel = {.sweep = SweepOrder::given, .order = order}}), InputError);
    }
}

TEST(GaussSeidel, RandomSweepsDependOnTheSeedOnly) {
    SolverSettings s{.fixedIterations = 5, .gaussSeidel = {.sweep = SweepOrder::random, .seed = 4}};
    const Solution first = solve(hardPile(), s);
    EXPECT_EQ(solve(hardPile(), s).reactions, first.reactions);
    s.gaussSeidel.seed = 5;
    EXPECT_NE(solve(hardPile(), s).reactions, first.reactions);
}

TEST(Jacobi, DividedByTheCrowdNeverRaisesTheEnergyOfTheAssociatedLaw) {
    const ContactProblem p = hardPile();
    const auto energy = [&](const std::vector<Vec3>& g) {
        std::vector<Vec3> u;
        relativeVelocities(p, g, u);
        double sum = 0;
        for (std::size_t i = 0; i < g.size(); ++i) sum += 0.5 * dot(g[i], u[i] + p.offset[i]);
        return sum;
    };
    double last = 0;
    for (std::uint64_t iterations = 1; iterations < 30; ++iterations) {
        const double now =
            energy(solve(p, {.kind = SolverKind::jacobi, .law = FrictionLaw::associated, .fixedIterations = iterations})
                       .reactions);
        EXPECT_LE(now, last + 1e-12 * std::abs(last));
        last = now;
    }
}

TEST(SolverSettings, AreRefusedWithTheNameOfTheField) {
    const auto messageOf = [](const SolverSettings& s) -> std::string {
        try {
            validate(s);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(messageOf({}), "");
    EXPECT_NE(messageOf({.tolerance = -1}).find("tolerance"), std::string::npos);
    EXPECT_NE(messageOf({.timeLimit = 0}).find("time_limit"), std::string::npos);
    EXPECT_NE(messageOf({.jacobi = {.relaxation = 2}}).find("relaxation"), std::string::npos);
}

}  // namespace
}  // namespace talus
