// Every kind of reaction set in the interior-point method: against a solver that shares nothing with it, and against
// what one contact must answer.
#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "problems/problem_collection.hpp"

namespace talus {
namespace {

constexpr double tolerance = 1e-8;

// A set of any kind, of parameters that occur and of those that are limits of others.
ReactionSet someSet(Random& random, FrictionLaw law) {
    const auto pick = [&](double low, double high) { return random.uniform(low, high); };
    const double friction = pick(0, 1) < 0.2 ? 0.0 : pick(0.05, 1), cohesion = pick(0, 1) < 0.3 ? 0.0 : pick(0, 0.5);
    const double cap = pick(0, 1) < 0.3 ? cohesion + 1e-3 : pick(0.05, 2), ball = pick(0.01, 0.5);
    const double ofBall = law == FrictionLaw::coulomb ? 0.0 : friction;  // friction where there is a ball
    switch (static_cast<int>(pick(0, 8))) {
        case 0:
            return ReactionSet::coulomb(friction);
        case 1:
            return ReactionSet::shiftedCone(friction, cohesion);
        case 2:
            return ReactionSet::conePlusBall(ofBall, ball);
        case 3:
            return ReactionSet::conePlusBall(ofBall, 1e-5 * ball);
        case 4:
            return ReactionSet::cappedConePlusBall(ofBall, cap, ball);
        case 5:
            return {.friction = ofBall, .cohesion = cohesion, .cap = cap, .ball = ball};
        case 6:
            return {.friction = friction, .cohesion = cohesion, .cap = cap};
        default:
            return ReactionSet::ballOf(ball);
    }
}

// Spheres in a box or discs in a plane, rigid or compliant, with sets of all kinds.
ContactProblem someProblem(Random& random, int k, FrictionLaw law) {
    const Vec3 velocity = random.inBox({-2, -2, -2}, {2, 2, 1});
    ContactProblem p = k % 5 == 4 ? makePlanarPile(0.3) : makeSmallPile(0.5, velocity, 1 + k % 2);
    if (k % 3 == 1) {
        for (std::size_t i = 0; i < p.contactCount(); ++i) {
            const double normal = std::pow(10.0, random.uniform(-3, 0.5)), tangent = normal * random.uniform(0.5, 2);
            p.compliance.push_back(diagonal3({normal, tangent, tangent}));
        }
    }
    for (ReactionSet& set : p.sets) set = someSet(random, law);
    for (std::size_t i = 0; i < p.contactCount(); i += 11) p.sets[i] = ReactionSet::free();
    return p;
}

// Velocities are unique, whatever the contacts; reactions if all contacts are compliant.
void expectTheAnswerOfGaussSeidel(FrictionLaw law) {
    Random random(11, law == FrictionLaw::coulomb ? 1 : 0);
    for (int k = 0; k < 40; ++k) {
        const ContactProblem p = someProblem(random, k, law);
        SolverSettings s{.kind = SolverKind::interiorPoint, .law = law, .tolerance = 1e-9, .maxIterations = 200};
        const Solution answer = solve(p, s);
        s.kind = SolverKind::gaussSeidel;
        s.tolerance = 1e-12;
        s.maxIterations = 200'000;
        const Solution expected = solve(p, s);
        if (expected.report.residuals.naturalMap > 1e-11) continue;  // no answer, or none that sweeps find
        EXPECT_LT(answer.report.residuals.naturalMap, tolerance) << k;
        EXPECT_LT(largestDifference(answer.velocities, expected.velocities), 30 * tolerance) << k;
        if (p.compliance.empty()) continue;
        EXPECT_LT(largestDifference(answer.reactions, expected.reactions), 30 * tolerance) << k;
    }
}

TEST(CapsAndBalls, HaveTheAnswerOfGaussSeidelOnRandomProblems) {
    expectTheAnswerOfGaussSeidel(FrictionLaw::associated);
}
TEST(CapsAndBalls, HaveItWithCoulombsLaw) { expectTheAnswerOfGaussSeidel(FrictionLaw::coulomb); }

// A mass of 2 kg on a spring and a floor: one contact alone.
ContactProblem oneContact(const ReactionSet& set, const Vec3& offset, double compliance = 0) {
    BodyContacts contacts;
    contacts.inverseMass = {0.5, 0};
    contacts.inverseInertia = {1.25, 0};
    contacts.contacts = {{{0, 0, 1}, 1, 0, 0, 1}};
    contacts.finish();
    ContactProblem p;
    p.contacts = contacts;
    p.sets = {set};
    p.offset = {offset};
    if (compliance > 0) p.compliance = {compliance * identity3()};
    return p;
}

Solution solveOne(const ContactProblem& p, FrictionLaw law = FrictionLaw::associated) {
    return solve(p, {.kind = SolverKind::interiorPoint, .law = law, .tolerance = 1e-9, .maxIterations = 2000});
}

// W is diag(1/2, 7/4, 7/4): mass 2 kg along the normal, 4/7 kg across it where the sphere turns.
TEST(CapsAndBalls, StopOneSphereAsFarAsTheyCan) {
    const auto along = [](const ReactionSet& set, double speed) {
        return solveOne(oneContact(set, {-speed, 0, 0})).reactions[0].x;
    };
    const ReactionSet capped = ReactionSet::cappedConePlusBall(0.5, 1, 0);
    EXPECT_NEAR(along(capped, 0.3), 0.6, 1e-8) << "below the cap it stops";
    EXPECT_NEAR(along(capped, 2), 1, 1e-8) << "above it gives way";
    EXPECT_NEAR(along(ReactionSet::conePlusBall(0.5, 0.2), -1), -0.2, 1e-8) << "a ball holds on";
    EXPECT_NEAR(along(ReactionSet::conePlusBall(0.5, 0.2), -0.05), -0.1, 1e-8) << "and stops what it can";
    EXPECT_NEAR(along({.friction = 0.5, .cohesion = 0.3, .cap = 1, .ball = 0.2}, -1), -0.5, 1e-8);
    EXPECT_NEAR(along({.friction = 0.5, .cohesion = 0.3, .cap = 1, .ball = 0.2}, 2), 1.2, 1e-8);
    EXPECT_NEAR(along({.cohesion = 0.3, .cap = 0.4}, 2), 0.4, 1e-8) << "without friction";
    EXPECT_NEAR(along({.cohesion = 0.3, .cap = 0.4}, -2), -0.3, 1e-8);
}

TEST(CapsAndBalls, LetOneSphereSlideByWhatTheyBearAcross) {
    const auto across = [](const ReactionSet& set, double compliance) {
        return solveOne(oneContact(set, {0, 3, 4}, compliance)).reactions[0];
    };
    const Vec3 ball = across(ReactionSet::ballOf(0.2), 0);
    EXPECT_LT(norm(ball - Vec3{0, -0.12, -0.16}), 1e-8) << "a ball opposes the slip";
    const Vec3 rounded = across(ReactionSet::conePlusBall(0, 0.2), 0.1);
    EXPECT_LT(norm(rounded - Vec3{0, -0.12, -0.16}), 1e-8) << "without friction nothing else does";
}

// Where the answer is known whatever the parameters: the projection of -q in the metric of W, found by minimise().
TEST(CapsAndBalls, AnswerAsOneContactDoesInItsLimits) {
    const std::vector<ReactionSet> sets = {{.friction = 0, .cap = 0.5},
                                           {.friction = 0.4, .cohesion = 0.5, .cap = 0.5},
                                           {.friction = 0.4, .cohesion = 0.5, .cap = 0.5, .ball = 0.1},
                                           {.friction = 0.4, .cap = 1e-6},
                                           {.friction = 0.4, .cap = 1e6, .ball = 1e6},
                                           {.friction = 0.4, .cap = 0.5, .ball = 1e-8},
                                           {.friction = 1e3, .cap = 0.5, .ball = 0.1},
                                           {.friction = 1e-3, .cap = 0.5, .ball = 0.1},
                                           {.friction = 0.4, .cohesion = 0.2, .cap = -0.2, .ball = 0.3},
                                           {.cohesion = 0.2, .cap = -0.2, .ball = 0.3}};
    Random random(12, 0);
    for (std::size_t k = 0; k < sets.size(); ++k) {
        for (int trial = 0; trial < 20; ++trial) {
            const ContactProblem p =
                oneContact(sets[k], random.inBox({-2, -2, -2}, {2, 2, 2}), trial % 2 == 0 ? 0.0 : 0.3);
            const Vec3 expected = minimise(sets[k], p.diagonal(0), p.offset[0]);
            const Solution answer = solveOne(p);
            EXPECT_LT(norm(answer.reactions[0] - expected), 1e-7 * std::max(1.0, norm(expected)))
                << "set " << k << ", trial " << trial << ", " << nameOf(answer.report.status);
        }
    }
}

// Where a ball goes with friction Coulomb's law is a sequence of convex problems.
TEST(CapsAndBalls, GoWithCoulombsLaw) {
    Random random(13, 0);
    for (int trial = 0; trial < 20; ++trial) {
        const ReactionSet set{.friction = 0.4, .cohesion = 0.1, .cap = 0.8, .ball = trial % 2 == 0 ? 0.2 : 0.0};
        const ContactProblem p = oneContact(set, random.inBox({-2, -2, -2}, {1, 2, 2}));
        const Vec3 expected = solveContact(set, FrictionLaw::coulomb, p.diagonal(0), p.offset[0]);
        EXPECT_LT(norm(solveOne(p, FrictionLaw::coulomb).reactions[0] - expected), 1e-7) << trial;
    }
}

// -H u is normal to the set: u = H^-1 times what the associated law has.
TEST(CapsAndBalls, GoWithASkewedLaw) {
    const Mat3 skew{{1, 0.1, 0, 0, 0.5, 0, 0, 0, 0.5}};
    Random random(14, 0);
    for (const ReactionSet& set : {ReactionSet{.friction = 0.4, .cap = 0.8}, ReactionSet{.friction = 0.4, .ball = 0.2},
                                   ReactionSet{.friction = 0.4, .cohesion = 0.1, .cap = 0.5, .ball = 0.2}}) {
        for (int trial = 0; trial < 10; ++trial) {
            ContactProblem p = oneContact(set, random.inBox({-2, -2, -2}, {1, 2, 2}));
            p.skew = {skew};
            const Solution answer = solveOne(p);
            const Vec3 &g = answer.reactions[0], seen = skew * answer.velocities[0];
            EXPECT_LT(norm(g - project(set, g - seen)), 1e-7) << trial;
            EXPECT_LT(violation(set, g), 1e-8) << trial;
        }
    }
}

TEST(CapsAndBalls, GiveTheSameBitsForAnyNumberOfThreads) {
    Random random(15, 0);
    const ContactProblem p = someProblem(random, 3, FrictionLaw::associated);
    std::vector<Vec3> first;
    for (const int threads : {1, 2, 3}) {
        setThreadCount(threads);
        const Solution answer = solve(p, {.kind = SolverKind::interiorPoint, .law = FrictionLaw::associated});
        if (threads == 1) first = answer.reactions;
        EXPECT_EQ(answer.reactions, first) << threads << " threads";
    }
    setThreadCount(1);
}

}  // namespace
}  // namespace talus
