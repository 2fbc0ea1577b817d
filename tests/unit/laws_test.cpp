// The contact law as a function of numbers: no world, no time steps but those made here.
#include "laws/contact_law.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <vector>

#include "laws/pair_law.hpp"

namespace talus {
namespace {

PairLaw lawFor(const LawKinds& kinds, const ContactProperties& contact) {
    return makePairLaw(kinds, DampingLaw::restitution, {1e7, 0.3}, {1e7, 0.3}, contact);
}

// A load path: overlap and tangential place as sums of sines of random size, the same in every direction.
struct LoadPath {
    std::vector<double> sizes;

    double wave(int offset, double t) const {
        double sum = 0;
        for (int k = 0; k < 3; ++k)
            sum += sizes[static_cast<std::size_t>(offset + k)] * std::sin((k + 1) * 2 * M_PI * t);
        return sum;
    }
    double overlap(double t) const { return 1e-5 * (1 + 0.3 * wave(0, t)); }
    Vec3 place(double t) const { return 2e-6 * Vec3{wave(3, t), wave(6, t), 0}; }
};

LoadPath anyPath() {
    const auto sizes = *rc::gen::container<std::vector<double>>(
        9, rc::gen::map(rc::gen::inRange(-100, 101), [](int n) { return 0.01 * n; }));
    return {sizes};
}

struct PathResult {
    double work = 0;        // J, put in
    double stored = 0;      // J, at the end, more than at the start
    double heat = 0;        // J, tallied
    double scale = 0;       // J, the largest energy on the way
    double worstShare = 0;  // largest |T| / (mu N)
};

constexpr double radius = 5e-3, mass = 1e-3, spinInertia = 1e8;  // m, kg, 1/(kg m^2)

PairGeometry geometryAt(const LoadPath& path, double t, double dt) {
    PairGeometry g;
    g.overlap = path.overlap(t);
    g.normal = g.midNormal = {0, 0, 1};
    const double h = 1e-6;
    const Vec3 rate = (path.place(t + h) - path.place(t - h)) / (2 * h);
    g.velocity = {rate.x, rate.y, -(path.overlap(t + h) - path.overlap(t - h)) / (2 * h)};
    g.slip = path.place(t) - path.place(t - dt);
    g.radius = radius;
    g.mass = mass;
    g.inverseInertia = spinInertia;
    return g;
}

PathResult follow(const LawKinds& kinds, const PairLaw& law, const LoadPath& path) {
    constexpr int steps = 4000;
    constexpr double dt = 1.0 / steps;
    PathResult result;
    TangentSpring spring;
    RollingSpring rolling;
    Tally tally;
    PairGeometry g = geometryAt(path, 0, 0);
    g.slip = {};
    Vec3 force = evaluate(kinds, law, g, 0.0, spring, &rolling, tally).force;
    const double start = storedEnergy(kinds, law, g, spring, &rolling).total();
    for (int k = 1; k <= steps; ++k) {
        g = geometryAt(path, k * dt, dt);
        const ContactForce now = evaluate(kinds, law, g, dt, spring, &rolling, tally);
        // The force on the owner, against the owner's way.
        const Vec3 way = g.slip - Vec3{0, 0, path.overlap(k * dt) - path.overlap((k - 1) * dt)};
        result.work -= 0.5 * dot(force + now.force, way);
        force = now.force;
        const double stored = storedEnergy(kinds, law, g, spring, &rolling).total();
        result.scale = std::max({result.scale, stored, std::abs(result.work)});
        result.stored = stored - start;
        const Vec3 tangential = now.force - now.normal * g.normal;
        if (now.normal > 0)
            result.worstShare = std::max(result.worstShare, norm(tangential) / (law.friction * now.normal));
    }
    result.heat = tally.sum.total();
    return result;
}

class AnyLoadPath : public testing::TestWithParam<NormalLaw> {};

TEST_P(AnyLoadPath, CreatesNoEnergyAndAllOfItIsAccountedFor) {
    const LawKinds kinds{.normal = GetParam()};
    EXPECT_TRUE(rc::check("work = stored + heat, heat >= 0", [&] {
        const double friction = 0.05 * *rc::gen::inRange(1, 20);
        const PairLaw law = lawFor(kinds, {.friction = friction, .restitution = 1});
        const PathResult result = follow(kinds, law, anyPath());
        RC_ASSERT(result.work - result.stored >= -1e-3 * result.scale);
        RC_ASSERT(result.heat >= -1e-3 * result.scale);
        // Of second order in the 4000 steps, by the normal force; what the tangential one does is counted exactly.
        RC_ASSERT(std::abs(result.work - result.stored - result.heat) <= 1e-5 * result.scale);
    }));
}

TEST_P(AnyLoadPath, NeverExceedsCoulombsLimitSpringAndDashpotTogether) {
    const LawKinds kinds{.normal = GetParam()};
    EXPECT_TRUE(rc::check("|T| <= mu N", [&] {
        const double friction = 0.05 * *rc::gen::inRange(1, 20);
        const PairLaw law = lawFor(kinds, {.friction = friction, .restitution = 0.3});
        RC_ASSERT(follow(kinds, law, anyPath()).worstShare <= 1 + 1e-12);
    }));
}

INSTANTIATE_TEST_SUITE_P(Of, AnyLoadPath, testing::Values(NormalLaw::hooke, NormalLaw::hertz));

// How far the force of a loaded spring is from turning with the pair, which turns by two radians as a rigid body.
double turningError(const Vec3& axis, int steps) {
    const LawKinds kinds;
    const PairLaw law = lawFor(kinds, {.friction = 10, .restitution = 1});
    TangentSpring spring{.stretch = {1e-7, 2e-7, 0}, .contactRadius = std::sqrt(radius * 1e-5)};
    NoTally tally;
    PairGeometry g{.overlap = 1e-5, .normal = {0, 0, 1}, .midNormal = {0, 0, 1}, .radius = radius, .mass = mass};
    const Vec3 first = evaluate(kinds, law, g, 0.0, spring, nullptr, tally).force;
    const Vec3 turn = 2.0 * normalized(axis);
    for (int k = 1; k <= steps; ++k) {
        g.normal = rotate(rotationBy((1.0 * k / steps) * turn), Vec3{0, 0, 1});
        g.midNormal = rotate(rotationBy(((k - 0.5) / steps) * turn), Vec3{0, 0, 1});
        g.twist = dot(turn, g.normal) / steps;
        evaluate(kinds, law, g, 1e-6, spring, nullptr, tally);
    }
    g.twist = 0;
    const Vec3 last = evaluate(kinds, law, g, 0.0, spring, nullptr, tally).force;
    return norm(last - rotate(rotationBy(turn), first)) / std::hypot(first.x, first.y);
}

TEST(TangentSpring, TurnsWithThePair) {
    // Rolling over is exact. A twist lengthens the spring by half its square in every step.
    EXPECT_LT(turningError({1, 0, 0}, 1000), 1e-9);
    for (const Vec3& axis : {Vec3{0, 0, 1}, Vec3{0.3, -0.7, 0.5}}) {
        EXPECT_LT(turningError(axis, 1000), 2.1e-3);
        EXPECT_LT(turningError(axis, 4000), 0.3 * turningError(axis, 1000));
    }
}

TEST(ContactLaw, GivesThePresentForceAndKeepsItsMemoryIfNoTimePasses) {
    const LawKinds kinds{.rolling = RollingLaw::spring};
    const PairLaw law = lawFor(kinds, {.rollingFriction = 0.2});
    const PairGeometry g{.overlap = 1e-5,
                         .normal = {0, 0, 1},
                         .midNormal = {0, 0, 1},
                         .radius = radius,
                         .mass = mass,
                         .inverseInertia = spinInertia};
    TangentSpring spring{.stretch = {1e-8, 0, 0}, .contactRadius = std::sqrt(radius * 1e-5)};
    RollingSpring rolling{.turn = {0, 1e-5, 0}};
    NoTally tally;
    const ContactForce first = evaluate(kinds, law, g, 0.0, spring, &rolling, tally);
    EXPECT_EQ(spring.stretch, (Vec3{1e-8, 0, 0}));
    EXPECT_EQ(rolling.turn, (Vec3{0, 1e-5, 0}));
    EXPECT_EQ(evaluate(kinds, law, g, 0.0, spring, &rolling, tally).force, first.force);
    EXPECT_NEAR(first.force.z, 4.0 / 3 * law.modulus * std::sqrt(radius) * std::pow(1e-5, 1.5), 1e-12);
    EXPECT_NEAR(first.force.x, -8 * law.shearModulus * spring.contactRadius * 1e-8, 1e-12);
}

TEST(RollingSpring, AndItsDashpotTogetherObeyTheLimit) {
    const LawKinds kinds{.rolling = RollingLaw::spring};
    const PairLaw law = lawFor(kinds, {.rollingFriction = 0.1, .rollingDamping = 0.5});
    PairGeometry g{.overlap = 1e-5,
                   .normal = {0, 0, 1},
                   .midNormal = {0, 0, 1},
                   .radius = radius,
                   .mass = mass,
                   .inverseInertia = spinInertia};
    TangentSpring spring;
    RollingSpring rolling;
    Tally tally;
    for (const double rate : {1.0, 100.0, -300.0}) {
        g.rollingRate = {rate, 0, 0};
        const ContactForce f = evaluate(kinds, law, g, 1e-6, spring, &rolling, tally);
        EXPECT_LE(norm(f.couple), law.rollingFriction * radius * f.normal * (1 + 1e-12));
        EXPECT_LT(dot(f.couple, g.rollingRate), 0);
    }
    EXPECT_GT(tally.sum.rolling, 0);
}

// Velocities foreseen for the end of a step are such that a dashpot is stable up to all of the motion.
TEST(Dashpots, HoweverStrongTakeTwoThirdsOfTheMotionOfTheirContactInAStepAtMost) {
    const LawKinds kinds{.rolling = RollingLaw::spring};
    PairLaw law = lawFor(kinds, {.friction = 1e9, .rollingFriction = 0.2, .rollingDamping = 1e9});
    law.dampingRatio = 1e9;
    PairGeometry g{.overlap = 1e-5,
                   .normal = {0, 0, 1},
                   .midNormal = {0, 0, 1},
                   .radius = radius,
                   .mass = mass,
                   .inverseInertia = spinInertia};
    const double dt = 1e-6;
    NoTally tally;
    const auto forceAt = [&](const Vec3& velocity, const Vec3& rolling) {
        TangentSpring spring{.stretch = {}, .contactRadius = std::sqrt(radius * 1e-5)};
        RollingSpring turned{.turn = {-dt * rolling}};  // of which the spring lets go
        g.velocity = velocity;
        g.rollingRate = rolling;
        return evaluate(kinds, law, g, dt, spring, &turned, tally);
    };
    const ContactForce still = forceAt({}, {}), closing = forceAt({0, 0, -1}, {}), sliding = forceAt({0.1, 0, -1}, {});
    EXPECT_NEAR(dt * (closing.normal - still.normal) / mass, 2.0 / 3, 1e-9);
    EXPECT_NEAR(dt * -sliding.force.x / (2.0 / 7 * mass), 0.1 * 2 / 3, 1e-9);
    EXPECT_NEAR(dt * spinInertia * -forceAt({0, 0, -1}, {1, 0, 0}).couple.x, 2.0 / 3, 1e-6);
    EXPECT_NEAR(still.rollingDashpot * dt * spinInertia, 2.0 / 3, 1e-9);
}

// The spring-dashpot ends where its force vanishes: e = exp(-zeta t), tan(omega t) = 2 zeta omega / (2 zeta^2 - 1).
TEST(Restitution, OfAHookeDashpotIsThatOfTheClosedForm) {
    for (const double zeta : {0.01, 0.1, 0.3, 0.7, 0.95}) {
        const double omega = std::sqrt(1 - zeta * zeta);
        const double time = std::atan2(2 * zeta * omega, 2 * zeta * zeta - 1) / omega;
        EXPECT_NEAR(restitutionFor(NormalLaw::hooke, zeta), std::exp(-zeta * time), 1e-6) << "zeta " << zeta;
    }
}

// Antypov and Elliott (EPL 94, 2011) solve the Hertz impact of a contact that pulls until the overlap is gone. One that
// does not pull ends sooner and returns more; the numbers are of a separate integration.
TEST(Restitution, OfAHertzDashpotThatDoesNotPullIsAboveThatOfTheClosedFormForOneThatDoes) {
    const auto withRatioOf = [](double e) {
        const double zeta = -std::sqrt(5.0 / 6) * std::log(e) / std::hypot(std::log(e), M_PI);
        return restitutionFor(NormalLaw::hertz, zeta);
    };
    EXPECT_NEAR(withRatioOf(0.9), 0.9020, 1e-4);
    EXPECT_NEAR(withRatioOf(0.7), 0.7182, 1e-4);
    EXPECT_NEAR(withRatioOf(0.5), 0.5503, 1e-4);
    EXPECT_NEAR(withRatioOf(0.1), 0.2527, 1e-4);
}

TEST(Restitution, AndDampingRatioAreInversesOfEachOther) {
    for (const NormalLaw normal : {NormalLaw::hooke, NormalLaw::hertz}) {
        for (const double e : {0.05, 0.1, 0.3, 0.5, 0.8, 0.95, 0.999}) {
            EXPECT_NEAR(restitutionFor(normal, dampingRatioFor(normal, e)), e, 1e-9);
        }
        EXPECT_EQ(dampingRatioFor(normal, 1), 0);
    }
}

TEST(MixedMaterials, HaveTheMeansTheHeaderPromises) {
    const ContactProperties a{.friction = 0.2, .restitution = 0.4, .stiffness = 1000, .tangentialRatio = 0.2},
        b{.friction = 0.8, .restitution = 0.9, .stiffness = 3000, .tangentialRatio = 0.4};
    const ContactProperties both = mix(a, b);
    EXPECT_DOUBLE_EQ(both.friction, 0.4);
    EXPECT_DOUBLE_EQ(both.restitution, 0.6);
    EXPECT_DOUBLE_EQ(both.stiffness, 1500) << "two springs in series, of a pair";
    EXPECT_DOUBLE_EQ(both.tangentialRatio, 0.3);
    const ContactProperties same = mix(a, a);
    EXPECT_DOUBLE_EQ(same.friction, a.friction);
    EXPECT_DOUBLE_EQ(same.stiffness, a.stiffness);
}

TEST(PairLaw, HasTheEffectiveModuliOfHertzAndMindlin) {
    const PairLaw law = makePairLaw({}, DampingLaw::viscous, {2e9, 0.25}, {5e9, 0.4}, {.viscosity = 0.7});
    EXPECT_NEAR(law.modulus, 1 / ((1 - 0.0625) / 2e9 + (1 - 0.16) / 5e9), 1);
    const double shearA = 2e9 / (2 * 1.25), shearB = 5e9 / (2 * 1.4);
    EXPECT_NEAR(law.shearModulus, 1 / ((2 - 0.25) / shearA + (2 - 0.4) / shearB), 1);
    EXPECT_EQ(law.dampingRatio, 0.7);
}

}  // namespace
}  // namespace talus
