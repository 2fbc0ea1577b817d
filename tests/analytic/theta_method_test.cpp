// The theta method: rigid and elastic contacts, against closed forms.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05;               // m
constexpr double gravity = 9.81;              // m/s^2
constexpr double stiffness = 1e5;             // N/m
constexpr std::uint32_t ball = 0, other = 1;  // ids

ContactDynamicsSettings byTheta(double theta, ContactKind contacts) {
    return {.tolerance = 1e-13,
            .maxIterations = 100000,
            .restitution = RestitutionRule::none,
            .contacts = contacts,
            .theta = theta};
}

Substance springs(double k, double friction = 0) {
    Substance s;
    s.kinds.normal = NormalLaw::hooke;
    s.contact = {.friction = friction, .restitution = 0.5, .stiffness = k, .tangentialRatio = 0.5};
    return s;
}

// Two equal balls, one at rest, the other coming at 1 m/s from this far away.
Trial headOn(double theta, ContactKind contacts, double k, double gap, double dt) {
    WorldState world = makeWorld(springs(k));
    addBody(world, {.radius = radius, .position = {0, 0, 0}, .velocity = {1, 0, 0}});
    addBody(world, {.radius = radius, .position = {2 * radius + gap, 0, 0}});
    return Trial(std::move(world), dt, byTheta(theta, contacts));
}

double partingSpeed(const Trial& t) { return t.velocity(other).x - t.velocity(ball).x; }

TEST(ThetaMethod, BouncesRigidBallsByOneMinusThetaOverTheta) {
    for (const double theta : {0.5, 0.6, 0.75, 0.9, 1.0}) {
        for (const double gap : {0.0, 1e-3, 1.23e-3, 1.9e-3}) {  // the step goes 1 mm
            Trial trial = headOn(theta, ContactKind::rigid, 0, gap, 1e-3);
            trial.advance(0.01);
            EXPECT_NEAR(partingSpeed(trial), (1 - theta) / theta, 1e-9) << theta << ", gap " << gap;
            EXPECT_NEAR(trial.velocity(ball).x + trial.velocity(other).x, 1, 1e-12);
        }
    }
}

TEST(ThetaMethod, BouncesElasticBallsLikeRigidOnesIfTheStepIsMuchLongerThanTheContact) {
    for (const double theta : {0.5, 0.6, 0.75, 0.9, 1.0}) {
        double last = 1;
        for (const double k : {1e9, 1e11, 1e13}) {  // contact times of 1e-4 s and less
            Trial trial = headOn(theta, ContactKind::elastic, k, 0, 1e-2);
            trial.step();
            const double error = std::abs(partingSpeed(trial) - (1 - theta) / theta);
            EXPECT_LT(error, 2e-4 * 1e9 / k + 1e-9) << theta << ", stiffness " << k;
            EXPECT_LE(error, last) << "rigid is the limit";
            last = error + 1e-12;
        }
    }
}

TEST(ThetaMethod, NeverBouncesStiffBallsFasterThanTheyCame) {
    for (const double theta : {0.5, 0.7, 1.0}) {
        for (double gap = 0; gap < 2e-3; gap += 1.7e-4) {
            Trial trial = headOn(theta, ContactKind::elastic, 1e10, gap, 1e-3);
            trial.advance(0.02);
            EXPECT_GE(partingSpeed(trial), -1e-12);
            EXPECT_LE(partingSpeed(trial), (1 - theta) / theta + 1e-4) << theta << ", gap " << gap;
        }
    }
}

// How long two balls touch and what is left of their relative speed, with so many steps per contact time.
struct Impact {
    double duration, restitution;
};
Impact resolvedImpact(double theta, double steps) {
    const double mass = 0.5 * massOf(radius), time = M_PI * std::sqrt(mass / stiffness);
    Trial trial = headOn(theta, ContactKind::elastic, stiffness, 0, time / steps);
    int touching = 0;
    for (int k = 0; k < 3 * steps; ++k) {
        trial.step();
        touching += !sampleContacts(trial.world).empty();
    }
    return {touching * trial.settings.dt / time, partingSpeed(trial)};
}

TEST(ThetaMethod, KeepsTheEnergyOfAResolvedElasticImpactAndItsDurationWithThetaOneHalf) {
    const Impact coarse = resolvedImpact(0.5, 20.3), fine = resolvedImpact(0.5, 200.3);
    EXPECT_NEAR(coarse.restitution, 1, 2e-2);
    EXPECT_NEAR(fine.restitution, 1, 2e-4);
    EXPECT_NEAR(coarse.duration, 1, 0.08);
    EXPECT_NEAR(fine.duration, 1, 0.008);
}

TEST(ThetaMethod, LosesEnergyOfAResolvedImpactToFirstOrderWithThetaAboveOneHalf) {
    const auto loss = [](double steps) { return 1 - resolvedImpact(1, steps).restitution; };
    EXPECT_GT(loss(50), 0.05);
    EXPECT_NEAR(loss(200) / loss(400), 2, 0.15);
    EXPECT_NEAR(loss(400) / loss(800), 2, 0.15);
}

// A ball pressed on the floor by its weight, lifted a little less than would part it, and let go.
Trial bouncingOnASpring(double theta, double dt) {
    WorldState world = makeWorld(springs(stiffness));
    world.gravity = {0, 0, -gravity};
    const double sag = massOf(radius) * gravity / stiffness;
    addBody(world, {.radius = radius, .position = {0, 0, radius - 0.2 * sag}});
    addFloor(world);
    return Trial(std::move(world), dt, byTheta(theta, ContactKind::elastic));
}

TEST(ThetaMethod, SwingsAtTheFrequencyOfMassAndSpring) {
    const double omega = std::sqrt(stiffness / massOf(radius)), dt = 0.1 / omega;
    Trial trial = bouncingOnASpring(0.5, dt);
    const double sag = massOf(radius) * gravity / stiffness, middle = radius - sag;
    // The trapezoidal rule has the frequency 2/dt atan(omega dt/2), and neither grows nor decays.
    const double numerical = 2 / dt * std::atan(0.5 * omega * dt);
    double largest = 0;
    for (int k = 1; k <= 2000; ++k) {
        trial.step();
        const double wanted = middle + 0.8 * sag * std::cos(numerical * trial.world.time);
        largest = std::max(largest, std::abs(trial.position(ball).z - wanted) / sag);
    }
    EXPECT_LT(largest, 1e-9);
    EXPECT_NEAR(numerical / omega, 1, 1e-3);
}

TEST(ThetaMethod, IsOfSecondOrderForThetaOneHalfAndOfFirstOrderOtherwise) {
    const double omega = std::sqrt(stiffness / massOf(radius)), sag = gravity / (omega * omega), end = 3 / omega;
    const auto error = [&](double theta, int steps) {
        Trial trial = bouncingOnASpring(theta, end / steps);
        for (int k = 0; k < steps; ++k) trial.step();
        return std::abs(trial.position(ball).z - (radius - sag + 0.8 * sag * std::cos(omega * end))) / sag;
    };
    EXPECT_NEAR(std::log2(error(0.5, 100) / error(0.5, 200)), 2, 0.1);
    EXPECT_NEAR(std::log2(error(0.7, 400) / error(0.7, 800)), 1, 0.1);
    EXPECT_NEAR(std::log2(error(1.0, 400) / error(1.0, 800)), 1, 0.1);
}

TEST(ThetaMethod, LetsAStackRestOnOverlapsOfLoadTimesCompliance) {
    constexpr int count = 6;
    WorldState world = makeWorld(springs(stiffness, 0.5));
    world.gravity = {0, 0, -gravity};
    for (int k = 0; k < count; ++k) addBody(world, {.radius = radius, .position = {0, 0, radius * (2 * k + 1)}});
    addFloor(world);
    Trial trial(std::move(world), 2e-2, byTheta(1, ContactKind::elastic));
    trial.advance(20);
    const double weight = massOf(radius) * gravity;
    double below = 0;
    for (int k = 0; k < count; ++k) {
        const double z = trial.position(static_cast<std::uint32_t>(k)).z;
        const double gap = z - below - (k == 0 ? 1 : 2) * radius;
        EXPECT_NEAR(-gap * stiffness, (count - k) * weight, 1e-9 * weight);
        below = z;
    }
    for (const ContactSample& c : sampleContacts(trial.world)) {
        EXPECT_NEAR(c.normalForce, stiffness * c.overlap, 1e-8 * weight);
    }
}

// A ball held down by gravity on a floor that can be pulled sideways, kept from rolling: only x and z are free.
struct ShearTest {
    static constexpr double friction = 0.3;
    double weight = massOf(radius) * gravity;
    Trial trial;

    explicit ShearTest(double sideways) : trial(makeTrial(sideways)) {}
    static Trial makeTrial(double sideways) {
        WorldState world = makeWorld(springs(stiffness, friction));
        world.gravity = {sideways * gravity, 0, -gravity};
        world.angularFreedom = {0, 0, 0};
        const double sag = massOf(radius) * gravity / stiffness;
        addBody(world, {.radius = radius, .position = {0, 0, radius - sag}});
        addFloor(world);
        return Trial(std::move(world), 1e-3, byTheta(1, ContactKind::elastic));
    }
    double sidewaysForce() { return -trial.world.bodies.force[trial.at(ball)].x; }
};

TEST(ThetaMethod, HoldsAPushBelowFrictionElasticallyAndGivesItBack) {
    ShearTest test(0.1);  // overshoots to twice that
    test.trial.advance(2);
    const double kt = 0.5 * stiffness;
    EXPECT_NEAR(test.sidewaysForce(), 0.1 * test.weight, 1e-6 * test.weight);
    EXPECT_NEAR(test.trial.position(ball).x, 0.1 * test.weight / kt, 1e-6 * test.weight / kt);
    EXPECT_NEAR(test.trial.energy().elastic.tangential, 0.5 * std::pow(0.1 * test.weight, 2) / kt,
                1e-5 * test.weight * test.weight / kt);
    test.trial.world.gravity.x = 0;
    test.trial.advance(2);
    EXPECT_NEAR(test.trial.position(ball).x, 0, 1e-6 * test.weight / kt);
    EXPECT_NEAR(test.sidewaysForce(), 0, 1e-6 * test.weight);
}

// A ball that sticks to the floor, does not turn and is pushed: the tangential spring swings as the normal one does.
TEST(ThetaMethod, KeepsTheSwingOfATangentialSpringWithThetaOneHalf) {
    WorldState world = makeWorld(springs(stiffness, 10));
    world.gravity = {0, 0, -gravity};
    world.angularFreedom = {0, 0, 0};
    const double mass = massOf(radius), sag = mass * gravity / stiffness, speed = 1e-3;
    addBody(world, {.radius = radius, .position = {0, 0, radius - sag}, .velocity = {speed, 0, 0}});
    addFloor(world);
    const double omega = std::sqrt(0.5 * stiffness / mass), dt = 0.1 / omega;
    Trial trial(std::move(world), dt, byTheta(0.5, ContactKind::elastic));
    const double numerical = 2 / dt * std::atan(0.5 * omega * dt);
    double largest = 0;
    for (int k = 1; k <= 1000; ++k) {
        trial.step();
        const double wanted = speed / omega * std::sin(numerical * trial.world.time);
        largest = std::max(largest, std::abs(trial.position(ball).x - wanted) * omega / speed);
    }
    EXPECT_LT(largest, 1e-6);
    EXPECT_NEAR(trial.world.ledger.dissipated.sliding, 0, 1e-9 * 0.5 * mass * speed * speed);
}

TEST(ThetaMethod, SlidesUnderAPushBeyondFriction) {
    ShearTest test(0.5);
    test.trial.advance(0.1);
    const double before = test.trial.velocity(ball).x;
    test.trial.advance(0.1);
    EXPECT_NEAR(test.sidewaysForce(), 0.3 * test.weight, 1e-9 * test.weight);
    EXPECT_NEAR(test.trial.velocity(ball).x - before, (0.5 - 0.3) * gravity * 0.1, 1e-9);
}

// A ball stuck to a floor that turns under it: the shear force must turn along.
TEST(ThetaMethod, TurnsTheShearForceWithTheContact) {
    WorldState world = makeWorld(springs(stiffness, 0.3));
    world.gravity = {0, 0, -gravity};
    const double sag = massOf(radius) * gravity / stiffness;
    addBody(world, {.radius = radius, .position = {0, 0, radius - sag}});
    addFloor(world);
    Trial trial(std::move(world), 1e-3, byTheta(1, ContactKind::elastic));
    const double push = 0.1 * massOf(radius) * gravity;
    trial.world.contacts.impulses()[0].x = push * trial.world.contacts.impulseTime;
    trial.world.bodies.midSpin[trial.at(ball)] = {0, 0, 1};
    // One quarter turn of the ball turns what the contact remembers by half of it, as the floor rests.
    ProblemWorkspace ws;
    buildProblem(trial.world, trial.settings.contactDynamics, {1e-3, 1}, {1e-3}, ws);
    turnMemory(trial.world, M_PI / 2, ws);
    const Vec3 force = trial.world.contacts.impulses()[0] / trial.world.contacts.impulseTime;
    EXPECT_NEAR(force.x, push * std::cos(M_PI / 4), 1e-9 * push);
    EXPECT_NEAR(force.y, push * std::sin(M_PI / 4), 1e-9 * push);
}

TEST(ThetaMethod, AccountsForAllEnergyOfElasticGrainsThatCollide) {
    for (const double theta : {0.5, 0.7, 1.0}) {
        WorldState world = makeWorld(springs(stiffness, 0.4));
        world.gravity = {0, 0, -gravity};
        for (int k = 0; k < 4; ++k) {
            addBody(world, {.radius = radius, .position = {0.01 * k, 0.005 * k, radius * (1.2 + 2.3 * k)}});
        }
        addFloor(world);
        const auto errorFor = [&](double dt) {
            Trial trial(world, dt, byTheta(theta, ContactKind::elastic));
            const EnergyBalance start = trial.energy();
            trial.advance(0.5);
            const EnergyBalance end = trial.energy();
            EXPECT_GT(end.dissipated.sliding, 0);
            EXPECT_GE(end.dissipated.normalDamping, theta == 0.5 ? -1e-3 * turnover(start, end) : 0.0);
            return std::abs(closure(start, end)) / turnover(start, end);
        };
        const double coarse = errorFor(4e-4), fine = errorFor(1e-4);
        EXPECT_LT(coarse, 2e-2) << theta;
        EXPECT_LT(fine, 1e-3) << theta;
    }
}

TEST(ThetaMethod, StartsFromTheForcesOfGivenOverlaps) {
    WorldState world = makeWorld(springs(stiffness));
    addBody(world, {.radius = radius, .position = {0, 0, 0}});
    addBody(world, {.radius = radius, .position = {1.98 * radius, 0, 0}});
    Trial trial(std::move(world), 1e-5, byTheta(0.5, ContactKind::elastic));
    const double energy = 0.5 * stiffness * std::pow(0.02 * radius, 2);
    EXPECT_NEAR(trial.energy().elastic.total(), energy, 1e-9 * energy);
    trial.advance(0.2);
    EXPECT_NEAR(trial.energy().kinetic(), energy, 1e-4 * energy);
}

}  // namespace
}  // namespace talus
