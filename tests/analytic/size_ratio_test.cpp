// A small free grain and large fixed ones, friction on.
//
// Mixing mid-step velocities with end-of-step normals gives a small grain a friction force that is wrong by the
// ratio of the sizes (Vyas, Ottino, Lueptow, Umbanhowar, Comput. Phys. Commun. 310, 2025): it then creeps or sticks.
// Rolling down a large sphere has a closed form: from rest at angle a0 from the top,
//   v^2 = 10/7 g (R + r) (cos a0 - cos a),   and the grain leaves where   cos a = 10/17 cos a0.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double small = 1e-3;    // m
constexpr double gravity = 9.81;  // m/s^2

WorldState tiltedWorld(double friction) {
    WorldState world = makeWorld({.elastic = {1e8, 0.3}, .contact = {.friction = friction, .restitution = 0.3}});
    world.gravity = {0, 0, -gravity};
    return world;
}

class SizeRatio : public testing::TestWithParam<double> {};

TEST_P(SizeRatio, DoesNotKeepASmallGrainFromRollingDownALargeOne) {
    const double large = GetParam() * small, start = 0.3;
    WorldState world = tiltedWorld(20);  // so much that it slips only when hardly any load is left
    addBody(world, {.radius = large, .fixed = true});
    const double overlap =
        hertzOverlap(massOf(small) * gravity * std::cos(start), small * large / (small + large), lawOf(world).modulus);
    const double distance = small + large - overlap;
    const std::uint32_t grain =
        addBody(world, {.radius = small, .position = distance * Vec3{std::sin(start), 0, std::cos(start)}});
    Trial trial(std::move(world), 2e-6);

    const auto angle = [&] { return std::atan2(trial.position(grain).x, trial.position(grain).z); };
    while (angle() < 0.7) trial.step();
    const double speed = std::sqrt(10.0 / 7 * gravity * (small + large) * (std::cos(start) - std::cos(angle())));
    EXPECT_NEAR(norm(trial.velocity(grain)) / speed, 1, 1e-3);
    EXPECT_NEAR(trial.spin(grain).y * small / norm(trial.velocity(grain)), 1, 1e-3) << "rolling on a fixed sphere";
    while (!sampleContacts(trial.world).empty()) trial.step();
    EXPECT_NEAR(std::cos(angle()) / (10.0 / 17 * std::cos(start)), 1, 2e-2);
}

// A grain pressed on the flank of a large one and let go: it swings about its rest, damped, and starts to roll.
// Position and velocity of one instant in the law give second order; a velocity half a step old gives first order.
Vec3 placeAfterSwing(double ratio, double dt) {
    const double large = ratio * small, angle = 0.3;
    WorldState world = tiltedWorld(0.5);
    addBody(world, {.radius = large, .fixed = true});
    const double rest =
        hertzOverlap(massOf(small) * gravity * std::cos(angle), small * large / (small + large), lawOf(world).modulus);
    const double distance = small + large - 1.5 * rest;
    const std::uint32_t grain =
        addBody(world, {.radius = small, .position = distance * Vec3{std::sin(angle), 0, std::cos(angle)}});
    Trial trial(std::move(world), dt);
    trial.advance(3.2e-4);  // about half a period
    EXPECT_FALSE(sampleContacts(trial.world).empty());
    return trial.position(grain);
}

TEST_P(SizeRatio, LeavesTheStepOfSecondOrderWithFrictionAndDamping) {
    const auto place = [](double dt) { return placeAfterSwing(GetParam(), dt); };
    const Vec3 coarse = place(8e-6), middle = place(4e-6), fine = place(2e-6);
    EXPECT_GT(std::log2(norm(coarse - middle) / norm(middle - fine)), 1.7);
}

// Three bodies: two fixed large spheres and a grain dropped off the middle, through a gap of 2.5 of its radii.
struct Passage {
    bool through = false;
    Vec3 velocity;  // m/s, when it has left the neck
    double time = 0;
};

Passage dropBetween(double ratio, double dt) {
    const double large = ratio * small, half = large + 1.25 * small;
    WorldState world = tiltedWorld(0.5);
    addBody(world, {.radius = large, .position = {-half, 0, 0}, .fixed = true});
    addBody(world, {.radius = large, .position = {half, 0, 0}, .fixed = true});
    const double x = 0.4 * half, rest = std::sqrt(std::pow(large + small, 2) - std::pow(half - x, 2));
    const std::uint32_t grain = addBody(world, {.radius = small, .position = {x, 0, rest + 0.5 * small}});
    Trial trial(std::move(world), dt);
    Passage passage;
    while (trial.world.time < 1 && trial.position(grain).z > -0.5 * large) trial.step();
    passage.through = trial.position(grain).z <= -0.5 * large;
    passage.velocity = trial.velocity(grain);
    passage.time = trial.world.time;
    return passage;
}

TEST_P(SizeRatio, DoesNotHoldAGrainThatFallsThroughTheGapOfTwoLargeOnes) {
    const Passage reference = dropBetween(GetParam(), 2.5e-7);
    ASSERT_TRUE(reference.through);
    const auto error = [&](double dt) {
        const Passage passage = dropBetween(GetParam(), dt);
        EXPECT_TRUE(passage.through);
        return std::abs(passage.time / reference.time - 1);
    };
    const double coarse = error(4e-6), fine = error(1e-6);
    EXPECT_LT(coarse, 2e-2);
    EXPECT_LT(fine, std::max(coarse, 1e-4));
}

INSTANTIATE_TEST_SUITE_P(Of, SizeRatio, testing::Values(3.0, 10.0, 30.0));

}  // namespace
}  // namespace talus
