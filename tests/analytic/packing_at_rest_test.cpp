#include <gtest/gtest.h>

#include <algorithm>

#include "analytic/analytic_world.hpp"
#include "base/random.hpp"
#include "step/time_step.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.01;   // m
constexpr double gravity = 9.81;  // m/s^2

struct StackSetup {
    RollingLaw rolling = RollingLaw::none;
    double offset = 0;     // m, to both sides in turn
    double modulus = 1e7;  // Pa
    double dt = 2e-5;      // s
    double duration = 2;   // s
};

// Ten spheres that just touch, dropped into their own weight.
Trial settledStack(const StackSetup& setup) {
    WorldState world = makeWorld({.kinds = {.rolling = setup.rolling},
                                  .elastic = {setup.modulus, 0.3},
                                  .contact = {.restitution = 0.05, .rollingFriction = 0.5}});
    world.gravity = {0, 0, -gravity};
    for (int k = 0; k < 10; ++k) {
        const double side = k % 2 == 0 ? setup.offset : -setup.offset;
        addBody(world, {.radius = radius, .position = {side, 0.5 * side, radius * (2 * k + 1)}});
    }
    addFloor(world);
    Trial trial(std::move(world), setup.dt);
    trial.advance(setup.duration);
    return trial;
}

TEST(SphereStack, CarriesInEachContactTheWeightAbove) {
    const Trial trial = settledStack({});
    const auto samples = sampleContacts(trial.world);
    ASSERT_EQ(samples.size(), 10u);
    for (const ContactSample& c : samples) {
        const auto upper =
            std::max(trial.world.bodies.id[c.owner], c.face == noFace ? trial.world.bodies.id[c.partner] : 0u);
        const double above = 10.0 - (c.face == noFace ? upper : 0);
        // What is left of the settling motion after 2 s.
        EXPECT_NEAR(c.normalForce / (above * massOf(radius) * gravity), 1, 1e-6) << above << " spheres above";
    }
}

TEST(SphereStack, StaysStraight) {
    const Trial trial = settledStack({});
    for (std::uint32_t id = 0; id < 10; ++id) {
        EXPECT_EQ(trial.position(id).x, 0);
        EXPECT_EQ(trial.position(id).y, 0);
        EXPECT_LT(norm(trial.velocity(id)), 1e-6);
    }
}

// Without rolling resistance a stack that leans falls; with it, the stack stands as it was built. The grains are
// stiff here: the rolling springs soften with them, and ten soft ones on top of each other buckle.
TEST(SphereStack, ThatLeansALittleIsHeldByRollingResistanceOnly) {
    StackSetup setup{RollingLaw::spring, 1e-3 * radius, 1e9, 5e-6, 1};
    const Trial held = settledStack(setup);
    EXPECT_GT(held.position(9).z, 18.9 * radius);
    EXPECT_LT(std::abs(held.position(9).x), 0.1 * radius);
    setup.rolling = RollingLaw::none;
    EXPECT_LT(settledStack(setup).position(9).z, 18 * radius);
}

// All contacts of a grain damp it together, and rotation most of all: at the automatic step their dashpots must calm
// it, not stir it. With 1/(1 + zeta) of the contact time as its measure, forces of a tenth of the weights stayed.
TEST(StronglyDampedHeap, ComesToRestAtTheAutomaticStep) {
    WorldState world = makeWorld({.kinds = {.normal = NormalLaw::hooke}});
    const ContactProperties contact{.friction = 0.3, .stiffness = 1e6, .tangentialRatio = 0.4, .viscosity = 1};
    world.materials.laws = {makePairLaw(world.materials.kinds, DampingLaw::viscous, {}, {}, contact)};
    world.gravity = {0, 0, -gravity};
    std::vector<BodyDefinition> grains;
    for (int row = 0; row < 5; ++row) {
        for (int k = 0; k < 5 - row % 2; ++k) {
            const double x = radius * (2 * k + row % 2), z = radius * (1 + std::sqrt(3.0) * row);
            grains.push_back({.radius = radius, .position = {x, 0, z}});
        }
    }
    addGrains(world, grains);
    addFloor(world);
    for (const double side : {1.0, -1.0}) {
        const double at = side > 0 ? -radius : 9 * radius;
        addBody(world, {.shape = world.shapes.add(PlaneWall{}),
                        .position = {at, 0, 0},
                        .orientation = rotationBy({0, side * M_PI / 2, 0})});
    }
    const double duration = 0.3;
    Trial trial(world, chooseStep(world, 0.05, duration).dt);
    trial.advance(duration);
    const Vec3 weight{0, 0, -gravity * massOf(radius)};
    for (std::size_t i = 0; i < grains.size(); ++i) {
        EXPECT_LT(norm(trial.world.bodies.force[i] + weight), 1e-6 * norm(weight)) << i;
    }
}

struct Balance {
    double error = 0, turnover = 0;
    DissipatedEnergy dissipated;
};

// 200 grains thrown into a box: they fall, collide, slide, roll and come to rest.
Balance runBox(const LawKinds& kinds, double dt, double duration) {
    WorldState world = makeWorld({.kinds = kinds,
                                  .contact = {.friction = 0.5,
                                              .restitution = 0.7,
                                              .rollingFriction = 0.05,
                                              .cohesionForce = 1e-2,
                                              .adhesionWork = 0.05}});
    world.gravity = {0, 0, -gravity};
    const Vec3 half{5.5 * radius, 5.5 * radius, 12 * radius};
    world.shapes.add(BoxWall{half, {}});
    addBody(world, {.shape = 1, .position = half});
    Random random(3, 0);
    std::vector<BodyDefinition> grains;
    for (int k = 0; k < 200; ++k) {
        const Vec3 cell{1.0 * (k % 5), 1.0 * (k / 5 % 5), 1.0 * (k / 25)};
        const Vec3 centre = 2.2 * radius * (cell + Vec3{0.5, 0.5, 0.5});
        const double size = random.uniform(0.7, 1.0) * radius;
        grains.push_back({.radius = size,
                          .position = centre,
                          .velocity = random.inBox({-1, -1, -1}, {1, 1, 1}),
                          .spin = random.inBox({-50, -50, -50}, {50, 50, 50})});
    }
    addGrains(world, grains);
    Trial trial(std::move(world), dt);
    const EnergyBalance start = trial.energy();
    Balance balance;
    const long every = std::lround(duration / dt / 40);
    for (int k = 0; k < 40; ++k) {
        trial.advance(static_cast<double>(every) * dt);
        const EnergyBalance now = trial.energy();
        balance.turnover = std::max(balance.turnover, turnover(start, now));
        balance.error = std::max(balance.error, std::abs(closure(start, now)));
        balance.dissipated = now.dissipated;
    }
    return balance;
}

class EnergyLedger200 : public testing::TestWithParam<LawKinds> {};

TEST_P(EnergyLedger200, ClosesAndBetterSoWithSmallerSteps) {
    const LawKinds kinds = GetParam();
    const Balance coarse = runBox(kinds, 4e-5, 0.2), fine = runBox(kinds, 1e-5, 0.2);
    RecordProperty("coarse", std::to_string(coarse.error / coarse.turnover));
    RecordProperty("fine", std::to_string(fine.error / fine.turnover));
    // At 1 m/s a step of 4e-5 s is 1/36 of the contact time of Hertz, 1/12 of that of Hooke, whose dashpot starts
    // with a jump besides.
    EXPECT_LT(coarse.error, (kinds.normal == NormalLaw::hooke ? 1e-2 : 2e-3) * coarse.turnover);
    EXPECT_LT(fine.error, 0.3 * coarse.error) << "a quarter of the step";
    EXPECT_GT(fine.dissipated.normalDamping, 0.05 * fine.turnover);
    EXPECT_GT(fine.dissipated.sliding, 0.02 * fine.turnover);
    EXPECT_GE(fine.dissipated.tangentialDamping, 0);
}

INSTANTIATE_TEST_SUITE_P(Of, EnergyLedger200,
                         testing::Values(LawKinds{}, LawKinds{.normal = NormalLaw::hooke},
                                         LawKinds{.rolling = RollingLaw::spring},
                                         LawKinds{.rolling = RollingLaw::constant},
                                         LawKinds{.cohesion = CohesionLaw::jkr}));

}  // namespace
}  // namespace talus
