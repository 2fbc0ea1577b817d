#include "step/time_step.hpp"

#include <gtest/gtest.h>

#include "laws/pair_law.hpp"
#include "step/known_speed.hpp"

namespace talus {
namespace {

WorldState worldOf(const LawKinds& kinds, double restitution = 1) {
    WorldState world;
    world.gravity = {};
    world.materials.kinds = kinds;
    world.materials.list = {{"steel", 7800, 2e11, 0.3}};
    world.materials.laws = {
        makePairLaw(kinds, DampingLaw::restitution, {2e11, 0.3}, {2e11, 0.3}, {.restitution = restitution})};
    addBody(world, {.radius = 2e-3});
    addBody(world, {.radius = 1e-3, .position = {1, 0, 0}, .velocity = {0.5, 0, 0}});
    return world;
}

constexpr double mass = 7800 * 4.0 / 3 * M_PI * 1e-9, modulus = 2e11 / (2 * 0.91);

TEST(TimeScales, AreThoseOfTheSmallestGrainAgainstItsLike) {
    const TimeScales hertz = measureTimeScales(worldOf({}), 0.7);
    EXPECT_NEAR(hertz.rayleigh / (M_PI * 1e-3 * std::sqrt(7800 * 2.6 / 2e11) / (0.1631 * 0.3 + 0.8766)), 1, 1e-12);
    const double m = mass / 2, r = 0.5e-3;
    EXPECT_NEAR(hertz.contact / (2.87 * std::pow(m * m / (r * modulus * modulus * 0.7), 0.2)), 1, 1e-12);
    const TimeScales hooke = measureTimeScales(worldOf({.normal = NormalLaw::hooke}), 0.7);
    EXPECT_NEAR(hooke.contact / (M_PI * std::sqrt(m / (4 * modulus * r))), 1, 1e-12);
}

// Two like discs with springs swing in half a period of their reduced mass; with corners a quarter of it counts.
TEST(TimeScales, OfFlatBodiesAreThoseOfPrisms) {
    const LawKinds hooke{.normal = NormalLaw::hooke};
    const auto timeOf = [&](const Shape& shape, double radius) {
        WorldState world = worldOf(hooke);
        world.shapes.add(shape);
        world.materials.laws[0].stiffness = 1e7;
        world.materials.laws[0].stiffnessPerRadius = 0;
        world.bodies = {};
        world.nextId = 0;
        addBody(world, {.shape = 1, .radius = radius * boundingRadius(shape)});
        return measureTimeScales(world, 1).contact;
    };
    const Shape disc = PolygonShape{{{0, 0}}, 1};
    const Shape square = PolygonShape{{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}, 0};
    for (const double size : {1e-3, 1e-2, 1.0, 20.0}) {
        const double ofDisc = M_PI * std::sqrt(0.5 * 7800 * M_PI * size * size / 1e7);
        EXPECT_NEAR(timeOf(disc, size) / ofDisc, 1, 1e-9);
        const double ofSquare = M_PI * std::sqrt(0.5 * 7800 * size * size / 4 / 1e7);
        EXPECT_NEAR(timeOf(square, size) / ofSquare, 1, 1e-9);
    }
}

TEST(TimeScales, AreShorterWithStrongDamping) {
    EXPECT_LT(measureTimeScales(worldOf({}, 0.1), 1).contact, 0.8 * measureTimeScales(worldOf({}, 1), 1).contact);
    EXPECT_LT(measureTimeScales(worldOf({}, 0.1), 1).damping, measureTimeScales(worldOf({}, 0.5), 1).damping);
    EXPECT_TRUE(std::isinf(measureTimeScales(worldOf({}, 1), 1).damping));
}

// Six contacts calm a spin by 20 ct/m. A linear spring is as stiff at any speed; one of Hertz's where the energy of the
// impact, m v^2/2, is 8/15 E* sqrt(R) d^(5/2).
TEST(TimeScales, OfDampingAreThatOfSixContactsOfAGrain) {
    for (const NormalLaw normal : {NormalLaw::hooke, NormalLaw::hertz}) {
        const WorldState world = worldOf({.normal = normal}, 0.3);
        const PairLaw& law = world.materials.laws[0];
        const double speed = 0.7, m = mass / 2, r = 0.5e-3;
        const double overlap = std::pow(0.5 * m * speed * speed / (8.0 / 15 * modulus * std::sqrt(r)), 0.4);
        const double stiffness = normal == NormalLaw::hooke ? 4 * modulus * r : 2 * modulus * std::sqrt(r * overlap);
        const double ratio = normal == NormalLaw::hooke ? 2.0 / 7 : 4 * law.shearModulus / modulus;
        const double dashpot = 2 * law.dampingRatio * std::sqrt(m * stiffness) * std::sqrt(ratio);
        EXPECT_NEAR(measureTimeScales(world, speed).damping * 20 * dashpot / mass, 16, 1e-9);
    }
}

// Their dashpots then take less than 0.8 of a spin in a step, and are unstable only from 1 on.
TEST(ChosenStep, LeavesTheDashpotsOfSixContactsAMargin) {
    for (const double restitution : {0.05, 0.1, 0.3, 0.5, 0.9}) {
        const WorldState world = worldOf({}, restitution);
        const StepChoice choice = chooseStep(world, 0.05, 1e-3);
        EXPECT_LE(choice.dt * 16 / choice.scales.damping, 0.8 * (1 + 1e-12)) << restitution;
    }
}

TEST(StepFault, IsThatOfAStepInWhichTheSpringOfOneContactIsUnstable) {
    for (const NormalLaw normal : {NormalLaw::hooke, NormalLaw::hertz}) {
        const WorldState world = worldOf({.normal = normal});
        const TimeScales scales = measureTimeScales(world, expectedSpeed(world));
        const double limit = 2 / M_PI * scales.contact;
        EXPECT_FALSE(stepFault(world, 0.9 * limit).has_value());
        ASSERT_TRUE(stepFault(world, 1.1 * limit).has_value());
        EXPECT_NE(stepFault(world, 1.1 * limit)->find("set run.step to auto"), std::string::npos);
    }
}

TEST(TimeScales, AreInfiniteWithoutFreeGrains) {
    WorldState world = worldOf({});
    world.bodies.inverseMass = {0, 0};
    EXPECT_TRUE(std::isinf(measureTimeScales(world, 1).rayleigh));
    EXPECT_GT(chooseStep(world, 0.1, 2.0).dt, 0);
}

TEST(ChosenStep, DividesTheDurationAndStaysBelowItsShare) {
    const WorldState world = worldOf({});
    const double duration = 1e-3;
    const StepChoice choice = chooseStep(world, 0.1, duration);
    const double steps = duration / choice.dt;
    EXPECT_NEAR(steps, std::round(steps), 1e-6);
    EXPECT_LE(choice.dt, 0.1 * choice.scales.shortest() * (1 + 1e-12));
    EXPECT_GT(choice.dt, 0.09 * choice.scales.shortest());
    EXPECT_NE(choice.reason.find("auto"), std::string::npos);
    EXPECT_NE(choice.reason.find("Rayleigh"), std::string::npos);
}

TEST(StepWarning, ComesForALongStepOnly) {
    const WorldState world = worldOf({});
    const TimeScales scales = measureTimeScales(world, 1);
    const double fine = 0.05 * std::min(scales.rayleigh, scales.contact);
    EXPECT_FALSE(stepWarning(world, fine, 1).has_value());
    ASSERT_TRUE(stepWarning(world, scales.contact, 1).has_value());
    EXPECT_NE(stepWarning(world, scales.contact, 1)->find("run.step"), std::string::npos);
}

TEST(StepWarning, NamesOnlyTheTimeThatIsExceededInPlainNumbers) {
    const WorldState world = worldOf({});
    const TimeScales scales = measureTimeScales(world, 1);
    const std::string slow = *stepWarning(world, 0.5 * scales.rayleigh, 1e-9);
    EXPECT_NE(slow.find("50 % of the Rayleigh time"), std::string::npos) << slow;
    EXPECT_EQ(slow.find("contact time"), std::string::npos) << slow;
    const std::string fast = *stepWarning(world, 1.3 * scales.contact, 1);
    EXPECT_NE(fast.find("130 % of the contact time"), std::string::npos) << fast;
}

}  // namespace
}  // namespace talus
