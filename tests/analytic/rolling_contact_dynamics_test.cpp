// Rolling and spinning resistance in contact dynamics, against closed forms.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05, gravity = 9.81, rolling = 0.05;  // m, m/s^2, -
constexpr std::uint32_t ball = 0;                                // id

Trial ballOn(const Vec3& pull, const Vec3& velocity, const Vec3& spin, SolverKind solver = SolverKind::gaussSeidel,
             SweepOrder sweep = SweepOrder::coloured) {
    Substance s;
    s.kinds = {.normal = NormalLaw::hooke, .rolling = RollingLaw::constant};
    s.contact = {.friction = 0.8, .rollingFriction = rolling};
    WorldState world = makeWorld(s);
    world.gravity = pull;
    addBody(world, {.radius = radius, .position = {0, 0, radius}, .velocity = velocity, .spin = spin});
    addFloor(world);
    return Trial(std::move(world), 1e-3,
                 {.solver = solver,
                  .tolerance = 1e-10,
                  .maxIterations = 10000,
                  .sweep = sweep,
                  .restitution = RestitutionRule::none});
}

TEST(RollingContactDynamics, SlowsARollingBallByFiveSeventhsOfTheCoefficient) {
    for (const SolverKind solver :
         {SolverKind::gaussSeidel, SolverKind::apgd, SolverKind::spg, SolverKind::jacobi, SolverKind::interiorPoint}) {
        Trial trial = ballOn({0, 0, -gravity}, {1, 0, 0}, {0, 1 / radius, 0}, solver);
        const EnergyBalance before = trial.energy();
        trial.advance(1);
        const double speed = 1 - 5.0 / 7 * rolling * gravity;
        // The limit is 0 in the first step, and the floor brings the ball to rest along z.
        EXPECT_NEAR(trial.velocity(ball).x, speed, 2e-3);
        EXPECT_NEAR(trial.spin(ball).y * radius, trial.velocity(ball).x, 1e-6);
        const EnergyBalance after = trial.energy();
        EXPECT_NEAR(after.dissipated.rolling, before.kinetic() - after.kinetic(), 0.01 * before.kinetic());
        EXPECT_LT(std::abs(closure(before, after)), 1e-4 * turnover(before, after));
    }
}

TEST(RollingContactDynamics, HoldsABallOnASlopeUpToTheCoefficientAndLetsItRollBeyond) {
    const auto speedAfterASecond = [](double slope) {
        const double steep = std::atan(slope);
        Trial trial = ballOn({gravity * std::sin(steep), 0, -gravity * std::cos(steep)}, {}, {});
        trial.advance(1);
        return trial.velocity(ball).x;
    };
    EXPECT_NEAR(speedAfterASecond(0.9 * rolling), 0, 1e-3) << "one step without resistance at the start";
    const double slope = 2 * rolling, cosine = std::cos(std::atan(slope));
    EXPECT_NEAR(speedAfterASecond(slope), 5.0 / 7 * gravity * cosine * (slope - rolling), 2e-3);
}

TEST(RollingContactDynamics, StopsASpinningBall) {
    const double spin = 20, deceleration = 2.5 * rolling * gravity / radius;
    Trial trial = ballOn({0, 0, -gravity}, {}, {0, 0, spin});
    trial.advance(0.5);
    EXPECT_NEAR(trial.spin(ball).z, spin - 0.5 * deceleration, 0.01 * spin);
    trial.advance(spin / deceleration);
    EXPECT_NEAR(trial.spin(ball).z, 0, 1e-8);
    EXPECT_NEAR(norm(trial.velocity(ball)), 0, 1e-8);
}

TEST(RollingContactDynamics, WorksInTheOrderOfTheBodies) {
    Trial trial = ballOn({0, 0, -gravity}, {1, 0, 0}, {0, 1 / radius, 0}, SolverKind::gaussSeidel, SweepOrder::list);
    trial.advance(1);
    EXPECT_NEAR(trial.velocity(ball).x, 1 - 5.0 / 7 * rolling * gravity, 2e-3);
}

TEST(RollingContactDynamics, WorksInThePlane) {
    Substance s;
    s.kinds = {.normal = NormalLaw::hooke, .rolling = RollingLaw::constant};
    s.contact = {.friction = 0.8, .rollingFriction = rolling};
    WorldState world = makeWorld(s);
    world.gravity = {0, 0, -gravity};
    world.linearFreedom = {1, 0, 1};
    world.angularFreedom = {0, 1, 0};
    addBody(world, {.radius = radius, .position = {0, 0, radius}, .velocity = {1, 0, 0}, .spin = {0, 1 / radius, 0}});
    addFloor(world);
    Trial trial(std::move(world), 1e-3, {.tolerance = 1e-10, .maxIterations = 10000});
    trial.advance(1);
    EXPECT_NEAR(trial.velocity(ball).x, 1 - 5.0 / 7 * rolling * gravity, 2e-3);
}

}  // namespace
}  // namespace talus
