// Bodies with NURBS surfaces with both methods: they rest, roll, bounce and interlock as the solids they are.
#include <gtest/gtest.h>

#include "analytic/solid_world.hpp"
#include "geometry/nurbs/surface_body.hpp"
#include "step/rotation.hpp"
#include "unit/surface_samples.hpp"

namespace talus {
namespace {

using namespace analytic;
using test::ellipsoidSurface;

constexpr Steps steps{1e-4, 1e-3};  // s

SurfaceDefinition shrunk(SurfaceDefinition d, double factor) {
    for (Vec3& p : d.points) p *= factor;
    return d;
}
Shape surfaceOf(const SurfaceDefinition& d) { return SurfaceShape{makeSurfaceBody(d).body}; }

TEST(NurbsBall, HasTheMassOfABall) {
    const MassProperties ours = massProperties(surfaceOf(ellipsoidSurface({0.05, 0.05, 0.05})));
    const MassProperties ball = massProperties(EllipsoidShape{{0.05, 0.05, 0.05}});
    EXPECT_NEAR(ours.volume / ball.volume, 1, 1e-9);
    EXPECT_LT(norm(ours.inertia - ball.inertia), 1e-9 * norm(ball.inertia));
}

TEST(NurbsBall, RestsOnAFloorThatBearsItsWeightAtOnePoint) {
    for (const Kind run : both) {
        WorldState world = makeWorld(wood(0.5));
        world.gravity = {0, 0, -gravity};
        const Shape ball = surfaceOf(ellipsoidSurface({0.05, 0.05, 0.05}));
        const std::uint32_t body = addSolid(world, ball, {0.01, 0, 0.05}, rotationBy({0.4, 0.3, 0.2}));
        const std::uint32_t floor = addFloor(world);
        const double weight = gravity * massOf(world, ball);
        Trial trial = start(std::move(world), run, steps);
        trial.advance(0.3);
        EXPECT_NEAR(trial.world.bodies.force[trial.at(floor)].z, -weight, 1e-4 * weight);
        EXPECT_NEAR(norm(trial.velocity(body)), 0, 1e-5);
        EXPECT_EQ(sampleContacts(trial.world).size(), 1u);
        EXPECT_LT(norm(trial.position(body) - Vec3{0.01, 0, 0.05}), 1e-4);
    }
}

// It would slide faster without friction.
TEST(NurbsBall, RollsDownAnInclineAtFiveSeventhsOfTheFall) {
    const double angle = 0.2, time = 0.25, radius = 0.05;
    for (const Kind run : both) {
        WorldState world = makeWorld(wood(0.6));
        world.gravity = gravity * Vec3{std::sin(angle), 0, -std::cos(angle)};
        const Shape ball = surfaceOf(ellipsoidSurface({radius, radius, radius}));
        const double mass = massOf(world, ball);
        const double sunk = run == Kind::penalty ? std::cos(angle) * gravity * mass / 1e6 : 1e-12;
        const std::uint32_t body = addSolid(world, ball, {0, 0, radius - sunk}, rotationBy({0.4, 0.3, 0.2}));
        addFloor(world);
        Trial trial = start(std::move(world), run, steps);
        trial.advance(time);
        const double speed = 5.0 / 7 * gravity * std::sin(angle) * time;
        EXPECT_NEAR(trial.velocity(body).x, speed, 0.01 * speed);
        EXPECT_NEAR(trial.spin(body).y, speed / radius, 0.01 * speed / radius);
        EXPECT_NEAR(trial.velocity(body).y, 0, 1e-3);
    }
}

// A tumbling ellipsoid that hits the floor, as a solid and as a surface.
TEST(NurbsEllipsoid, BouncesAsTheSolidDoes) {
    const Vec3 axes{0.05, 0.04, 0.06};
    for (const Kind run : both) {
        std::array<Vec3, 2> position, velocity, spin;
        for (const std::size_t k : {0u, 1u}) {
            WorldState world = makeWorld(wood(0.3, 0.6));
            world.gravity = {0, 0, -gravity};
            const Shape shape = k == 0 ? Shape(EllipsoidShape{axes}) : surfaceOf(ellipsoidSurface(axes));
            const std::uint32_t body =
                addSolid(world, shape, {0, 0, 0.08}, rotationBy({0.5, 0.8, 0}), {0.3, 0, -1}, {1, 2, 3});
            addFloor(world);
            Trial trial = start(std::move(world), run, steps);
            trial.advance(0.05);
            position[k] = trial.position(body), velocity[k] = trial.velocity(body), spin[k] = trial.spin(body);
        }
        EXPECT_GT(velocity[0].z, 0.1);
        EXPECT_LT(norm(position[1] - position[0]), 1e-4);
        EXPECT_LT(norm(velocity[1] - velocity[0]), 5e-3);
        EXPECT_LT(norm(spin[1] - spin[0]), 0.1);
    }
}

// One hangs on the other by its waist: without friction only their forms hold them.
TEST(Peanuts, CrossedAtTheirWaistsHoldEachOtherWithoutFriction) {
    const Shape shape = surfaceOf(shrunk(test::peanut(), 0.02));
    const Quat lying = rotationBy({M_PI / 2, 0, 0}), crossed = rotationBy({0, 0, M_PI / 2}) * lying;
    WorldState world = makeWorld(wood(0));
    const std::uint32_t lower = addSolid(world, shape, {}, lying);
    const std::uint32_t upper = addSolid(world, shape, {0, 0, 0.03}, crossed, {0, 0, -0.1});
    Trial trial = start(std::move(world), Kind::rigid, steps);
    const auto momentum = [&] {
        Vec3 sum;
        for (const std::uint32_t id : {lower, upper})
            sum += trial.velocity(id) / trial.world.bodies.inverseMass[trial.at(id)];
        return sum;
    };
    const Vec3 before = momentum();
    const double energy = trial.energy().translation;
    bool touched = false;
    std::size_t most = 0;
    for (int k = 0; k < 300; ++k) {
        trial.step();
        most = std::max(most, sampleContacts(trial.world).size());
        touched = touched || trial.velocity(lower).z < -1e-3;
    }
    EXPECT_TRUE(touched);
    EXPECT_GE(most, 2u);
    EXPECT_LT(norm(momentum() - before), 1e-12 + 1e-9 * norm(before));
    EXPECT_LE(trial.energy().translation + trial.energy().rotation, energy * (1 + 1e-9));
}

}  // namespace
}  // namespace talus
