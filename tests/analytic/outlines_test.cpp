// Bodies with NURBS outlines in motion: circles against discs and closed forms, flat sides, interlocking, conservation.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "analytic/flat_world.hpp"
#include "base/parallel.hpp"
#include "geometry/solids/make_solids.hpp"

namespace talus {
namespace {

using namespace analytic;
using namespace test;

// Frictionless bodies in a box without a lid.
struct BoxedBodies {
    std::vector<std::uint32_t> id;
    std::vector<double> radius;  // m
    Trial trial;

    BoxedBodies(const std::vector<double>& radii, const std::vector<Vec2>& places,
                const std::function<Shape(double)>& shapeOf)
        : radius(radii),
          trial(boxed(radii, places, shapeOf), 2e-3,
                {.solver = SolverKind::gaussSeidel, .tolerance = 1e-7, .maxIterations = 2000}) {}

    static constexpr double halfWidth = 4.3 * analytic::radius;

    std::vector<Vec2> places() const {
        std::vector<Vec2> result;
        for (const std::uint32_t k : id) result.push_back({trial.position(k).x, trial.position(k).y});
        return result;
    }
    // Part of the box, up to the highest body, in which there is none.
    double porosity() const {
        double solid = 0, top = 0;
        for (std::size_t k = 0; k < id.size(); ++k) {
            solid += pi * radius[k] * radius[k];
            top = std::max(top, trial.position(id[k]).y + radius[k]);
        }
        return 1 - solid / (2 * halfWidth * top);
    }
    // N, between bodies that touch, by their ids; knots of the same two are one.
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> forces() const {
        std::map<std::pair<std::uint32_t, std::uint32_t>, double> sum;
        for (const ContactSample& c : sampleContacts(trial.world)) {
            const std::uint32_t a = trial.world.bodies.id[c.owner], b = trial.world.bodies.id[c.partner];
            sum[{std::min(a, b), std::max(a, b)}] += c.normalForce;
        }
        return sum;
    }

private:
    WorldState boxed(const std::vector<double>& radii, const std::vector<Vec2>& places,
                     const std::function<Shape(double)>& shapeOf) {
        WorldState world = flatWorld(stone(0, 0));
        for (std::size_t k = 0; k < radii.size(); ++k) {
            id.push_back(
                addFlat(world, shapeOf(radii[k]), {.position = places[k], .angle = 0.7 * static_cast<double>(k)}));
        }
        addFlatFloor(world);
        addFlatFloor(world, {-halfWidth, 0}, -pi / 2);
        addFlatFloor(world, {halfWidth, 0}, pi / 2);
        return world;
    }
};

// Discs of many sizes come to rest. Without friction there are as many contacts as ways to move, and forces follow from
// where bodies are; so must those of NURBS circles that take the places of the discs, whatever their knots are.
TEST(NurbsCircle, InAPackingStandsWhereADiscStandsAndBearsWhatItBears) {
    std::vector<double> radii;
    std::vector<Vec2> loose;
    double weight = 0;  // N, of all
    Random random(5, 0);
    for (int k = 0; k < 11; ++k) {
        radii.push_back(radius * random.uniform(0.7, 1.3));
        loose.push_back({radius * (2.7 * (k % 3 - 1) + 0.3 * random.uniform()), radius * (1.4 + 2.7 * (k / 3))});
        weight += 1000 * gravity * pi * radii.back() * radii.back();
    }
    BoxedBodies discs(radii, loose, [](double r) -> Shape { return makePolygon({{0, 0}}, r).shape; });
    discs.trial.advance(2);
    auto expected = discs.forces();
    EXPECT_EQ(expected.size(), 2 * radii.size());
    for (const double tolerance : {4e-3, 4e-4}) {  // -, of a radius; the first is the usual one
        BoxedBodies circles(radii, discs.places(), [&](double r) { return outlineShape(circle(r), tolerance * r); });
        circles.trial.advance(0.5);
        EXPECT_NEAR(circles.porosity(), discs.porosity(), 1e-4);
        for (std::size_t k = 0; k < radii.size(); ++k) {
            EXPECT_LT(norm(circles.places()[k] - discs.places()[k]), 1e-3 * radius) << k;
        }
        auto found = circles.forces();
        for (const auto& [pair, force] : expected) EXPECT_NEAR(found[pair], force, 3e-3 * weight);
    }
}

// A tall block on an incline stands while its centre is above its foot.
bool tips(Kind kind, double angle) {
    WorldState world = flatWorld(stone(2.0));
    world.gravity = gravity * Vec3{std::sin(angle), -std::cos(angle), 0};
    const std::uint32_t block = addFlat(
        world, outlineShape(polygon({{-0.03, -0.1}, {0.03, -0.1}, {0.03, 0.1}, {-0.03, 0.1}})), {.position = {0, 0.1}});
    addFlat(world, outlineShape(polygon({{-1, -0.2}, {1, -0.2}, {1, 0.2}, {-1, 0.2}})),
            {.position = {0, -0.2}, .fixed = true});
    Trial trial = start(std::move(world), kind);
    trial.advance(0.6);
    return std::abs(rotate(trial.world.bodies.orientation[trial.at(block)], {0, 1, 0}).y) < 0.9;
}

TEST(FlatOnFlat, CarriesAMomentUntilTheCentreIsBeyondTheFoot) {
    const double limit = std::atan2(0.03, 0.1);
    for (const Kind kind : moving) {
        EXPECT_FALSE(tips(kind, limit - 0.03)) << int(kind);
        EXPECT_TRUE(tips(kind, limit + 0.03)) << int(kind);
    }
}

// How far a body turns that spins in a notch of a fixed one, without friction.
double turnInNotch(Kind kind, const NurbsDefinition& body) {
    WorldState world = flatWorld(stone(0, 0.5));
    world.gravity = {};
    const NurbsDefinition notch = polygon(
        {{-0.3, -0.2}, {0.3, -0.2}, {0.3, 0.2}, {0.102, 0.2}, {0.102, 0}, {-0.102, 0}, {-0.102, 0.2}, {-0.3, 0.2}});
    const OutlineInFrame made = makeOutlineShape(notch);
    addFlat(world, made.shape, {.position = made.centroid, .fixed = true});
    const std::uint32_t peg = addFlat(world, outlineShape(body), {.position = {0, 0.102}, .spin = 5});
    Trial trial = start(std::move(world), kind);
    double turned = 0;
    const long steps = std::lround(1.0 / trial.settings.dt);
    for (long k = 0; k < steps; ++k) {
        trial.step();
        turned += trial.settings.dt * trial.spin(peg).z;
    }
    return turned;
}

TEST(InterlockedGrains, ResistRotationWithoutFriction) {
    for (const Kind kind : moving) {
        EXPECT_LT(std::abs(turnInNotch(kind, square(0.2))), 0.2) << int(kind);
        EXPECT_NEAR(turnInNotch(kind, circle(0.1)), 5, 0.2) << int(kind);
    }
}

struct Totals {
    Vec3 momentum;
    double spin = 0;
};
Totals totalsOf(const WorldState& world) {
    Totals t;
    for (std::size_t i = 0; i < world.bodies.grainCount; ++i) {
        const double mass = 1 / world.bodies.inverseMass[i];
        t.momentum += mass * world.bodies.velocity[i];
        t.spin += mass * cross(world.bodies.position[i], world.bodies.velocity[i]).z +
                  world.bodies.spin[i].z / world.bodies.inverseInertia[i].z;
    }
    return t;
}

WorldState collision(double restitution) {
    WorldState world = flatWorld(stone(0.4, restitution));
    world.gravity = {};
    const std::vector<NamedCurve> curves = manyCurves();
    addFlat(world, outlineShape(scaled(curves[5].definition, 0.1)),
            {.position = {-0.2, 0.02}, .velocity = {1, 0}, .spin = 3});
    addFlat(world, outlineShape(scaled(curves[7].definition, 0.1)), {.position = {0.1, 0}, .angle = 1.5});
    return world;
}

TEST(CollidingOutlines, KeepMomentumAndAngularMomentum) {
    for (const Kind kind : moving) {
        Trial trial = start(collision(0.3), kind);
        const Totals before = totalsOf(trial.world);
        const Vec3 velocity = trial.velocity(1);
        trial.advance(0.3);
        const Totals after = totalsOf(trial.world);
        EXPECT_GT(norm(trial.velocity(1) - velocity), 0.1) << "they met";
        EXPECT_NEAR(norm(after.momentum - before.momentum), 0, 1e-9 * norm(before.momentum)) << int(kind);
        // The position of a contact of contact dynamics is that of the start of a step.
        EXPECT_NEAR(after.spin, before.spin, (kind == Kind::penalty ? 1e-9 : 0.02) * std::abs(before.spin))
            << int(kind);
    }
}

TEST(CollidingOutlines, KeepTheirEnergyIfTheyAreElastic) {
    WorldState world = collision(1);
    world.materials.laws[0].friction = 0;
    Trial trial = start(std::move(world), Kind::penalty);
    const double before = trial.energy().kinetic();
    trial.advance(0.3);
    EXPECT_GT(norm(trial.velocity(1)), 0.1);
    EXPECT_NEAR(trial.energy().kinetic(), before, 1e-3 * before);
}

TEST(CollidingOutlines, NeverGainEnergyFromRigidContacts) {
    Trial trial = start(collision(0), Kind::rigid);
    double last = trial.energy().kinetic();
    for (int k = 0; k < 300; ++k) {
        trial.step();
        const double now = trial.energy().kinetic();
        // While one rolls on the other, a step leaves them overlapping by its square, which the next one takes away.
        EXPECT_LE(now, last * (1 + 1e-7)) << k;
        last = now;
    }
}

TEST(Outlines, GoTheSameWayOnAnyNumberOfThreads) {
    std::vector<Vec3> first;
    for (const int threads : {1, 2, 3, 4}) {
        setThreadCount(threads);
        WorldState world = flatWorld(stone(0.5));
        const std::vector<NamedCurve> curves = manyCurves();
        for (int k = 0; k < 40; ++k) {
            addFlat(world, outlineShape(scaled(curves[static_cast<std::size_t>(k) % 10].definition, 0.05)),
                    {.position = {0.25 * (k % 8), 0.2 + 0.25 * (k / 8)}, .angle = 0.7 * k});
        }
        addFlatFloor(world);
        Trial trial = start(std::move(world), Kind::rigid, 2e-3);
        trial.advance(0.3);
        std::vector<Vec3> places;
        for (std::uint32_t id = 0; id < 40; ++id) places.push_back(trial.position(id));
        if (first.empty()) first = places;
        EXPECT_EQ(first, places) << threads;
    }
    setThreadCount(1);
}

}  // namespace
}  // namespace talus
