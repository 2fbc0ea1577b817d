// Two spheres pressed together and pulled apart at a constant, slow speed.
//
// One is fixed, the other so heavy that no contact force changes its speed: displacement control. R is the effective
// radius. DMT pulls with 2 pi w R at the moment of touch. JKR pulls with 3/2 pi w R at most, and its neck holds across
// a gap, so that a cycle of touch and separation costs energy.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 1e-3, effectiveRadius = 0.5e-3;  // m
constexpr double work = 0.5;                               // J/m^2
constexpr double modulus = 1e7;                            // Pa, Young's

struct PullRecord {
    double largestTension = 0;                 // N
    double firstOverlap = 0, lastOverlap = 0;  // m, with force
    double workDone = 0;                       // J, by the mover on the contact
    double counted = 0;                        // J, dissipated according to the ledger
};

struct Cycle {
    CohesionLaw cohesion;
    double depth = 20e-6;  // m, of the press
    double step = 5e-9;    // m, moved per step
};

PullRecord pressAndPull(const Cycle& cycle) {
    WorldState world = makeWorld({.kinds = {.tangential = TangentialLaw::none, .cohesion = cycle.cohesion},
                                  .elastic = {modulus, 0.3},
                                  .contact = {.restitution = 1, .adhesionWork = work}});
    addBody(world, {.radius = radius, .fixed = true});
    const double gap = 10.5 * cycle.step, speed = 1e-3;
    addBody(world, {.radius = radius, .position = {0, 0, 2 * radius + gap}, .velocity = {0, 0, -speed}});
    for (double& inverse : world.bodies.inverseMass) inverse *= 1e-15;
    Trial trial(std::move(world), cycle.step / speed);

    PullRecord record;
    double force = 0;
    const auto advance = [&](double way) {
        for (long left = std::lround(std::abs(way) / cycle.step); left > 0; --left) {
            trial.step();
            const auto samples = sampleContacts(trial.world);
            const double now = samples.empty() ? 0 : samples.front().normalForce;
            if (!samples.empty()) {
                if (force == 0) record.firstOverlap = samples.front().overlap;
                record.lastOverlap = samples.front().overlap;
            }
            record.largestTension = std::max(record.largestTension, -now);
            record.workDone += 0.5 * (force + now) * (way > 0 ? cycle.step : -cycle.step);
            force = now;
        }
    };
    advance(gap + cycle.depth);
    trial.world.bodies.velocity[trial.at(1)].z = speed;
    prepareStep(trial.world, trial.settings, trial.workspace);
    advance(-(gap + cycle.depth + 20e-6));
    record.counted = trial.world.ledger.dissipated.cohesion;
    return record;
}

TEST(DmtContact, PullsWithTwoPiTimesWorkTimesRadiusAndLetsGoAtTouch) {
    const PullRecord record = pressAndPull({CohesionLaw::dmt});
    // Sampled at the last step before release, where the Hertz force is not yet zero.
    EXPECT_NEAR(record.largestTension / (2 * M_PI * work * effectiveRadius), 1, 1e-3);
    EXPECT_NEAR(record.firstOverlap, 0, 5.1e-9);
    EXPECT_NEAR(record.lastOverlap, 0, 5.1e-9);
    EXPECT_NEAR(record.workDone, 0, 1e-3 * record.largestTension * 20e-6) << "no hysteresis";
    EXPECT_EQ(record.counted, 0);
}

// Two free spheres collide and part again. Largest share of the kinetic energy that is gained or lost, over ten places
// within a step at which they may meet.
double worstEnergyError(CohesionLaw cohesion, double dt) {
    constexpr double speed = 0.05, pull = 1.5e-3;  // m/s, of each; N
    double worst = 0;
    for (int k = 0; k < 10; ++k) {
        WorldState world = makeWorld(
            {.kinds = {.cohesion = cohesion},
             .elastic = {modulus, 0.3},
             .contact = {
                 .restitution = 1, .cohesionForce = pull, .adhesionWork = pull / (2 * M_PI * effectiveRadius)}});
        const double gap = (3 + 0.1 * k) * 2 * speed * dt;
        addBody(world, {.radius = radius, .velocity = {0, 0, speed}});
        addBody(world, {.radius = radius, .position = {0, 0, 2 * radius + gap}, .velocity = {0, 0, -speed}});
        Trial trial(std::move(world), dt);
        const double before = trial.energy().kinetic();
        trial.advance(2e-3);
        EXPECT_TRUE(sampleContacts(trial.world).empty()) << "they have parted";
        worst = std::max(worst, std::abs(trial.energy().kinetic() - before) / before);
    }
    return worst;
}

TEST(CohesionThatSetsInAtFullForce, KeepsTheEnergyOfAnImpactToSecondOrderInTheStep) {
    for (const CohesionLaw cohesion : {CohesionLaw::constant, CohesionLaw::dmt}) {
        // The impact lasts about 160 steps, then 640. Without a share in the first and last step, up to half a step of
        // the pull would be wrong: at 0.1 m/s and 2 us that is 0.006 of the energy.
        const double coarse = worstEnergyError(cohesion, 2e-6), fine = worstEnergyError(cohesion, 0.5e-6);
        EXPECT_LT(coarse, 2e-4);
        EXPECT_LT(fine, coarse / 8);
    }
}

// Energy lost in one cycle: the work of the neck from zero overlap to the snap, by quadrature over the contact radius.
double jkrLoss() {
    const double e = modulus / (2 * (1 - 0.09)), r = effectiveRadius;
    const double first = std::cbrt(2 * M_PI * work * r * r / e), last = std::cbrt(M_PI * work * r * r / (8 * e));
    const int n = 20000;
    double sum = 0;
    for (int k = 0; k < n; ++k) {
        const double a = first + (k + 0.5) / n * (last - first);
        const double force = 4 * e * a * a * a / (3 * r) - std::sqrt(8 * M_PI * work * e * a * a * a);
        const double slope = 2 * a / r - std::sqrt(M_PI * work / (2 * e * a));
        sum += force * slope * (last - first) / n;
    }
    return sum;
}

TEST(JkrContact, PullsWithThreeHalvesPiTimesWorkTimesRadius) {
    const PullRecord record = pressAndPull({CohesionLaw::jkr});
    EXPECT_NEAR(record.largestTension / (1.5 * M_PI * work * effectiveRadius), 1, 1e-4);
}

TEST(JkrContact, FormsAtTouchAndHoldsAcrossAGap) {
    const PullRecord record = pressAndPull({CohesionLaw::jkr});
    const double e = modulus / (2 * (1 - 0.09));
    const double neck = std::cbrt(M_PI * work * effectiveRadius * effectiveRadius / (8 * e));  // radius at the snap
    const double snap = neck * neck / effectiveRadius - std::sqrt(2 * M_PI * work * neck / e);
    EXPECT_NEAR(record.firstOverlap, 0, 5.1e-9);
    EXPECT_LT(snap, -1e-6);
    EXPECT_NEAR(record.lastOverlap, snap, 5.1e-9);
}

TEST(JkrContact, CostsTheEnergyOfTheNeckInEveryCycleAndCountsIt) {
    const PullRecord record = pressAndPull({CohesionLaw::jkr});
    EXPECT_NEAR(record.workDone / jkrLoss(), 1, 5e-3);
    EXPECT_NEAR(record.counted / jkrLoss(), 1, 5e-3);
    // Five times the depth of the press changes nothing: the way in and out is the same.
    const PullRecord deeper = pressAndPull({.cohesion = CohesionLaw::jkr, .depth = 100e-6});
    EXPECT_NEAR(deeper.workDone / jkrLoss(), 1, 2e-2);
}

TEST(CohesiveContact, HoldsAHangingSphereUpToThePullOffForce) {
    for (const CohesionLaw cohesion : {CohesionLaw::constant, CohesionLaw::dmt, CohesionLaw::jkr}) {
        const double force = 0.01;  // N
        const double perForce = cohesion == CohesionLaw::jkr ? 1.5 : 2.0;
        for (const double share : {0.97, 1.03}) {
            WorldState world = makeWorld({.kinds = {.cohesion = cohesion},
                                          .contact = {.restitution = 0.1,
                                                      .cohesionForce = force,
                                                      .adhesionWork = force / (perForce * M_PI * effectiveRadius)}});
            addBody(world, {.radius = radius, .fixed = true});
            const std::uint32_t hanging = addBody(world, {.radius = radius, .position = {0, 0, -2 * radius + 1e-6}});
            Trial trial(std::move(world), 2e-6);
            // The load is raised slowly, or the sphere would swing through its rest.
            const double most = share * force / analytic::massOf(radius);
            for (int k = 0; k <= 20000; ++k) {
                trial.world.gravity = {0, 0, -most * k / 20000};
                trial.step();
            }
            for (int k = 0; k < 10000; ++k) trial.step();
            const bool holds = trial.position(hanging).z > -2.1 * radius;
            EXPECT_EQ(holds, share < 1) << "cohesion " << static_cast<int>(cohesion);
        }
    }
}

}  // namespace
}  // namespace talus
