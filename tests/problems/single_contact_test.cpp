// A sphere that meets the ground, against what can be worked out by hand.
#include <gtest/gtest.h>

#include "problems/problem_collection.hpp"

namespace talus {
namespace {

constexpr double mass = 2, radius = 0.5, inertia = 0.4 * mass * radius * radius;

// A sphere that touches the ground with this velocity (normal, first, second tangent) and no spin.
ContactProblem makeImpact(double friction, const Vec3& velocity) {
    BodyContacts contacts;
    contacts.inverseMass = {0, 1 / mass};
    contacts.inverseInertia = {0, 1 / inertia};
    contacts.contacts = {{{0, 0, 1}, radius, 0, 1, 0}};
    contacts.finish();
    ContactProblem p;
    p.contacts = std::move(contacts);
    p.sets = {ReactionSet::coulomb(friction)};
    p.offset = {velocity};
    return p;
}

Solution solveTightly(const ContactProblem& p, SolverSettings s, FrictionLaw law) {
    s.law = law;
    s.tolerance = 1e-11;
    s.maxIterations = 10'000;
    return solve(p, s);
}

void expectNear(const Vec3& a, const Vec3& b) { EXPECT_LT(norm(a - b), 1e-10) << a.x << ' ' << a.y << ' ' << a.z; }

TEST(FallingSphere, StopsAtTheGround) {
    for (const SolverSettings& s : everySolver()) {
        for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
            const Solution answer = solveTightly(makeImpact(0.5, {-3, 0, 0}), s, law);
            EXPECT_EQ(answer.report.status, SolveStatus::converged);
            expectNear(answer.reactions[0], {mass * 3, 0, 0});
            expectNear(answer.velocities[0], {});
        }
    }
}

TEST(RisingSphere, IsLeftAlone) {
    for (const SolverSettings& s : firstOrderSolvers()) {
        const Solution answer = solveTightly(makeImpact(0.5, {1, 5, 0}), s, FrictionLaw::coulomb);
        EXPECT_EQ(answer.reactions[0], Vec3{});
        expectNear(answer.velocities[0], {1, 5, 0});
    }
}

TEST(SlidingSphere, LosesFrictionTimesItsImpactAndStaysOnTheGround) {
    const double mu = 0.2;
    for (const SolverSettings& s : everySolver()) {
        const Solution answer = solveTightly(makeImpact(mu, {-1, 3, 4}), s, FrictionLaw::coulomb);
        EXPECT_EQ(answer.report.status, SolveStatus::converged);
        // Impulse mass 1 up, mu times that against (0.6, 0.8); the slip falls by 7/2 of its part in the velocity.
        expectNear(answer.reactions[0], {mass, -mu * mass * 0.6, -mu * mass * 0.8});
        const double slip = 5 - 3.5 * mu;
        expectNear(answer.velocities[0], {0, slip * 0.6, slip * 0.8});
    }
}

TEST(SlidingSphere, LiftsOffByFrictionTimesItsSlipWithTheAssociatedLaw) {
    const double mu = 0.2;
    for (const SolverSettings& s : everySolver()) {
        const Solution answer = solveTightly(makeImpact(mu, {-1, 3, 4}), s, FrictionLaw::associated);
        // g_n/m - 1 = mu (5 - 3.5 mu g_n/m)
        const double push = mass * (1 + 5 * mu) / (1 + 3.5 * mu * mu), slip = 5 - 3.5 * mu * push / mass;
        expectNear(answer.reactions[0], {push, -mu * push * 0.6, -mu * push * 0.8});
        expectNear(answer.velocities[0], {mu * slip, slip * 0.6, slip * 0.8});
        EXPECT_NEAR(answer.report.residuals.dilation, mu * slip, 1e-10);
    }
}

TEST(SlowSphere, SticksAndRollsAtFiveSevenths) {
    // Sticking needs an impulse of 2/7 m v, which friction 0.5 allows here.
    for (const SolverSettings& s : everySolver()) {
        for (const FrictionLaw law : {FrictionLaw::associated, FrictionLaw::coulomb}) {
            const Solution answer = solveTightly(makeImpact(0.5, {-1, 0.7, 0}), s, law);
            expectNear(answer.reactions[0], {mass, -2.0 / 7 * mass * 0.7, 0});
            expectNear(answer.velocities[0], {});
        }
    }
}

TEST(CompliantSphere, SinksInInProportionToItsReaction) {
    ContactProblem p = makeImpact(0, {-3, 0, 0});
    p.compliance = {diagonal3({0.25, 0, 0})};
    for (const SolverSettings& s : everySolver()) {
        // (1/m + 0.25) g = 3
        expectNear(solveTightly(p, s, FrictionLaw::coulomb).reactions[0], {4, 0, 0});
    }
}

TEST(StickySphere, IsHeldByCohesionUpToItsStrength) {
    ContactProblem p = makeImpact(0.5, {1, 0, 0});
    for (const SolverSettings& s : everySolver()) {
        p.sets = {ReactionSet::shiftedCone(0.5, 3)};  // stronger than m v = 2
        expectNear(solveTightly(p, s, FrictionLaw::coulomb).reactions[0], {-2, 0, 0});
        p.sets = {ReactionSet::shiftedCone(0.5, 1.5)};  // weaker
        expectNear(solveTightly(p, s, FrictionLaw::coulomb).reactions[0], {-1.5, 0, 0});
        expectNear(solveTightly(p, s, FrictionLaw::coulomb).velocities[0], {0.25, 0, 0});
    }
}

TEST(JoinedSphere, StopsWhateverItsVelocity) {
    ContactProblem p = makeImpact(0, {1, -2, 3});
    p.sets = {ReactionSet::free()};
    for (const SolverSettings& s : everySolver()) {
        expectNear(solveTightly(p, s, FrictionLaw::coulomb).velocities[0], {});
    }
}

TEST(CrushedSphere, PushesWithItsCapAndNoMore) {
    ContactProblem p = makeImpact(0, {-3, 0, 0});
    p.sets = {ReactionSet::cappedConePlusBall(0.3, 4, 0)};
    for (const SolverSettings& s : firstOrderSolvers()) {
        const Solution answer = solveTightly(p, s, FrictionLaw::associated);
        expectNear(answer.reactions[0], {4, 0, 0});
        expectNear(answer.velocities[0], {-1, 0, 0});
    }
}

}  // namespace
}  // namespace talus
