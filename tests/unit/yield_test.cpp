// Contacts that yield, led through closed paths computed by hand: stiffness 10 N/mm along the normal and 5 N/mm across.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "unit/led_contact.hpp"

namespace talus {
namespace {

using test::LedContact;
using test::LedLaw;

constexpr double mm = 1e-3;         // m
constexpr double tolerance = 1e-9;  // N, of round-off

Vec3 along(double way) { return {way, 0, 0}; }
Vec3 across(double way) { return {0, way, 0}; }

TEST(YieldingContact, IsDentedAtItsCapAndUnloadsElastically) {
    LedContact contact({.yield = {.cap = 20}});
    EXPECT_NEAR(contact.move(along(-1 * mm)).x, 10, tolerance);
    EXPECT_NEAR(contact.move(along(-4 * mm)).x, 20, tolerance);
    EXPECT_NEAR(contact.memory().plastic, -3 * mm, 1e-15);
    EXPECT_NEAR(contact.move(along(1 * mm)).x, 10, tolerance);
    EXPECT_NEAR(contact.move(along(1 * mm)).x, 0, tolerance);
    EXPECT_NEAR(contact.move(along(2 * mm)).x, 0, tolerance) << "open above its dent";
    EXPECT_NEAR(contact.memory().plastic, -3 * mm, 1e-15) << "opening is no plastic stretch";
    EXPECT_NEAR(contact.move(along(-3 * mm)).x, 10, tolerance);
    EXPECT_NEAR(contact.move(along(-2 * mm)).x, 20, tolerance);
    EXPECT_NEAR(contact.memory().plastic, -4 * mm, 1e-15);
    EXPECT_NEAR(contact.plastic, 20 * 4 * mm, 1e-12) << "cap times dent";
    contact.move(along(7 * mm));
    EXPECT_EQ(contact.memory().plastic, 0) << "forgotten when the bodies no longer overlap";
}

TEST(YieldingContact, IsDrawnOutAtItsCohesionAndPushesFromThereOn) {
    for (const YieldLaw& law : {YieldLaw{}, YieldLaw{.rounding = 10}}) {
        const bool rounded = law.rounding > 0;
        LedContact contact({.yield = law, .friction = 0.5, .cohesion = rounded ? 0.0 : 10.0});
        EXPECT_NEAR(contact.move(along(0.5 * mm)).x, -5, tolerance);
        EXPECT_NEAR(contact.move(along(2.5 * mm)).x, -10, tolerance);
        EXPECT_NEAR(contact.memory().plastic, 2 * mm, 1e-12);
        EXPECT_NEAR(contact.move(along(-0.5 * mm)).x, -5, tolerance);
        EXPECT_NEAR(contact.move(along(-1.5 * mm)).x, 10, tolerance);
        EXPECT_NEAR(contact.move(along(-1 * mm)).x, 20, tolerance);
        EXPECT_NEAR(contact.plastic, 10 * 2 * mm, 1e-12);
    }
}

TEST(YieldingContact, LosesItsCohesionForGoodWhenItsBondBreaks) {
    LedContact contact({.yield = {.bondStretch = 2.5 * mm}, .cohesion = 10});
    EXPECT_NEAR(contact.move(along(3 * mm)).x, -10, tolerance);
    EXPECT_FALSE(contact.isBroken);
    EXPECT_NEAR(contact.move(along(1 * mm)).x, -10, tolerance) << "in the step in which it breaks";
    EXPECT_TRUE(contact.isBroken);
    EXPECT_NEAR(contact.move(along(1 * mm)).x, 0, tolerance);
    EXPECT_NEAR(contact.move(along(-6 * mm)).x, 10, tolerance) << "it touches where the bodies do";
    EXPECT_NEAR(contact.move(along(2 * mm)).x, 0, tolerance);
}

TEST(YieldingContact, FormsAnotherBondIfItsBondsAreNotToBreakForGood) {
    LedContact contact({.cohesion = 10});
    EXPECT_NEAR(contact.move(along(150 * mm)).x, -10, tolerance);
    EXPECT_EQ(contact.memory().bond, 0) << "a tenth of the radius of 1 m";
    EXPECT_NEAR(contact.move(along(-151 * mm)).x, 10, tolerance);
    EXPECT_NEAR(contact.move(along(1.5 * mm)).x, -5, tolerance);
}

TEST(YieldingContact, SlidesAroundAHysteresisLoop) {
    LedContact contact({.friction = 0.5});
    ASSERT_NEAR(contact.move(along(-2 * mm)).x, 20, tolerance);
    EXPECT_NEAR(contact.move(across(1 * mm)).y, -5, tolerance);
    EXPECT_NEAR(contact.move(across(4 * mm)).y, -10, tolerance);
    EXPECT_NEAR(contact.sliding, 10 * 3 * mm, 1e-12);
    EXPECT_NEAR(contact.move(across(-2 * mm)).y, 0, tolerance);
    EXPECT_NEAR(contact.move(across(-8 * mm)).y, 10, tolerance);
    EXPECT_NEAR(contact.move(across(10 * mm)).y, -10, tolerance);
    EXPECT_NEAR(contact.sliding, 10 * (3 + 6 + 6) * mm, 1e-12);
    EXPECT_NEAR(contact.move(along(1 * mm)).y, -5, tolerance) << "less load, less friction";
    EXPECT_NEAR(norm(contact.move(along(2 * mm))), 0, tolerance);
    EXPECT_EQ(norm(contact.memory().tangential), 0) << "an open contact forgets";
}

TEST(YieldingContact, BearsShearWithoutLoadByItsCohesionAndLessUnderTension) {
    LedContact contact({.friction = 0.5, .cohesion = 10});
    EXPECT_NEAR(contact.move(across(0.5 * mm)).y, -2.5, tolerance);
    EXPECT_NEAR(contact.move(across(2 * mm)).y, -5, tolerance);
    EXPECT_NEAR(contact.memory().plastic, 0, 1e-12) << "Coulomb's law does not dilate";
    const Vec3 pulled = contact.move(along(0.5 * mm));
    EXPECT_NEAR(pulled.x, -5, tolerance);
    EXPECT_NEAR(pulled.y, -2.5, tolerance);
    const Vec3 torn = contact.move(along(1 * mm));
    EXPECT_NEAR(torn.x, -10, tolerance);
    EXPECT_NEAR(torn.y, 0, 1e-6);
}

TEST(YieldingContact, IsDrawnOutByFrictionTimesSlipWithAssociatedFlow) {
    LedContact contact({.friction = 0.5, .cohesion = 10, .flow = FrictionLaw::associated});
    const Vec3 force = contact.moveIn(50, across(5 * mm));
    const double elasticNormal = -force.x / 1e4, elasticSlip = -force.y / 5e3;
    EXPECT_NEAR(std::abs(force.y), 0.5 * (force.x + 10), tolerance);
    EXPECT_NEAR(contact.memory().plastic, -elasticNormal, 1e-12) << "the gap stays 0";
    EXPECT_NEAR(contact.memory().plastic, 0.5 * (5 * mm - elasticSlip), 1e-10);
}

TEST(YieldingContact, ReachesTheRoundedConeWhenItShears) {
    LedContact contact({.yield = {.rounding = 10}, .friction = 0.5, .flow = FrictionLaw::associated});
    const Vec3 force = contact.moveIn(20, {-1 * mm, 10 * mm, 0});
    EXPECT_NEAR(std::abs(force.y), 0.5 * force.x + 10 * std::sqrt(1 + 0.25), 1e-6);
}

TEST(YieldingContact, HardensAndSoftensLinearlyWithThePlasticWay) {
    LedContact harder({.yield = {.cap = 20, .capHardening = 1e3}});
    harder.moveIn(2000, along(-5 * mm));  // the limit is that of the start of a step
    // 20 N + 1 N/mm w = 10 N/mm (5 mm - w)
    EXPECT_NEAR(-harder.memory().plastic, 30.0 / 11 * mm, 2e-3 * mm);
    LedContact softer({.yield = {.cohesionHardening = -2e3}, .cohesion = 10});
    const Vec3 force = softer.moveIn(2000, along(3 * mm));
    // 10 N - 2 N/mm w = 10 N/mm (3 mm - w)
    EXPECT_NEAR(softer.memory().plastic, 2.5 * mm, 2e-3 * mm);
    EXPECT_NEAR(force.x, -5, 0.02);
    EXPECT_NEAR(softer.moveIn(2000, along(4 * mm)).x, 0, 1e-9) << "not below zero";
}

TEST(YieldingContact, HardensWithItsSlipWhetherItHasABondOrNot) {
    for (const double cohesion : {0.0, 1e-9}) {
        LedContact contact({.yield = {.cap = 20, .capHardening = 1e3}, .friction = 0.5, .cohesion = cohesion});
        contact.moveIn(10, along(-1 * mm));
        contact.moveIn(1000, {0, 10 * mm, 0});
        // 5 N of friction are reached after 1 mm of 5 N/mm.
        EXPECT_NEAR(contact.memory().way, 9 * mm, 1e-3 * mm) << cohesion;
    }
}

// At a given gap a contact that rides up is pressed together the more.
TEST(YieldingContact, RidesUpAtItsDilationAngleWhetherItHasABondOrNot) {
    const auto pressed = [](double dilation, double cohesion) {
        LedContact contact(
            {.yield = {.dilation = dilation}, .friction = 0.5, .cohesion = cohesion, .flow = FrictionLaw::associated});
        contact.moveIn(10, along(-1 * mm));
        return contact.moveIn(1000, {0, 5 * mm, 0}).x;
    };
    EXPECT_GT(pressed(0.5, 0), 15) << "10 N without riding up";
    EXPECT_NEAR(pressed(0.5, 0), pressed(0.5, 1e-9), 1e-6);
    EXPECT_NEAR(pressed(0, 0), 10, 0.05) << "without an angle the opening of a step is closed in the next";
}

TEST(YieldingContact, ForgetsWhatItRodeUpWhenItParts) {
    LedContact contact({.yield = {.dilation = 0.5}, .friction = 0.5, .flow = FrictionLaw::associated});
    contact.moveIn(10, along(-1 * mm));
    contact.moveIn(1000, {0, 5 * mm, 0});
    const double height = contact.memory().plastic;
    EXPECT_GT(height, 0.5 * mm);
    EXPECT_GT(contact.moveIn(10, along(1 * mm + 0.9 * height)).x, 0) << "still pressed, above the other body";
    contact.moveIn(10, along(3 * height));
    EXPECT_EQ(contact.memory().plastic, 0);
    EXPECT_EQ(contact.moveIn(10, along(-height)).x, 0);
}

TEST(YieldingContact, IsDampedInProportionToItsStiffness) {
    LedContact contact({.yield = {.dampingTime = 0.3}, .friction = 1});
    // 10 N/mm (1 mm + 0.3 s 1 mm/0.1 s)
    EXPECT_NEAR(contact.move(along(-1 * mm), 0.1).x, 40, tolerance);
    EXPECT_NEAR(contact.move({}, 0.1).x, 10, tolerance) << "held still only the spring is left";
    EXPECT_NEAR(contact.move(across(1 * mm), 1.0).y, -5 * 1.3, tolerance);
    EXPECT_NEAR(contact.move({}, 0.1).y, -5, tolerance);
    EXPECT_NEAR(contact.move(along(0.5 * mm), 0.1).x, 0, tolerance) << "dashpots do not pull";
    EXPECT_NEAR(contact.move({}, 0.1).x, 5, tolerance);
}

TEST(YieldingContact, FeelsNothingBeforeItTouchesHoweverDamped) {
    LedContact contact({.yield = {.dampingTime = 10}}, 2 * mm);
    EXPECT_EQ(contact.move(along(-1.5 * mm), 0.1).x, 0);
    // 0.5 mm into the contact in 0.1 s
    EXPECT_NEAR(contact.move(along(-1 * mm), 0.1).x, 5 * (1 + 10 / 0.1), 1e-6);
}

double between(double low, double high) { return low + (high - low) * *rc::gen::inRange(0, 1001) / 1000; }

LedLaw anyLaw() {
    LedLaw law;
    law.friction = between(0, 1.5);
    law.cohesion = *rc::gen::element(0.0, 5.0, 12.0);
    law.yield.dampingTime = *rc::gen::element(0.0, 0.01, 1.0);
    law.yield.rounding = *rc::gen::element(0.0, 0.0, 4.0);
    law.yield.bondStretch = *rc::gen::element(0.0, 1 * mm, 20 * mm);
    if (*rc::gen::arbitrary<bool>()) law.yield.cap = between(20, 40);
    law.yield.cohesionHardening = *rc::gen::element(0.0, 500.0, -2000.0);
    law.yield.capHardening = *rc::gen::element(0.0, 500.0, -2000.0);
    law.flow = *rc::gen::element(FrictionLaw::associated, FrictionLaw::coulomb);
    // Coulomb's shift is exact for cones alone.
    if (law.yield.rounding > 0 || std::isfinite(law.yield.cap)) law.flow = FrictionLaw::associated;
    if (law.flow == FrictionLaw::associated && *rc::gen::arbitrary<bool>()) law.yield.dilation = law.friction;
    return law;
}

RC_GTEST_PROP(YieldingContact, NeverGivesBackMoreThanItTookWhateverItsPath, ()) {
    LedContact contact(anyLaw(), between(-1, 1) * mm);
    double scale = contact.stored();
    for (int k = 0; k < 60; ++k) {
        const double stored = contact.stored();
        contact.move({between(-2, 2) * mm, between(-2, 2) * mm, between(-2, 2) * mm},
                     *rc::gen::element(0.01, 0.1, 1.0));
        scale += std::abs(contact.lastWork) + stored;
        RC_ASSERT(contact.lastWork - contact.lastTaken >= -1e-9 * scale);
        RC_ASSERT(contact.stored() <= stored + contact.lastTaken + 1e-9 * scale);
    }
}

}  // namespace
}  // namespace talus
