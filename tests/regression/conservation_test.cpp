// What a step must keep: momentum to round-off, and an energy ledger that closes as the step goes to zero.
#include <gtest/gtest.h>

#include "base/parallel.hpp"
#include "measure/energy.hpp"
#include "regression/settling_world.hpp"
#include "step/step.hpp"

namespace talus {
namespace {

struct Momentum {
    Vec3 linear, angular;                      // kg m/s; kg m^2/s about the origin
    double linearScale = 0, angularScale = 0;  // the same with all parts of one sign
};

Momentum measureMomentum(const WorldState& world) {
    const Bodies& b = world.bodies;
    Momentum m;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        const Vec3 linear = (1 / b.inverseMass[i]) * b.velocity[i];
        const Vec3 angular = cross(b.position[i], linear) + (1 / b.inverseInertia[i].x) * b.spin[i];
        m.linear += linear;
        m.angular += angular;
        m.linearScale += norm(linear);
        m.angularScale += norm(b.position[i]) * norm(linear) + norm(b.spin[i]) / b.inverseInertia[i].x;
    }
    return m;
}

std::uint64_t countTouching(const WorldState& world) {
    std::uint64_t touching = 0;
    for (const TangentSpring& spring : world.contacts.springs().tangent) touching += spring.contactRadius > 0;
    return touching;
}

// Steps the world and returns how many contacts there were at most.
std::uint64_t advance(WorldState& world, int steps, double dt) {
    const StepSettings settings{.dt = dt};
    StepWorkspace workspace;
    prepareStep(world, settings, workspace);
    std::uint64_t most = 0;
    for (int k = 0; k < steps; ++k) {
        stepPenalty(world, settings, workspace);
        most = std::max(most, countTouching(world));
    }
    return most;
}

// A cloud that rushes together, turning, and bounces apart; no walls, no gravity.
WorldState makeImplodingCloud(const LawKinds& kinds) {
    WorldState world = test::makeFallingGrains({.perEdge = 6, .kinds = kinds, .walls = false, .gravity = {}});
    Bodies& b = world.bodies;
    const Vec3 centre{6e-3, 6e-3, 6e-3};
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        const Vec3 inward = centre - b.position[i];
        b.velocity[i] += 60 * inward + cross(Vec3{20, 10, 0}, inward) + Vec3{0.3, 0.1, 0};
    }
    return world;
}

void expectMomentaKept(const LawKinds& kinds) {
    WorldState world = makeImplodingCloud(kinds);
    const Momentum before = measureMomentum(world);
    const std::uint64_t contacts = advance(world, 1200, 1e-5);
    const Momentum after = measureMomentum(world);
    EXPECT_GT(contacts, 50u);
    // Round-off of 1200 steps and 216 grains: each addition errs by 1e-16 of the largest part at most.
    EXPECT_LT(norm(after.linear - before.linear), 1e-13 * before.linearScale);
    EXPECT_LT(norm(after.angular - before.angular), 1e-12 * before.angularScale);
}

TEST(Momentum, LinearAndAngularAreKeptToRoundOffInManyCollisions) { expectMomentaKept({}); }

TEST(Momentum, LinearAndAngularAreKeptWithHookesLaw) { expectMomentaKept({.normal = NormalLaw::hooke}); }

TEST(Momentum, LinearAndAngularAreKeptWithRollingResistanceAndNecks) {
    expectMomentaKept({.rolling = RollingLaw::spring, .cohesion = CohesionLaw::jkr});
    expectMomentaKept({.rolling = RollingLaw::constant, .cohesion = CohesionLaw::dmt});
}

TEST(Momentum, LinearIsKeptInAPeriodicGas) {
    WorldState world = test::makeFallingGrains({.perEdge = 6, .speed = 1, .walls = false, .gravity = {}});
    const double edge = 6 * 2.02e-3;
    world.domain = {.low = {}, .high = {edge, edge, edge}, .periodic = {true, true, true}};
    const Momentum before = measureMomentum(world);
    advance(world, 2000, 1e-5);
    EXPECT_GT(world.contacts.rebuilds, 10u);
    EXPECT_LT(norm(measureMomentum(world).linear - before.linear), 1e-13 * before.linearScale);
}

TEST(Momentum, IsTheSameBitsOnAllNumbersOfThreads) {
    std::uint64_t first = 0;
    for (const int threads : {1, 2, 3, 4}) {
        setThreadCount(threads);
        WorldState world = makeImplodingCloud({});
        advance(world, 60, 1e-5);
        if (threads == 1) first = stateHash(world);
        EXPECT_EQ(stateHash(world), first) << threads << " threads";
    }
    setThreadCount(1);
}

// Share of the energy that changed its form for which the ledger cannot account after 10 ms.
double unaccounted(const test::FallingGrains& choice, double dt) {
    WorldState world = test::makeFallingGrains(choice);
    world.motions.push_back({SineMotion{{0, 0, 5e-4}, 50, 0}, {world.bodies.position.back(), {}}});
    world.bodies.motion.back() = 0;
    StepWorkspace workspace;
    prepareStep(world, {.dt = dt}, workspace);
    const EnergyBalance start = measureEnergy(world, sampleContacts(world));
    for (int k = 0; k < static_cast<int>(std::lround(0.01 / dt)); ++k) stepPenalty(world, {.dt = dt}, workspace);
    const EnergyBalance end = measureEnergy(world, sampleContacts(world));
    EXPECT_GT(end.dissipated.total(), 0.2 * start.kinetic());
    EXPECT_NE(end.wallWork, 0);
    return std::abs(closure(start, end)) / turnover(start, end);
}

TEST(EnergyLedger, ClosesInAShakenBoxAndBetterWithAShorterStep) {
    const double coarse = unaccounted({.perEdge = 5}, 1e-5), fine = unaccounted({.perEdge = 5}, 2.5e-6);
    EXPECT_LT(coarse, 5e-3);
    EXPECT_LT(fine, 0.5 * coarse);
}

TEST(EnergyLedger, ClosesWithRollingResistanceAndNecks) {
    const test::FallingGrains sticky{.perEdge = 5,
                                     .kinds = {.rolling = RollingLaw::spring, .cohesion = CohesionLaw::jkr}};
    EXPECT_LT(unaccounted(sticky, 5e-6), 5e-3);
}

}  // namespace
}  // namespace talus
