// Boxes and other solids with both methods: standing, sliding, tipping, tumbling, against closed forms.
#include <gtest/gtest.h>

#include "analytic/solid_world.hpp"
#include "geometry/solids/hull.hpp"
#include "step/rotation.hpp"

namespace talus {
namespace {

using namespace analytic;

const Shape brick = BoxShape{{0.1, 0.05, 0.03}};

TEST(Brick, RestsOnAFloorThatBearsItsWeightAtItsCorners) {
    for (const Kind run : both) {
        WorldState world = makeWorld(wood(0.5));
        world.gravity = {0, 0, -gravity};
        const std::uint32_t block = addSolid(world, brick, {0.01, 0, 0.03});
        const std::uint32_t floor = addFloor(world);
        const double weight = gravity * massOf(world, brick);
        Trial trial = start(std::move(world), run, {2e-5, 1e-3});
        trial.advance(0.5);
        EXPECT_NEAR(trial.world.bodies.force[trial.at(floor)].z, -weight, 1e-6 * weight);
        EXPECT_NEAR(norm(trial.velocity(block)), 0, 1e-6);
        EXPECT_NEAR(norm(trial.spin(block)), 0, 1e-5);
        EXPECT_EQ(sampleContacts(trial.world).size(), 4u);
        EXPECT_NEAR(trial.position(block).x, 0.01, 1e-6);
    }
}

TEST(Brick, SlidesAsFarAsItsSpeedSquaredOverTwiceFrictionTimesGravity) {
    const double friction = 0.3, speed = 1;
    for (const Kind run : both) {
        WorldState world = makeWorld(wood(friction));
        world.gravity = {0, 0, -gravity};
        const double sunk = run == Kind::penalty ? gravity * massOf(world, brick) / 4e6 : 1e-12;
        const std::uint32_t block = addSolid(world, brick, {0, 0, 0.03 - sunk}, {}, {speed, 0, 0});
        addFloor(world);
        Trial trial = start(std::move(world), run, {2e-5, 1e-4});
        trial.advance(0.5);
        EXPECT_NEAR(trial.position(block).x, speed * speed / (2 * friction * gravity), 0.002 * speed);
        EXPECT_NEAR(norm(trial.velocity(block)), 0, 1e-4);
    }
}

// A tall brick on an incline: it stands while its centre is above its foot.
bool tips(Kind run, double angle) {
    WorldState world = makeWorld(wood(2.0));
    world.gravity = gravity * Vec3{std::sin(angle), 0, -std::cos(angle)};
    const std::uint32_t block = addSolid(world, BoxShape{{0.03, 0.05, 0.1}}, {0, 0, 0.1});
    addFloor(world);
    Trial trial = start(std::move(world), run, {2e-5, 1e-3});
    trial.advance(0.6);
    return std::abs(rotate(trial.world.bodies.orientation[trial.at(block)], {0, 0, 1}).z) < 0.9;
}

TEST(TallBrick, TipsWhenItsCentreIsBeyondItsFoot) {
    const double limit = std::atan2(0.03, 0.1);
    for (const Kind run : both) {
        EXPECT_FALSE(tips(run, limit - 0.03));
        EXPECT_TRUE(tips(run, limit + 0.03));
    }
}

// Spinning about its middle axis a body turns over again and again (Dzhanibekov).
TEST(FreeBrick, TurnsOverAgainAndAgainAndKeepsMomentumAndEnergy) {
    for (const Kind run : both) {
        WorldState world = makeWorld(wood(0));
        const std::uint32_t block = addSolid(world, brick, {}, {}, {}, {0.01, 10, 0});
        Trial trial = start(std::move(world), run, {2e-5, 1e-3});
        const auto momentum = [&] { return angularMomentum(trial.world.bodies, trial.at(block), trial.spin(block)); };
        const Vec3 before = momentum();
        const double energy = trial.energy().rotation;
        int turns = 0;
        double side = 1;
        for (int k = 0; k < 700; ++k) {
            trial.advance(0.01);
            const double now = rotate(trial.world.bodies.orientation[trial.at(block)], {0, 1, 0}).y;
            if (now * side < -0.5) {
                ++turns;
                side = -side;
            }
        }
        EXPECT_GE(turns, 2);
        EXPECT_LT(norm(momentum() - before), 1e-9 * norm(before));
        EXPECT_NEAR(trial.energy().rotation, energy, (run == Kind::penalty ? 1e-9 : 1e-4) * energy);
    }
}

// Boxes, cans and hulls on top of each other, each a little aside.
TEST(Stack, OfBoxesCansAndPrismsStandsStill) {
    std::vector<Vec3> prism;
    for (int k = 0; k < 6; ++k) {
        for (const double z : {-0.04, 0.04})
            prism.push_back({0.09 * std::cos(k * M_PI / 3), 0.09 * std::sin(k * M_PI / 3), z});
    }
    const Shape shapes[] = {BoxShape{{0.1, 0.1, 0.04}}, CylinderShape{0.1, 0.04}, makeHull(prism, 0).shape};
    for (const Kind run : both) {
        for (const Shape& shape : shapes) {
            WorldState world = makeWorld(wood(0.5));
            world.gravity = {0, 0, -gravity};
            std::vector<std::uint32_t> stack;
            std::vector<Vec3> places;
            for (int k = 0; k < 4; ++k) {
                places.push_back({0.002 * k, -0.001 * k, 0.04 + 0.08 * k});
                stack.push_back(addSolid(world, shape, places.back()));
            }
            addFloor(world);
            Trial trial = start(std::move(world), run, {2e-5, 2e-3});
            trial.advance(run == Kind::penalty ? 1.0 : 10.0);
            for (std::size_t k = 0; k < stack.size(); ++k) {
                EXPECT_LT(norm(trial.position(stack[k]) - places[k]), 2e-4) << shapeName(shape) << " " << k;
                EXPECT_LT(norm(trial.velocity(stack[k])), 1e-3) << shapeName(shape) << " " << k;
            }
        }
    }
}

// It would slide faster without friction.
TEST(Cylinder, RollsDownAnInclineAtTwoThirdsOfTheFall) {
    const double angle = 0.2, time = 0.4, radius = 0.05;
    for (const Kind run : both) {
        WorldState world = makeWorld(wood(0.6));
        world.gravity = gravity * Vec3{std::sin(angle), 0, -std::cos(angle)};
        const Shape can = CylinderShape{radius, 0.08};
        const double sunk = run == Kind::penalty ? std::cos(angle) * gravity * massOf(world, can) / 2e6 : 1e-12;
        // Its axis lies along y.
        const std::uint32_t body = addSolid(world, can, {0, 0, radius - sunk}, rotationBy({M_PI / 2, 0, 0}));
        addFloor(world);
        Trial trial = start(std::move(world), run, {2e-5, 5e-4});
        trial.advance(time);
        const double speed = 2.0 / 3 * gravity * std::sin(angle) * time;
        EXPECT_NEAR(trial.velocity(body).x, speed, 0.01 * speed);
        EXPECT_NEAR(trial.spin(body).y, speed / radius, 0.01 * speed / radius);
        EXPECT_NEAR(trial.velocity(body).y, 0, 1e-3);
    }
}

// Gaps are those of the end of the step whenever somebody looks.
TEST(ElasticEllipsoid, BouncesWithoutLossAtEveryStep) {
    WorldState world = makeWorld(wood(0.3));
    world.gravity = {0, 0, -gravity};
    addSolid(world, EllipsoidShape{{0.01, 0.008, 0.006}}, {0, 0, 0.007});
    addFloor(world);
    ContactDynamicsSettings elastic{.solver = SolverKind::gaussSeidel, .tolerance = 1e-12, .maxIterations = 10000};
    elastic.contacts = ContactKind::elastic;
    elastic.theta = 0.5;
    Trial trial(std::move(world), 1e-6, elastic);
    const EnergyBalance before = trial.energy();
    const double fall = 0.001 / 0.007 * before.potential;  // J
    bool touched = false;
    for (int k = 0; k < 30000; ++k) {
        trial.step();
        const EnergyBalance now = trial.energy();
        touched = touched || now.elastic.total() > 0;
        ASSERT_LT(std::abs(closure(before, now)), 1e-8 * fall) << k;
    }
    EXPECT_TRUE(touched);
}

TEST(FallingBrick, LosesOnlyWhatTheLedgerSays) {
    WorldState world = makeWorld(wood(0.4));
    world.gravity = {0, 0, -gravity};
    addSolid(world, brick, {0, 0, 0.2}, rotationBy({0.3, 0.5, 0.1}), {0.5, 0, 0}, {1, 2, 3});
    addFloor(world);
    Trial trial(std::move(world), 2e-6);
    const EnergyBalance before = trial.energy();
    trial.advance(0.5);
    const EnergyBalance after = trial.energy();
    EXPECT_GT(after.dissipated.total(), 0.1 * before.mechanical());
    EXPECT_LT(std::abs(closure(before, after)), 1e-3 * turnover(before, after));
}

}  // namespace
}  // namespace talus
