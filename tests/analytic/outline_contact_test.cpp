// Contacts of outlines in motion: round ones roll and rebound as discs do whatever their knots are, flat ones slide.
#include <gtest/gtest.h>

#include "analytic/flat_world.hpp"
#include "geometry/solids/make_solids.hpp"

namespace talus {
namespace {

using namespace analytic;
using namespace test;

const Shape disc = PolygonShape{{{0, 0}}, radius};

TEST(NurbsCircle, RollsDownAnInclineAsADiscDoes) {
    for (const double slope : {1 * pi / 180, 3 * pi / 180, 5 * pi / 180, 0.3}) {
        for (const Kind kind : moving) {
            WorldState world = flatWorld(stone(0.8));
            world.gravity = gravity * Vec3{std::sin(slope), -std::cos(slope), 0};
            const std::uint32_t ball = addFlat(world, outlineShape(circle(radius)), {.position = {0, radius}});
            addFlatFloor(world);
            Trial trial = start(std::move(world), kind);
            trial.advance(0.5);
            const double speed = 2.0 / 3.0 * gravity * std::sin(slope) * 0.5;
            EXPECT_NEAR(trial.velocity(ball).x, speed, 0.01 * speed) << int(kind) << " " << slope;
            EXPECT_NEAR(trial.spin(ball).z, -speed / radius, 0.01 * speed / radius) << int(kind) << " " << slope;
        }
    }
}

TEST(NurbsCircle, RollsOnAnOutlineAsOnAPlane) {
    const double slope = 0.1;
    const Shape floor = outlineShape(polygon({{-1, -0.2}, {2, -0.2}, {2, 0.2}, {-1, 0.2}}));
    for (const Kind kind : moving) {
        for (const Shape& round : {outlineShape(circle(radius)), disc}) {
            WorldState world = flatWorld(stone(0.8));
            world.gravity = gravity * Vec3{std::sin(slope), -std::cos(slope), 0};
            const std::uint32_t ball = addFlat(world, round, {.position = {0, radius}});
            const Vec2 middle = makeOutlineShape(polygon({{-1, -0.2}, {2, -0.2}, {2, 0.2}, {-1, 0.2}})).centroid;
            addFlat(world, floor, {.position = middle - Vec2{0, 0.2}, .fixed = true});
            Trial trial = start(std::move(world), kind);
            trial.advance(0.5);
            const double speed = 2.0 / 3.0 * gravity * std::sin(slope) * 0.5;
            EXPECT_NEAR(trial.velocity(ball).x, speed, 0.01 * speed) << int(kind);
            EXPECT_NEAR(trial.spin(ball).z, -speed / radius, 0.01 * speed / radius) << int(kind);
        }
    }
}

struct Rebound {
    double speed = 0, duration = 0;  // m/s, s
};
Rebound reboundOf(const Shape& shape, Kind kind) {
    WorldState world = flatWorld(stone(0.3, 0.5));
    world.gravity = {};
    const std::uint32_t ball =
        addFlat(world, shape, {.position = {0, radius + 1e-4}, .velocity = {0, -1}, .angle = 0.2});
    addFlatFloor(world);
    Trial trial = start(std::move(world), kind);
    Rebound rebound;
    for (int k = 0; k < std::lround(0.1 / trial.settings.dt); ++k) {
        trial.step();
        if (trial.position(ball).y < radius) rebound.duration += trial.settings.dt;
    }
    rebound.speed = trial.velocity(ball).y;
    EXPECT_NEAR(trial.spin(ball).z, 0, 1e-9);
    return rebound;
}

TEST(NurbsCircle, ReboundsAsADiscDoesWhateverItsKnotsAre) {
    for (const Kind kind : {Kind::penalty, Kind::rigid}) {
        const Rebound expected = reboundOf(disc, kind);
        EXPECT_NEAR(expected.speed, 0.5, 0.02);
        for (const double tolerance : {0.04, 4e-3, 4e-5}) {
            const Rebound found = reboundOf(outlineShape(circle(radius), tolerance * radius), kind);
            EXPECT_NEAR(found.speed, expected.speed, 1e-6) << int(kind) << " " << tolerance;
            EXPECT_NEAR(found.duration, expected.duration, 1e-9) << int(kind) << " " << tolerance;
        }
    }
}

// Each contact sinks in by what it bears over its stiffness, as those of discs do.
TEST(NurbsCircle, InAColumnBearsAndSinksAsDiscsDo) {
    for (const Kind kind : {Kind::penalty, Kind::rigid, Kind::theta, Kind::quasiStatic}) {
        WorldState world = flatWorld(stone(0));
        const double stiffness = 1e6, weight = massOf(disc) * gravity;
        std::vector<std::uint32_t> balls;
        std::vector<double> heights;
        double sunk = 0;
        for (int k = 0; k < 3; ++k) {
            sunk += kind == Kind::rigid ? 0 : (3 - k) * weight / stiffness;
            heights.push_back((2 * k + 1) * radius - sunk);
            const Shape round = outlineShape(circle(radius), k == 1 ? 1e-5 * radius : 0);
            // The quasi-static column finds its own height.
            const double height = kind == Kind::quasiStatic ? (2 * k + 1) * radius : heights.back();
            balls.push_back(addFlat(world, round, {.position = {0, height}, .angle = 0.37 * k}));
        }
        const std::uint32_t floor = addFlatFloor(world);
        addFlatFloor(world, {-1.0004 * radius, 0}, -pi / 2);
        addFlatFloor(world, {1.0004 * radius, 0}, pi / 2);
        Trial trial = start(std::move(world), kind);
        trial.advance(kind == Kind::quasiStatic ? 5e-3 : 0.2);
        EXPECT_NEAR(trial.world.bodies.force[trial.at(floor)].y, -3 * weight, 0.01 * weight) << int(kind);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_NEAR(trial.position(balls[k]).y, heights[k], 1e-5 * radius) << int(kind);
        }
    }
}

// N, on the floor, when plates have gone together by this much of the radius in ten increments.
double squeezeForce(const Shape& shape, const QuasiStaticSettings& settings, double squeezed) {
    WorldState world = flatWorld(stone(0.3));
    world.gravity = {};
    addFlat(world, shape, {.position = {0, radius}, .angle = 0.2});
    const std::uint32_t floor = addFlatFloor(world);
    const double step = 1e-3, speed = squeezed * radius / (10 * step);
    const Pose top{{0, 2 * radius, 0}, rotationBy({0, 0, pi}) * rotationBy({-pi / 2, 0, 0})};
    world.motions.push_back({ConstantMotion{.velocity = {0, -speed, 0}}, top});
    addBody(world, {.shape = world.shapes.add(PlaneWall{}),
                    .position = top.position,
                    .orientation = top.orientation,
                    .motion = 0});
    Trial trial(std::move(world), step, solver(ContactKind::elastic), settings);
    trial.advance(10 * step);
    return -trial.world.bodies.force[trial.at(floor)].y;
}

// However dense knots are. An increment that is one program feels guards that it closes beside the contact: it is too
// stiff by that if it goes as far as they are open.
TEST(NurbsCircle, IsSqueezedWithTheStiffnessOfADisc) {
    const QuasiStaticSettings iterated, oneProgram{.maxIterations = 1, .proceed = true};
    const auto compare = [](const QuasiStaticSettings& settings, double squeezed, double allowed) {
        const double expected = squeezeForce(disc, settings, squeezed);
        EXPECT_NEAR(expected, 0.5 * 1e6 * squeezed * radius, 6e-3 * expected);
        for (const double tolerance : {0.04, 4e-3, 4e-5}) {
            const double found = squeezeForce(outlineShape(circle(radius), tolerance * radius), settings, squeezed);
            EXPECT_NEAR(found, expected, allowed * expected) << settings.proceed << " " << squeezed << " " << tolerance;
        }
    };
    compare(iterated, 1e-4, 1e-4);
    compare(iterated, 0.02, 1e-4);
    compare(oneProgram, 1e-4, 1e-4);
    compare(oneProgram, 0.02, 0.1);
}

// A block stands on a corner, its lower side so steep that the other corner of it is no contact. One program turns it
// by a large angle: that corner has to meet the floor.
TEST(QuasiStaticIncrement, DoesNotPassWhereOtherPlacesMeet) {
    const double w = 0.1, h = 0.03, tilt = 0.12;
    const Shape block = outlineShape(polygon({{-w, -h}, {w, -h}, {w, h}, {-w, h}}));
    const Shape slab = outlineShape(polygon({{-0.5, -0.1}, {0.5, -0.1}, {0.5, 0.1}, {-0.5, 0.1}}));
    for (const bool onSlab : {false, true}) {
        WorldState world = flatWorld(stone(0.5));
        const Vec2 lower{w * std::cos(tilt) - h * std::sin(tilt), w * std::sin(tilt) + h * std::cos(tilt)};
        const std::uint32_t body = addFlat(world, block, {.position = {0, lower.y}, .angle = tilt});
        if (onSlab) {
            addFlat(world, slab, {.position = {0, -0.1}, .fixed = true});
        } else {
            addFlatFloor(world);
        }
        Trial trial(std::move(world), 1, solver(ContactKind::elastic),
                    {.maxIterations = 1, .proceed = true, .maxDisplacement = 0.5, .inertia = 1e-6});
        trial.step();
        const Quat turn = trial.world.bodies.orientation[trial.at(body)];
        const Vec3 corner = trial.position(body) + rotate(turn, {w, -h, 0});
        EXPECT_LT(2 * std::atan2(turn.z, turn.w), 0.1 * tilt) << onSlab;
        EXPECT_GT(corner.y, -0.02 * h) << onSlab;
    }
}

// Without friction a block goes down a slope with what gravity gives it, over the knots of a floor too.
TEST(FlatOnFlat, SlidesWithoutCatching) {
    const double slope = 5 * pi / 180, h = 0.005, time = 0.6;
    const std::vector<Vec2> blockCorners{{-h, -h}, {h, -h}, {h, h}, {-h, h}};
    const std::vector<Vec2> floorCorners{{-0.15, -0.01}, {0.15, -0.01}, {0.15, 0.01}, {-0.15, 0.01}};
    const auto asPolygon = [](const std::vector<Vec2>& corners) {
        std::vector<PolygonShape::Corner> list;
        for (const Vec2& c : corners) list.push_back({c.x, c.y});
        return Shape{makePolygon(list).shape};
    };
    const Shape blocks[] = {outlineShape(polygon(blockCorners)), asPolygon(blockCorners)};
    const Shape floors[] = {outlineShape(polygon(floorCorners)), asPolygon(floorCorners)};
    for (const Kind kind : moving) {
        for (int pair = 0; pair < 3; ++pair) {
            WorldState world = flatWorld(stone(0, 0));
            world.gravity = gravity * Vec3{std::sin(slope), -std::cos(slope), 0};
            const std::uint32_t block = addFlat(world, blocks[pair % 2], {.position = {-0.1, h}});
            addFlat(world, floors[pair / 2], {.position = {0, -0.01}, .fixed = true});
            Trial trial = start(std::move(world), kind, 2e-4);
            trial.advance(time);
            const double speed = gravity * std::sin(slope) * time;
            EXPECT_NEAR(trial.velocity(block).x, speed, 1e-3 * speed) << int(kind) << " " << pair;
            EXPECT_NEAR(trial.spin(block).z, 0, 1e-3) << int(kind) << " " << pair;
        }
    }
}

TEST(FlatOnFlat, DoesNotHoldBeyondFriction) {
    const auto settles = [](double slope) {
        WorldState world = flatWorld(stone(0.29));
        world.gravity = gravity / std::hypot(1, slope) * Vec3{slope, -1, 0};
        const double w = 0.005, h = 0.01;
        addFlat(world, outlineShape(polygon({{-w, -h}, {w, -h}, {w, h}, {-w, h}})), {.position = {0, h}});
        addFlat(world, outlineShape(polygon({{-0.05, -0.01}, {0.05, -0.01}, {0.05, 0.01}, {-0.05, 0.01}})),
                {.position = {0, -0.01}, .fixed = true});
        Trial trial = start(std::move(world), Kind::quasiStatic);
        return trial.step().equilibrium.reached;
    };
    EXPECT_TRUE(settles(0.28));
    EXPECT_FALSE(settles(0.3));
}

std::vector<Vec2> star(int tips, double outer, double inner, double turn) {
    std::vector<Vec2> points;
    for (int k = 0; k < 2 * tips; ++k) {
        const double angle = turn + k * pi / tips, r = k % 2 == 0 ? outer : inner;
        points.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    return points;
}

// A rounded star meets one with sharp tips; contacts must not come or go while they overlap.
TEST(CollidingOutlines, WithSharpTipsKeepTheirEnergyIfTheyAreElastic) {
    Random random(8, 0);
    for (int k = 0; k < 6; ++k) {
        WorldState world = flatWorld({.kinds = {.normal = NormalLaw::hooke},
                                      .contact = {.friction = 0, .restitution = 1, .stiffness = 1e8},
                                      .density = 2500});
        world.gravity = {};
        const NurbsDefinition round = closedUniform({.degree = 3, .points = star(5, 0.012, 0.005, 0)});
        addFlat(world, outlineShape(round),
                {.velocity = {1, 0.1},
                 .angle = k == 0 ? -2.0406398 : random.uniform(0, 6),
                 .spin = k == 0 ? 42.11537 : random.uniform(-60, 60)});
        addFlat(world, outlineShape(polygon(star(4, 0.012, 0.006, 0.3))),
                {.position = {0.03, k == 0 ? -2.9367666e-3 : random.uniform(-8e-3, 8e-3)},
                 .velocity = {-0.8, 0},
                 .angle = k == 0 ? -5.0630323 : random.uniform(0, 6),
                 .spin = k == 0 ? -23.82143884 : random.uniform(-60, 60)});
        Trial trial(std::move(world), 1e-6);
        const double before = trial.energy().kinetic();
        const Vec3 velocity = trial.velocity(1);
        trial.advance(0.03);
        EXPECT_GT(norm(trial.velocity(1) - velocity), 0.1) << "they met";
        EXPECT_NEAR(trial.energy().kinetic(), before, 1e-3 * before) << k;
    }
}

}  // namespace
}  // namespace talus
