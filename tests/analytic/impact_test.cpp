// Head-on and oblique impacts of one sphere on another or on a wall.
//
// Hertz (1881), effective mass m, radius R, modulus E, speed v:
//   largest overlap  d = (15 m v^2 / (16 E sqrt(R)))^(2/5)
//   largest force    F = 4/3 E sqrt(R) d^(3/2)
//   duration         t = 2 sqrt(pi) Gamma(7/5)/Gamma(9/10) d/v = 2.87 (m^2/(R E^2 v))^(1/5)
#include <gtest/gtest.h>

#include <algorithm>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using namespace analytic;

enum class Target { sphere, wall };

struct ImpactSetup {
    NormalLaw normal = NormalLaw::hertz;
    double restitution = 1;
    double speed = 1;         // m/s, of approach
    double stepShare = 0.05;  // of the contact time without damping
    Target target = Target::sphere;
    double phase = 0.37;  // of a step, from the start of a step to the touch
};

struct ImpactResult {
    double restitution = 0, peakOverlap = 0, peakForce = 0, duration = 0;
};

constexpr double radius = 0.01;  // m

struct PairNumbers {
    double mass, radius;
};

PairNumbers pairNumbers(Target target) {
    const double m = massOf(radius);
    return target == Target::sphere ? PairNumbers{0.5 * m, 0.5 * radius} : PairNumbers{m, radius};
}

double hertzPeakOverlap(const PairNumbers& p, double modulus, double speed) {
    return std::pow(15 * p.mass * speed * speed / (16 * modulus * std::sqrt(p.radius)), 0.4);
}

double contactTime(const ImpactSetup& s, const PairLaw& law) {
    const PairNumbers p = pairNumbers(s.target);
    if (s.normal == NormalLaw::hooke) return M_PI * std::sqrt(p.mass / (law.stiffnessPerRadius * p.radius));
    const double shape = 2 * std::sqrt(M_PI) * std::tgamma(1.4) / std::tgamma(0.9);
    return shape * hertzPeakOverlap(p, law.modulus, s.speed) / s.speed;
}

WorldState impactWorld(const ImpactSetup& s) {
    return makeWorld(
        {.kinds = {.normal = s.normal, .tangential = TangentialLaw::none}, .contact = {.restitution = s.restitution}});
}

// Two spheres, or a sphere above a floor, on their way to touch.
struct Impact {
    double time, dt, gap;  // s, of the contact without damping; s; m
    std::uint32_t mover = 0;
    Trial run;
};

Impact approach(const ImpactSetup& s) {
    WorldState world = impactWorld(s);
    const double time = contactTime(s, lawOf(world)), dt = s.stepShare * time;
    const double gap = (3 + s.phase) * dt * s.speed;
    const std::uint32_t mover =
        addBody(world, {.radius = radius, .position = {0, 0, radius + gap}, .velocity = {0, 0, -s.speed}});
    if (s.target == Target::wall) {
        addFloor(world);
    } else {
        world.bodies.velocity[0].z = -0.5 * s.speed;
        addBody(world, {.radius = radius, .position = {0, 0, -radius}, .velocity = {0, 0, 0.5 * s.speed}});
    }
    return {time, dt, gap, mover, Trial(std::move(world), dt)};
}

// Runs until well after the impact; times of touch and release by linear interpolation of the overlap.
ImpactResult collide(const ImpactSetup& s) {
    auto [time, dt, gap, mover, run] = approach(s);
    const bool wall = s.target == Target::wall;
    ImpactResult result;
    const double share = wall ? 1 : 0.5;  // of the relative motion that the mover makes
    double before = -gap, touch = 0;
    for (double t = 0; t < 6 * time; t += dt) {
        run.step();
        const double now = (radius - run.position(mover).z) / share + (wall ? 0 : gap);
        if (before <= 0 && now > 0) touch = t + dt * -before / (now - before);
        if (before > 0 && now <= 0) result.duration = t + dt * before / (before - now) - touch;
        result.peakOverlap = std::max(result.peakOverlap, now);
        for (const ContactSample& c : sampleContacts(run.world)) {
            result.peakForce = std::max(result.peakForce, c.normalForce);
        }
        before = now;
    }
    result.restitution = run.velocity(mover).z / (share * s.speed);
    return result;
}

// The largest error of the energy balance during an impact, of the kinetic energy before it.
double worstClosure(const ImpactSetup& s) {
    Impact impact = approach(s);
    const EnergyBalance start = impact.run.energy();
    double worst = 0;
    for (double t = 0; t < 2 * impact.time; t += impact.dt) {
        impact.run.step();
        worst = std::max(worst, std::abs(closure(start, impact.run.energy())) / start.kinetic());
    }
    return worst;
}

TEST(HertzImpact, HasTheForceOverlapAndDurationOfTheClosedForm) {
    for (const Target target : {Target::sphere, Target::wall}) {
        for (const double speed : {0.01, 1.0, 5.0}) {
            const ImpactSetup setup{.speed = speed, .stepShare = 1e-3, .target = target};
            const ImpactResult result = collide(setup);
            const PairNumbers p = pairNumbers(target);
            const double modulus = lawOf(impactWorld(setup)).modulus;
            const double overlap = hertzPeakOverlap(p, modulus, speed);
            // Second order in a step of 1e-3; the peak lies between two steps, which is second order as well.
            EXPECT_NEAR(result.peakOverlap / overlap, 1, 1e-5);
            EXPECT_NEAR(result.peakForce / (4.0 / 3 * modulus * std::sqrt(p.radius) * std::pow(overlap, 1.5)), 1, 1e-5);
            EXPECT_NEAR(result.duration / contactTime(setup, lawOf(impactWorld(setup))), 1, 1e-4);
            const double rounded = 2.87 * std::pow(p.mass * p.mass / (p.radius * modulus * modulus * speed), 0.2);
            EXPECT_NEAR(result.duration / rounded, 1, 2e-3) << "the usual form has three digits";
        }
    }
}

TEST(HookeImpact, LastsHalfAPeriodOfTheSpring) {
    for (const double speed : {0.01, 5.0}) {
        const ImpactSetup setup{.normal = NormalLaw::hooke, .speed = speed, .stepShare = 1e-3};
        const PairLaw law = lawOf(impactWorld(setup));
        const PairNumbers p = pairNumbers(Target::sphere);
        const double stiffness = law.stiffnessPerRadius * p.radius;
        const ImpactResult result = collide(setup);
        EXPECT_NEAR(result.duration / (M_PI * std::sqrt(p.mass / stiffness)), 1, 1e-5);
        EXPECT_NEAR(result.peakOverlap / (speed * std::sqrt(p.mass / stiffness)), 1, 1e-5);
    }
}

class Restitution : public testing::TestWithParam<std::tuple<NormalLaw, Target, double>> {};

// At touch the dashpot of Hooke's law acts with full force at once, so the moment within a step counts to first order:
// 0.03. That of Hertz's grows with the overlap: 0.012.
TEST_P(Restitution, OutIsRestitutionInAtTwentyStepsPerImpact) {
    const auto [normal, target, wanted] = GetParam();
    for (const double speed : {0.01, 0.3, 5.0}) {
        for (const double phase : {0.0, 0.37, 0.81}) {
            const double got = collide({normal, wanted, speed, 0.05, target, phase}).restitution;
            EXPECT_NEAR(got, wanted, normal == NormalLaw::hooke ? 0.03 : 0.012)
                << "speed " << speed << ", phase " << phase;
        }
    }
}

TEST_P(Restitution, ApproachesTheWantedOneAsTheStepShrinks) {
    const auto [normal, target, wanted] = GetParam();
    const auto error = [&](double share) {
        double largest = 0;
        for (const double phase : {0.1, 0.35, 0.6, 0.85}) {
            const double got = collide({normal, wanted, 1.0, share, target, phase}).restitution;
            largest = std::max(largest, std::abs(got - wanted));
        }
        return largest;
    };
    const double coarse = error(0.02), fine = error(0.002);
    EXPECT_LT(fine, 1e-3);
    EXPECT_LT(fine, std::max(0.25 * coarse, 1e-9)) << "a tenth of the step, coarse error " << coarse;
}

// What the dashpots took is known at every moment of an impact, not only after it, to first order in the step: a
// dashpot sets in with full force at touch, and the velocity it meets is foreseen with the forces of the last step.
// With the strongest, restitution 0.05, that is 3.4 % of the energy at fifty steps per contact; at 0.5 it is 0.1 %.
TEST_P(Restitution, TheLedgerClosesAtEveryStepOfAnImpact) {
    const auto [normal, target, wanted] = GetParam();
    for (const double phase : {0.0, 0.37, 0.81}) {
        EXPECT_LT(worstClosure({normal, wanted, 1.0, 0.02, target, phase}), 0.04) << "phase " << phase;
        EXPECT_LT(worstClosure({normal, wanted, 1.0, 0.002, target, phase}), 0.004) << "phase " << phase;
    }
}

INSTANTIATE_TEST_SUITE_P(Of, Restitution,
                         testing::Combine(testing::Values(NormalLaw::hooke, NormalLaw::hertz),
                                          testing::Values(Target::sphere, Target::wall),
                                          testing::Values(0.05, 0.1, 0.3, 0.5, 0.8, 0.95, 1.0)));

// Sliding all through the impact: the tangential impulse is mu times the normal one, m (1 + e) v_n.
TEST(ObliqueImpact, InTheSlidingRegimeLosesSpeedAndGainsSpinByCoulombsLaw) {
    for (const double restitution : {1.0, 0.6}) {
        const double friction = 0.2, normalSpeed = 1, tangentialSpeed = 4;
        WorldState world =
            makeWorld({.elastic = {1e9, 0.3}, .contact = {.friction = friction, .restitution = restitution}});
        const std::uint32_t ball = addBody(
            world,
            {.radius = radius, .position = {0, 0, 1.001 * radius}, .velocity = {tangentialSpeed, 0, -normalSpeed}});
        addFloor(world);
        const double time = contactTime({.target = Target::wall}, lawOf(world));
        Trial run(std::move(world), 1e-3 * time);
        run.advance(4 * time);
        // The lever arm is shorter than the radius by half the overlap, 0.5 % at the peak.
        const double loss = friction * (1 + restitution) * normalSpeed;
        EXPECT_NEAR(run.velocity(ball).z, restitution * normalSpeed, 2e-3);
        EXPECT_NEAR(run.velocity(ball).x, tangentialSpeed - loss, 2e-3 * loss);
        EXPECT_NEAR(run.spin(ball).y, 2.5 * loss / radius, 1e-2 * 2.5 * loss / radius);
        EXPECT_NEAR(run.spin(ball).x, 0, 1e-9);
    }
}

struct TwoSpheres {
    Vec3 momentum, angularMomentum;
    double energy;
};

TwoSpheres measure(const Trial& run) {
    const Bodies& b = run.world.bodies;
    TwoSpheres sum{{}, {}, run.energy().mechanical()};
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        const Vec3 p = b.velocity[i] / b.inverseMass[i];
        sum.momentum += p;
        sum.angularMomentum += cross(b.position[i], p) + b.spin[i] / b.inverseInertia[i].x;
    }
    return sum;
}

Trial glancingPair(double restitution, double friction, double share) {
    WorldState world = makeWorld({.contact = {.friction = friction, .restitution = restitution}});
    addBody(world, {.radius = radius, .position = {0, 0, 0}, .velocity = {1, 0.2, 0}, .spin = {3, 50, 20}});
    addBody(world,
            {.radius = 2 * radius, .position = {2.9 * radius, 0.8 * radius, 0.2 * radius}, .velocity = {-0.5, 0, 0}});
    const double time = contactTime({}, lawOf(world));
    return Trial(std::move(world), share * time);
}

TEST(TwoSpheres, KeepMomentumAndAngularMomentumToRoundOffInAnyImpact) {
    Trial run = glancingPair(0.5, 0.4, 0.05);
    const TwoSpheres before = measure(run);
    run.advance(200 * run.settings.dt);
    const TwoSpheres after = measure(run);
    EXPECT_GT(run.energy().dissipated.sliding, 0) << "they met, and slipped";
    EXPECT_LT(norm(after.momentum - before.momentum), 1e-14 * norm(before.momentum));
    EXPECT_LT(norm(after.angularMomentum - before.angularMomentum), 1e-13 * norm(before.angularMomentum));
}

TEST(TwoSpheres, KeepTheEnergyOfAnElasticImpactToSecondOrder) {
    const auto error = [](double share) {
        Trial run = glancingPair(1, 0, share);
        const double before = measure(run).energy;
        double largest = 0;
        for (double t = 0; t < 20 / share; ++t) {
            run.step();
            largest = std::max(largest, std::abs(measure(run).energy / before - 1));
        }
        return largest;
    };
    const double coarse = error(0.02), fine = error(0.005);
    EXPECT_LT(fine, 1e-4);
    EXPECT_NEAR(std::log(coarse / fine) / std::log(4), 2, 0.4);
}

TEST(NewtonsCradle, HandsTheSpeedOfTheFirstSphereToTheLast) {
    WorldState world = makeWorld({.contact = {.friction = 0.3, .restitution = 1}});
    std::vector<std::uint32_t> ids;
    for (int k = 0; k < 5; ++k) {
        ids.push_back(addBody(world, {.radius = radius, .position = {2.2 * radius * k, 0, 0}}));
    }
    world.bodies.velocity[indexOf(world.bodies, ids[0])] = {1, 0, 0};
    const double time = contactTime({}, lawOf(world));
    Trial run(std::move(world), 0.01 * time);
    run.advance(0.02 + 8 * time);
    EXPECT_NEAR(run.velocity(ids[4]).x, 1, 1e-4);
    for (int k = 0; k < 4; ++k) EXPECT_NEAR(run.velocity(ids[k]).x, 0, 1e-4) << "sphere " << k;
}

}  // namespace
}  // namespace talus
