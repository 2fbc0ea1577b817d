// Bodies that a stage lets down onto others and lets go, with a velocity and on a guide.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "talus/error.hpp"
#include "talus/simulation.hpp"

namespace talus {
namespace {

constexpr double length = 0.02;  // m, of the cone
const double half = std::numbers::pi / 6;

// A cone of 60 degrees, tip down, is held above a ball of 5 mm that lies beside its axis by the given way.
std::string coneOver(double beside, const std::string& change) {
    return fmt::format(R"(
materials: {{a: {{}}}}
bodies:
  - {{shape: sphere, group: ball, radius: 5 mm, position: [{}, 0, 0], fixed: true}}
  - {{shape: cone, group: cone, name: cone, low_radius: 0, high_radius: {:.17g}, length: {}, position: [0, 0, 40 mm],
     fixed: true}}
joints: [{{name: guide, type: prismatic, between: [cone, world], axis: [0, 0, -1]}}]
run: {{step: 10 us}}
stages:
  - {{name: wait, time: 1 ms}}
  - {{name: fall, time: 20 ms, change: [{}]}}
)",
                       beside, length * std::tan(half), length, change);
}

Scene sceneOf(const std::string& text, const std::vector<std::string>& overrides = {}) {
    return parseScene(text, "test.yaml", ".", overrides);
}

// m, of the tip of the cone once the second stage has begun. The centre of mass is three quarters of the way up.
double tipOf(const std::string& text) {
    Simulation simulation(sceneOf(text));
    simulation.advance(101);
    return simulation.bodies()[1].position.z - 0.75 * length;
}

std::string errorOf(const std::string& text, const std::vector<std::string>& overrides = {}) {
    try {
        describeScene(sceneOf(text, overrides));
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(LettingDown, StopsWithTheTipOnTheBallBelow) {
    EXPECT_NEAR(tipOf(coneOver(0, "{group: cone, on: ball, fixed: false}")), 5e-3, 3e-6);
}

TEST(LettingDown, StopsWithTheFlankAtABallBesideTheAxis) {
    // The flank is as far from the centre of the ball as its radius: beside cos(half) + tip sin(half) = radius.
    const double tip = (5e-3 - 8e-3 * std::cos(half)) / std::sin(half);
    EXPECT_NEAR(tipOf(coneOver(8e-3, "{group: cone, on: ball, fixed: false}")), tip, 8e-6);
}

TEST(LettingDown, OfABodyThatMovesBeginsItsMotionAnewThere) {
    std::string text = coneOver(0, "{group: cone, on: ball}");
    // Instead of held at first.
    const std::string held = "fixed: true}\njoints:";
    const std::size_t place = text.find(held);
    ASSERT_NE(place, std::string::npos);
    text.replace(place, held.size(), "motion: {type: constant, velocity: [0, 0, -1 mm/s]}}\njoint-line:");
    text.erase(text.find("joint-line:"), text.find("run:") - text.find("joint-line:"));
    Simulation simulation(sceneOf(text));
    simulation.advance(100);
    EXPECT_NEAR(simulation.bodies()[1].position.z, 0.04 + 0.25 * length - 1e-6, 1e-12);
    simulation.advance(100);
    EXPECT_NEAR(simulation.bodies()[1].position.z - 0.75 * length, 5e-3 - 1e-6, 3e-6);
    EXPECT_NEAR(simulation.bodies()[1].velocity.z, -1e-3, 1e-12);
}

TEST(LettingDown, SaysIfNothingIsBelow) {
    Simulation simulation(sceneOf(coneOver(0.05, "{group: cone, on: ball, fixed: false}")));
    EXPECT_THROW(simulation.advance(101), RunError);
}

TEST(LettingGo, OnAGuideGivesAFreeFallWithTheVelocityOfTheStart) {
    for (const std::string method : {"penalty", "contact-dynamics"}) {
        const std::string text = coneOver(0.05, "{group: cone, fixed: false, velocity: [0, 0, -0.3]}");
        Simulation simulation(sceneOf(text, {"method=" + method}));
        simulation.advance(100);
        EXPECT_EQ(simulation.measured("slide_guide"), 0) << method;
        simulation.advance(1000);
        const double t = 0.01, h = 1e-5;
        EXPECT_NEAR(simulation.measured("slide_guide"), 0.3 * t + 0.5 * 9.81 * t * t, 9.81 * t * h) << method;
    }
}

TEST(LettingDown, OfWhatCannotBeIsRefused) {
    const auto expectError = [](const std::string& change, const std::string& part) {
        const std::string found = errorOf(coneOver(0, change));
        EXPECT_NE(found.find(part), std::string::npos) << change << "\n" << found;
    };
    EXPECT_EQ(errorOf(coneOver(0, "{group: cone, on: ball, fixed: false}")), "accepted");
    expectError("{group: cone, on: bal, fixed: false}", "there is no group \"bal\" before this stage");
    expectError("{group: cone, fixed: true, velocity: [0, 0, 1]}",
                "change[0].velocity: is that of bodies that are let");
    expectError("{group: cone, fixed: true}", "neither \"cone\" nor \"world\" can move");
    const std::string found = errorOf(coneOver(0, "{group: cone, on: ball, fixed: false}"), {"gravity=[0, 0, 0]"});
    EXPECT_NE(found.find("needs gravity"), std::string::npos) << found;
}

}  // namespace
}  // namespace talus
