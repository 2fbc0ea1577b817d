#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using namespace analytic;

// Velocity Verlet follows a parabola without error, whatever the step: only round-off is left.
TEST(FreeFall, FollowsTheParabolaExactlyForAnyStep) {
    for (const double dt : {0.1, 0.01, 0.001}) {
        WorldState world = makeWorld({});
        world.gravity = {0, 0, -9.81};
        const std::uint32_t ball = addBody(world, {.radius = 0.01, .position = {0, 0, 10}});
        Trial run(std::move(world), dt);
        run.advance(1);
        EXPECT_NEAR(run.position(ball).z, 10 - 0.5 * 9.81, 1e-12);
        EXPECT_NEAR(run.velocity(ball).z, -9.81, 1e-12);
        EXPECT_NEAR(run.world.time, 1, 1e-12);
    }
}

TEST(Projectile, FollowsTheParabolaExactlyAndKeepsItsSpin) {
    const Vec3 start{1, 2, 3}, speed{3, -1, 4}, g{0.5, 0, -9.81}, spin{1, 2, 3};
    WorldState world = makeWorld({});
    world.gravity = g;
    const std::uint32_t ball = addBody(world, {.radius = 0.01, .position = start, .velocity = speed, .spin = spin});
    Trial run(std::move(world), 0.02);
    run.advance(0.8);
    const double t = run.world.time;
    EXPECT_LT(norm(run.position(ball) - (start + t * speed + 0.5 * t * t * g)), 1e-13);
    EXPECT_LT(norm(run.velocity(ball) - (speed + t * g)), 1e-13);
    EXPECT_EQ(run.spin(ball), spin);
}

}  // namespace
}  // namespace talus
