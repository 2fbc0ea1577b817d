// Packings that sink because their contacts are solved by a few sweeps per step, and what is predicted for them.
#include "measure/rigidity.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "analytic/analytic_world.hpp"
#include "base/random.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 5e-3;   // m
constexpr double gravity = 9.81;  // m/s^2

ContactDynamicsSettings sweeps(std::uint64_t count, SweepOrder order = SweepOrder::coloured) {
    return {.fixedIterations = count, .sweep = order, .stabilisation = Stabilisation::quasiInelastic};
}

WorldState makeChain(int grains) {
    WorldState world = makeWorld({.contact = {.friction = 0, .restitution = 0}});
    world.gravity = {0, 0, -gravity};
    for (int k = 0; k < grains; ++k) addBody(world, {.radius = radius, .position = {0, 0, radius * (2 * k + 1)}});
    addFloor(world);
    return world;
}

double centreOfMass(const WorldState& world) {
    double mass = 0, moment = 0;
    for (std::size_t i = 0; i < world.bodies.grainCount; ++i) {
        mass += 1 / world.bodies.inverseMass[i];
        moment += world.bodies.position[i].z / world.bodies.inverseMass[i];
    }
    return moment / mass;
}

Rigidity estimateFor(const Trial& trial) {
    const ContactDynamicsSettings& s = trial.settings.contactDynamics;
    const SolverKind solver = s.solver.value_or(SolverKind::gaussSeidel);
    const LoadedNetwork network =
        measureNetwork(trial.world, sampleContacts(trial.world), relaxationOf(solver, s.relaxation));
    return estimateRigidity(network, {.solver = solver,
                                      .sweep = s.sweep,
                                      .iterations = static_cast<double>(s.fixedIterations),
                                      .dt = trial.settings.dt,
                                      .impulseTime = trial.world.contacts.impulseTime,
                                      .steps = static_cast<double>(trial.world.step),
                                      .stabilisation = s.stabilisation,
                                      .correction = s.correction,
                                      .warmStart = s.warmStart});
}

// The springs k = q m N/h^2 of Unger et al., twice as stiff at the wall, under the weights above them.
double sinkingOfSprings(int grains, double q, double count, double dt) {
    double sum = 0;
    for (int above = 1; above <= grains; ++above) {
        const double stiffness = q * massOf(radius) * count / (dt * dt) * (above == grains ? 2 : 1);
        sum += above * (above * massOf(radius) * gravity / stiffness);
    }
    return sum / grains;
}

struct ChainCase {
    ContactDynamicsSettings settings;
    double q;
};

class SoftChain : public testing::TestWithParam<ChainCase> {};

TEST_P(SoftChain, SinksLikeTheSpringsOfItsSolver) {
    const auto [settings, q] = GetParam();
    const int grains = 30;
    const double dt = 1e-3, start = centreOfMass(makeChain(grains));
    Trial trial(makeChain(grains), dt, settings);
    trial.advance(3);
    const double sunk = start - centreOfMass(trial.world);
    // Ten sweeps leave x/(e^x - 1) = 0.98 of that; another order in each sweep scatters by a few percent.
    const double scatter = settings.sweep == SweepOrder::random ? 0.08 : 0.025;
    EXPECT_NEAR(sunk / sinkingOfSprings(grains, q, 10, dt), 1, scatter);
    const Rigidity r = estimateFor(trial);
    EXPECT_NEAR(r.shrinkage / sunk, 1, scatter);
    EXPECT_NEAR(r.expectedShrinkage / sunk, 1, scatter);
    EXPECT_EQ(r.softness, Softness::springs);
    EXPECT_TRUE(r.soft);
}

INSTANTIATE_TEST_SUITE_P(Of, SoftChain,
                         testing::Values(ChainCase{sweeps(10), 1}, ChainCase{sweeps(10, SweepOrder::list), 1},
                                         ChainCase{sweeps(10, SweepOrder::random),
                                                   2 * std::sqrt(std::numbers::e) - 2.5},
                                         ChainCase{{.solver = SolverKind::jacobi,
                                                    .fixedIterations = 10,
                                                    .stabilisation = Stabilisation::quasiInelastic},
                                                   0.25}));

TEST(RigidityEstimate, FollowsAChainUntilItIsRigid) {
    for (const std::uint64_t count : {40, 300, 1000}) {
        const double start = centreOfMass(makeChain(30));
        Trial trial(makeChain(30), 1e-3, sweeps(count));
        trial.advance(1);
        const Rigidity r = estimateFor(trial);
        EXPECT_NEAR(r.shrinkage / (start - centreOfMass(trial.world)), 1, 0.05) << count;
        EXPECT_NEAR(r.expectedShrinkage / (start - centreOfMass(trial.world)), 1, 0.05) << count;
    }
}

TEST(RigidityEstimate, KnowsWhenAChainWithOverlapsPushedApartSwings) {
    // Theory: 0.2 (60/pi)^2 = 73 sweeps.
    for (const auto& [count, softness] :
         {std::pair{std::uint64_t{20}, Softness::breathing}, std::pair{std::uint64_t{100}, Softness::healing}}) {
        const double start = centreOfMass(makeChain(30));
        Trial trial(makeChain(30), 1e-3, {.fixedIterations = count});
        trial.advance(2);
        // What is estimated is that of the moment: here the one when it is lowest.
        double least = 1, most = 0;
        Rigidity r;
        for (int k = 0; k < 200; ++k) {
            trial.step();
            const double height = centreOfMass(trial.world);
            if (height < least) r = estimateFor(trial);
            least = std::min(least, height);
            most = std::max(most, height);
        }
        EXPECT_EQ(r.softness, softness) << count;
        EXPECT_EQ(most - least > 1e-4 * start, softness == Softness::breathing) << count << ' ' << most - least;
        EXPECT_EQ(r.shrinkage > 0, softness == Softness::breathing);
        if (r.soft) {
            EXPECT_GT(r.iterationsNeeded, count);
        }
    }
}

// Disks of different size, thrown into a box at rest: solved to tolerance, then loaded anew.
WorldState makeDisks(std::uint64_t seed) {
    WorldState world = makeWorld({.contact = {.friction = 0.3, .restitution = 0}});
    world.gravity = {0, 0, -gravity};
    world.linearFreedom = {1, 0, 1};
    world.angularFreedom = {0, 1, 0};
    constexpr int across = 12, layers = 12;
    const double spacing = 2.2 * radius;
    const Vec3 half{0.5 * spacing * across, 2 * radius, spacing * layers};
    world.shapes.add(BoxWall{half, {}});
    addBody(world, {.shape = 1, .position = {half.x, 0, half.z}});
    Random random(seed, 0);
    std::vector<BodyDefinition> grains;
    for (int k = 0; k < across * layers; ++k) {
        const Vec3 place{spacing * (k % across + 0.5) + random.uniform(-0.1, 0.1) * radius, 0,
                         spacing * (k / across + 0.5)};
        grains.push_back({.radius = random.uniform(0.8, 1.0) * radius, .position = place});
    }
    addGrains(world, grains);
    Trial trial(std::move(world), 1e-3, {.tolerance = 1e-6});
    trial.advance(0.7);
    return trial.world;
}

void forgetForces(WorldState& world) {
    std::fill(world.contacts.impulses().begin(), world.contacts.impulses().end(), Vec3{});
    std::fill(world.bodies.velocity.begin(), world.bodies.velocity.end(), Vec3{});
    std::fill(world.bodies.spin.begin(), world.bodies.spin.end(), Vec3{});
}

TEST(RigidityEstimate, IsWithinAFifthOfHowFarDisksWithFrictionSink) {
    const std::vector<std::uint64_t> packings = {1, 2, 3, 4, 5};
    for (const std::uint64_t count : {5, 10, 40}) {
        double sunk = 0, expected = 0;  // of what was estimated over what was seen, the means
        for (const std::uint64_t seed : packings) {
            WorldState world = makeDisks(seed);
            forgetForces(world);
            const double start = centreOfMass(world);
            Trial trial(world, 1e-3, sweeps(count));
            trial.advance(0.5);
            const Rigidity r = estimateFor(trial);
            const double seen = (start - centreOfMass(trial.world)) * static_cast<double>(packings.size());
            sunk += r.shrinkage / seen;
            expected += r.expectedShrinkage / seen;
        }
        EXPECT_NEAR(sunk, 1, 0.2) << count;
        EXPECT_NEAR(expected, 1, 0.2) << count;
    }
}

TEST(RigidityEstimate, CallsAConvergedPackingRigid) {
    WorldState world = makeDisks(3);
    forgetForces(world);
    const double start = centreOfMass(world);
    Trial trial(world, 1e-3,
                {.tolerance = 1e-6, .maxIterations = 5000, .stabilisation = Stabilisation::quasiInelastic});
    trial.advance(0.2);
    EXPECT_LT(start - centreOfMass(trial.world), visibleShrinkage * start);
    const Rigidity r = estimateFor(trial);
    EXPECT_FALSE(r.soft);
    EXPECT_EQ(r.softness, Softness::none);
    EXPECT_EQ(r.shrinkage, 0);
}

}  // namespace
}  // namespace talus
