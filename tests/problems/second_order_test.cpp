// Interior point and Newton: what they promise beyond what every solver does.
#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "problems/problem_collection.hpp"
#include "solvers/choice.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

Solution solveTightly(const ContactProblem& p, SolverKind kind, FrictionLaw law, double tolerance = 1e-8) {
    return solve(p, {.kind = kind, .law = law, .tolerance = tolerance, .maxIterations = 200});
}

// The same pile with every other sphere a million times lighter.
ContactProblem withMassRatio(ContactProblem p, double ratio) {
    auto& spheres = std::get<BodyContacts>(p.contacts);
    for (std::size_t i = 2; i < spheres.bodyCount(); i += 2) {
        spheres.inverseMass[i] *= ratio;
        spheres.inverseInertia[i] *= ratio;
    }
    return p;
}

TEST(InteriorPoint, NeedsAboutAsManyIterationsForManyContactsAsForFew) {
    std::uint64_t few = 0, many = 0;
    for (const int cells : {2, 8}) {
        const ContactProblem p = makeSmallPile(0.5, {1.5, 0.5, -0.3}, cells);
        const Solution answer = solveTightly(p, SolverKind::interiorPoint, FrictionLaw::associated, 1e-6);
        EXPECT_EQ(nameOf(answer.report.status), "converged") << cells;
        (cells == 2 ? few : many) = answer.report.iterations;
    }
    EXPECT_LE(many, 2 * few);
}

TEST(InteriorPoint, SolvesTheConvexLawWithRedundantContacts) {
    for (const double friction : {0.0, 0.2, 0.5, 1.0}) {
        const Solution answer =
            solveTightly(makeSmallPile(friction, {}, 3), SolverKind::interiorPoint, FrictionLaw::associated);
        EXPECT_EQ(nameOf(answer.report.status), "converged") << friction;
    }
}

TEST(InteriorPoint, TakesMassesAMillionTimesLargerThanOthers) {
    for (const double friction : {0.0, 0.5}) {
        const ContactProblem p = withMassRatio(makeSmallPile(friction, {0.5, 0, -1}), 1e6);
        const Solution answer = solveTightly(p, SolverKind::interiorPoint, FrictionLaw::associated);
        EXPECT_EQ(nameOf(answer.report.status), "converged") << friction << ' ' << answer.report.residuals.naturalMap;
    }
}

TEST(SecondOrderSolvers, TellWhatTheirFactorsCost) {
    const ContactProblem p = makeSmallPile(0.5, {1.5, 0.5, -0.3}, 3);
    for (const SolverKind kind : {SolverKind::interiorPoint, SolverKind::newton}) {
        const SolverSettings settings{.kind = kind, .law = FrictionLaw::associated, .tolerance = 1e-8};
        SolverWorkspace workspace;
        const SolveReport first = solve(p, {}, settings, workspace).report;
        const SolveReport second = solve(p, {}, settings, workspace).report;
        EXPECT_GE(first.factors.count, 5u);
        EXPECT_EQ(first.factors.count, second.factors.count) << "of the solve before";
        EXPECT_GE(first.factors.blocks, first.factors.matrixBlocks);
        EXPECT_GT(first.factors.matrixBlocks, 0u);
        EXPECT_GT(first.factors.bytes, first.factors.blocks);
        EXPECT_TRUE(first.factors.seconds > 0 && first.factors.seconds < first.seconds);
    }
}

// A solver keeps its scratch from problem to problem; what it finds must not.
TEST(SecondOrderSolvers, FindTheSameBitsWhateverTheySolvedBefore) {
    const ContactProblem first = makeSmallPile(0.5, {1.5, 0.5, -0.3}), second = withJoints(makeSmallPile(0.5));
    for (const SolverKind kind : {SolverKind::interiorPoint, SolverKind::newton}) {
        const SolverSettings settings{.kind = kind, .law = FrictionLaw::associated, .tolerance = 1e-8};
        SolverWorkspace used;
        solve(first, {}, settings, used);
        EXPECT_EQ(solve(second, {}, settings, used).reactions, solve(second, settings).reactions) << nameOf(kind);
    }
}

// Compliant contacts have unique reactions. Gauss-Seidel shares nothing with Newton's method but the answer of one
// contact.
TEST(Newton, FindsTheReactionsOfGaussSeidelWithCapsAndBalls) {
    const ContactProblem pile = withCompliance(makeSmallPile(0.5, {1.5, 0.5, -0.3}), diagonal3({0.3, 0.2, 0.2}));
    const std::vector<ReactionSet> sets = {ReactionSet::cappedConePlusBall(0.4, 0.8, 0),
                                           {.friction = 0.4, .cohesion = 0.2, .cap = 0.6},
                                           ReactionSet::conePlusBall(0.4, 0.2),
                                           {.friction = 0.4, .cohesion = 0.1, .cap = 0.5, .ball = 0.2},
                                           ReactionSet::ballOf(0.5)};
    for (const ReactionSet& set : sets) {
        for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
            if (law == FrictionLaw::coulomb && set.ball > 0 && set.friction > 0) continue;
            const ContactProblem p = withSets(pile, set);
            SolverSettings s{.kind = SolverKind::gaussSeidel, .law = law, .tolerance = 1e-12, .maxIterations = 100'000};
            const Solution expected = solve(p, s);
            s.kind = SolverKind::newton;
            const Solution answer = solve(p, s);
            EXPECT_EQ(nameOf(answer.report.status), "converged") << nameOf(law);
            EXPECT_LT(largestDifference(answer.reactions, expected.reactions), 1e-8) << nameOf(law);
        }
    }
}

// Gradient steps that show Newton's method where to begin are not its own.
TEST(Newton, CountsItsOwnStepsAndKeepsToItsLimit) {
    const ContactProblem p =
        withSets(withCompliance(makeSmallPile(0.5, {1.5, 0.5, -0.3}, 3), diagonal3({0.03, 0.03, 0.03})),
                 ReactionSet::cappedConePlusBall(0.4, 0.8, 0.05));
    SolverSettings s{.kind = SolverKind::newton, .law = FrictionLaw::associated, .tolerance = 1e-11};
    s.maxIterations = 60;
    const Solution answer = solve(p, s);
    EXPECT_EQ(nameOf(answer.report.status), "converged") << answer.report.residuals.naturalMap;
    EXPECT_LE(answer.report.iterations, 60u);
    s.maxIterations = 3;
    EXPECT_EQ(solve(p, s).report.iterations, 3u);
}

// Balls turn spheres without any friction.
TEST(Newton, NeedsFewStepsForBallsWithoutFriction) {
    const ContactProblem p = withSets(withCompliance(makeSmallPile(0.5, {1.5, 0.5, -0.3}), diagonal3({0.3, 0.2, 0.2})),
                                      ReactionSet::conePlusBall(0, 0.3));
    const SolverSettings s{.kind = SolverKind::newton, .law = FrictionLaw::associated, .tolerance = 1e-12};
    const Solution answer = solve(p, s);
    EXPECT_EQ(nameOf(answer.report.status), "converged");
    EXPECT_LT(answer.report.iterations, 15u);
}

// Numbers that went bad stay in their problem.
TEST(SecondOrderSolvers, SolveAProblemAfterOneThatWentBad) {
    const ContactProblem good = makeSmallPile(0.5, {1.5, 0.5, -0.3});
    ContactProblem bad = good;
    bad.offset[3].x = -1e300;  // squares of which overflow on the way
    for (const SolverKind kind : {SolverKind::interiorPoint, SolverKind::newton, SolverKind::automatic}) {
        const SolverSettings settings{.kind = kind, .law = FrictionLaw::associated, .tolerance = 1e-8};
        SolverWorkspace used;
        EXPECT_NE(nameOf(solve(bad, {}, settings, used).report.status), "converged");
        const Solution& after = solve(good, {}, settings, used);
        EXPECT_EQ(nameOf(after.report.status), "converged") << nameOf(kind);
        EXPECT_EQ(after.reactions, solve(good, settings).reactions) << nameOf(kind);
    }
}

TEST(InteriorPoint, FindsCoulombsLawItself) {
    const ContactProblem p = makeSmallPile(0.3, {0.5, 0.2, 0});
    const Solution answer = solveTightly(p, SolverKind::interiorPoint, FrictionLaw::coulomb);
    EXPECT_EQ(nameOf(answer.report.status), "converged");
    int sliding = 0;
    for (std::size_t i = 0; i < p.contactCount(); ++i) {
        const Vec3 &g = answer.reactions[i], &u = answer.velocities[i];
        if (g.x < 1e-3) continue;
        EXPECT_NEAR(u.x, 0, 1e-6) << "a loaded contact neither opens nor closes";
        sliding += std::hypot(u.y, u.z) > 1e-3;
    }
    EXPECT_GT(sliding, 3);
}

TEST(InteriorPoint, FindsCoulombsLawInPilesAtRest) {
    for (const int cells : {3, 4}) {
        for (const double friction : {0.3, 0.5, 0.8}) {
            const ContactProblem p = makeSmallPile(friction, {}, cells);
            const Solution answer =
                solve(p, {.kind = SolverKind::interiorPoint, .tolerance = 1e-8, .maxIterations = 3000});
            EXPECT_EQ(nameOf(answer.report.status), "converged")
                << cells << ' ' << friction << ' ' << answer.report.residuals.naturalMap << ' '
                << answer.report.iterations;
        }
    }
}

TEST(InteriorPoint, SolvesOneContactAndNone) {
    BodyContacts contacts;
    contacts.inverseMass = {0.5, 0};
    contacts.inverseInertia = {1.25, 0};
    contacts.contacts = {{{0, 0, 1}, 1, 0, 0, 1}};
    contacts.finish();
    ContactProblem one;
    one.contacts = contacts;
    one.sets = {ReactionSet::coulomb(0.3)};
    one.offset = {{-1, 0, 0}};
    for (const SolverKind kind : {SolverKind::interiorPoint, SolverKind::newton}) {
        const Solution answer = solveTightly(one, kind, FrictionLaw::coulomb);
        EXPECT_EQ(nameOf(answer.report.status), "converged");
        EXPECT_NEAR(answer.reactions[0].x, 2, 1e-7) << "mass 2 kg stopped from 1 m/s";

        ContactProblem none;
        none.contacts = BodyContacts{};
        const Solution empty = solveTightly(none, kind, FrictionLaw::coulomb);
        EXPECT_EQ(nameOf(empty.report.status), "converged");
    }
}

// A sphere of mass m that hits the ground at 1 m/s while it slides at 5 m/s, as in SlidingSphere, with H = diag(1, a,
// a): it lifts off by a mu times its slip.
TEST(SkewedLaw, SetsTheDilationOfASlidingContact) {
    const double mu = 0.2, mass = 2;
    BodyContacts contacts;
    contacts.inverseMass = {1 / mass, 0};
    contacts.inverseInertia = {2.5 / mass, 0};
    contacts.contacts = {{{0, 0, 1}, 1, 0, 0, 1}};
    contacts.finish();
    ContactProblem p;
    p.contacts = contacts;
    p.sets = {ReactionSet::coulomb(mu)};
    p.offset = {{-1, 3, 4}};
    for (const double a : {1.0, 0.5, 0.1, 1e-3}) {
        p.skew = {diagonal3({1, a, a})};
        const Solution answer = solveTightly(p, SolverKind::interiorPoint, FrictionLaw::associated, 1e-10);
        EXPECT_EQ(nameOf(answer.report.status), "converged") << a;
        const Vec3 u = answer.velocities[0];
        EXPECT_NEAR(u.x, a * mu * std::hypot(u.y, u.z), 1e-8) << a;
        // g_n/m - 1 = a mu (5 - 3.5 mu g_n/m)
        EXPECT_NEAR(answer.reactions[0].x, mass * (1 + 5 * a * mu) / (1 + 3.5 * a * mu * mu), 1e-7) << a;
    }
}

TEST(SkewedLaw, LetsPilesOpenLess) {
    ContactProblem p = makeSmallPile(0.3, {0.5, 0.2, 0});
    double last = 1;
    for (const double a : {1.0, 0.5, 0.1}) {
        p.skew.assign(p.contactCount(), diagonal3({1, a, a}));
        const Solution answer = solveTightly(p, SolverKind::interiorPoint, FrictionLaw::associated, 1e-7);
        EXPECT_EQ(nameOf(answer.report.status), "converged") << a;
        EXPECT_LT(answer.report.residuals.dilation, last) << a;
        last = answer.report.residuals.dilation;
    }
}

TEST(SkewedLaw, IsRefusedByOtherSolvers) {
    ContactProblem p = makeSmallPile(0.3);
    p.skew.assign(p.contactCount(), diagonal3({1, 0.5, 0.5}));
    for (const SolverSettings& s : firstOrderSolvers()) EXPECT_THROW(solve(p, s), InputError);
    EXPECT_EQ(chooseSolver(p, {.tolerance = 1e-2}).solver, SolverKind::interiorPoint);
}

TEST(Newton, NeedsFewStepsForCompliantContacts) {
    for (const double softness : {1.0, 1e-2, 1e-4}) {
        const ContactProblem p =
            withCompliance(makeSmallPile(0.5, {1.5, 0.5, -0.3}, 3), softness * diagonal3({0.3, 0.4, 0.4}));
        const Solution newton = solveTightly(p, SolverKind::newton, FrictionLaw::associated, 1e-12);
        EXPECT_EQ(nameOf(newton.report.status), "converged") << softness;
        EXPECT_LE(newton.report.iterations, 40u) << softness;
        const Solution point = solveTightly(p, SolverKind::interiorPoint, FrictionLaw::associated, 1e-10);
        EXPECT_LT(largestDifference(newton.velocities, point.velocities), 1e-6) << softness;
        EXPECT_LT(largestDifference(newton.reactions, point.reactions), 1e-5)
            << "reactions of compliant contacts are unique, " << softness;
    }
}

TEST(Newton, SolvesCoulombsLawWithComplianceAsGaussSeidelDoes) {
    const ContactProblem p = withCompliance(makeSmallPile(0.5, {1.5, 0.5, -0.3}), diagonal3({0.03, 0.04, 0.04}));
    const Solution newton = solveTightly(p, SolverKind::newton, FrictionLaw::coulomb, 1e-10);
    const Solution sweeps = solve(p, {.tolerance = 1e-10, .maxIterations = 1'000'000});
    EXPECT_EQ(nameOf(newton.report.status), "converged");
    EXPECT_LT(largestDifference(newton.velocities, sweeps.velocities), 1e-7);
}

TEST(Newton, IsQuickerFromTheAnswerOfTheStepBefore) {
    const Mat3 soft = 1e-2 * identity3();
    const ContactProblem before = withCompliance(makeSmallPile(0.5, {0.2, 0, -0.3}, 3), soft);
    const ContactProblem after = withCompliance(makeSmallPile(0.5, {0.201, 0, -0.3}, 3), soft);
    const SolverSettings settings{
        .kind = SolverKind::newton, .law = FrictionLaw::associated, .tolerance = 1e-8, .maxIterations = 200};
    const Solution cold = solve(before, settings);
    const Solution warm = solve(after, settings, cold.reactions);
    EXPECT_EQ(nameOf(warm.report.status), "converged");
    EXPECT_LE(warm.report.iterations, 12u);
}

TEST(SecondOrderSolvers, GiveTheSameBitsForAnyNumberOfThreads) {
    const ContactProblem p = makeSmallPile(0.5, {1.5, 0.5, -0.3}, 4);
    for (const SolverKind kind : {SolverKind::interiorPoint, SolverKind::newton}) {
        std::vector<Vec3> first;
        for (const int threads : {1, 2, 3}) {
            setThreadCount(threads);
            const Solution answer = solveTightly(p, kind, FrictionLaw::coulomb, 1e-6);
            if (threads == 1) first = answer.reactions;
            EXPECT_EQ(answer.reactions, first) << nameOf(kind) << " on " << threads << " threads";
        }
    }
    setThreadCount(1);
}

TEST(AutomaticChoice, FollowsSizeToleranceAndCompliance) {
    const ContactProblem rigid = makeSmallPile(0.5);
    EXPECT_EQ(chooseSolver(rigid, {.tolerance = 1e-8}).solver, SolverKind::interiorPoint);
    EXPECT_EQ(chooseSolver(rigid, {.tolerance = 1e-3}).solver, SolverKind::gaussSeidel) << "spheres";
    EXPECT_EQ(chooseSolver(rigid, {.law = FrictionLaw::associated, .tolerance = 1e-3}).solver, SolverKind::apgd);
    EXPECT_EQ(chooseSolver(withCompliance(rigid, identity3()), {.tolerance = 1e-3}).solver, SolverKind::newton);
    EXPECT_EQ(chooseSolver(withCompliance(rigid, 1e-3 * identity3()), {.tolerance = 1e-8}).solver,
              SolverKind::interiorPoint)
        << "nearly rigid";
    const ContactProblem rounded = withSets(rigid, ReactionSet::conePlusBall(0.4, 0.2));
    EXPECT_EQ(chooseSolver(rounded, {.tolerance = 1e-8}).solver, SolverKind::interiorPoint);
    EXPECT_EQ(chooseSolver(withCompliance(rounded, identity3()), {.tolerance = 1e-8}).solver, SolverKind::newton);
}

TEST(AutomaticChoice, FactorisesNothingLarge) {
    const ContactProblem large = makeLatticePile({.jitter = 0.02}, 9, 9, 9);
    ASSERT_GT(large.contactCount(), 3000u);
    SolverSettings s{.tolerance = 1e-8};
    EXPECT_EQ(chooseSolver(large, s).solver, SolverKind::gaussSeidel);
    s.law = FrictionLaw::associated;
    EXPECT_EQ(chooseSolver(large, s).solver, SolverKind::apgd);
}

TEST(AutomaticChoice, SaysWhatItTookAndWhy) {
    const Solution answer = solveTightly(makeSmallPile(0.5), SolverKind::automatic, FrictionLaw::coulomb);
    EXPECT_EQ(nameOf(answer.report.status), "converged");
    EXPECT_EQ(answer.report.solver, SolverKind::interiorPoint);
    EXPECT_EQ(answer.report.reason, "a tight tolerance");
}

}  // namespace
}  // namespace talus
