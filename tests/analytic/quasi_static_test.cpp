// Quasi-static loading: states of equilibrium against closed forms and against settled dynamic runs.
#include <gtest/gtest.h>

#include <map>

#include "analytic/analytic_world.hpp"
#include "base/parallel.hpp"
#include "run/solve_statistics.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05;               // m
constexpr double gravity = 9.81;              // m/s^2
constexpr double stiffness = 1e6;             // N/m
constexpr std::uint32_t ball = 0, other = 1;  // ids

Substance springs(double friction) {
    Substance s;
    s.kinds.normal = NormalLaw::hooke;
    s.contact = {.friction = friction, .restitution = 0.3, .stiffness = stiffness, .tangentialRatio = 0.5};
    return s;
}

ContactDynamicsSettings solver(SolverKind kind = SolverKind::gaussSeidel) {
    return {.solver = kind, .tolerance = 1e-11, .maxIterations = 200000, .contacts = ContactKind::elastic};
}

// A plane whose normal points along the axis that `turn` makes of z; it moves if a velocity is given.
std::uint32_t addPlane(WorldState& world, const Vec3& at, const Vec3& turn, const Vec3& velocity) {
    const std::uint16_t shapeNumber = world.shapes.add(PlaneWall{});
    world.motions.push_back({ConstantMotion{.velocity = velocity}, {at, rotationBy(turn)}});
    return addBody(world, {.shape = shapeNumber,
                           .position = at,
                           .orientation = rotationBy(turn),
                           .motion = static_cast<std::uint16_t>(world.motions.size() - 1)});
}

// Forces of all contacts by the ids of their bodies.
std::map<std::pair<std::uint32_t, std::uint32_t>, double> normalForces(const WorldState& world) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> forces;
    for (const ContactSample& c : sampleContacts(world)) {
        const std::uint32_t a = world.bodies.id[c.owner], b = world.bodies.id[c.partner];
        forces[{std::min(a, b), std::max(a, b)}] = c.normalForce;
    }
    return forces;
}

// Frictionless spheres in the hollows of a fixed square layer: layers of 3 x 3, 2 x 2 and 1.
WorldState pyramid() {
    WorldState world = makeWorld(springs(0));
    world.gravity = {0, 0, -gravity};
    for (int layer = 0; layer < 4; ++layer) {
        for (int x = 0; x < 4 - layer; ++x) {
            for (int y = 0; y < 4 - layer; ++y) {
                const Vec3 site{radius * (2 * x + layer), radius * (2 * y + layer), radius * std::sqrt(2.0) * layer};
                addBody(world, {.radius = radius, .position = site, .fixed = layer == 0});
            }
        }
    }
    return world;
}

TEST(QuasiStatic, PyramidBearsTheForcesOfTheSettledDynamicOne) {
    Trial still(pyramid(), 1, solver(), {.tolerance = 1e-8});
    const StepOutcome report = still.step();
    EXPECT_TRUE(report.equilibrium.reached);
    EXPECT_LT(report.equilibrium.iterations, 20u);
    // Damped impacts of the penalty method, and the theta method.
    Trial penalty(pyramid(), 2e-5);
    penalty.advance(2);
    Trial theta(pyramid(), 1e-2, solver());
    theta.advance(3);
    const auto wanted = normalForces(penalty.world), alike = normalForces(theta.world), got = normalForces(still.world);
    const double weight = massOf(radius) * gravity;
    EXPECT_EQ(got.size(), wanted.size());
    EXPECT_GT(got.size(), 50u);
    for (const auto& [pair, force] : wanted) {
        ASSERT_TRUE(got.contains(pair));
        EXPECT_NEAR(got.at(pair), force, 1e-6 * weight);
        EXPECT_NEAR(got.at(pair), alike.at(pair), 1e-6 * weight);
    }
}

TEST(QuasiStatic, EveryBodyIsInBalance) {
    Trial trial(pyramid(), 1, solver(), {.tolerance = 1e-7});
    const StepOutcome report = trial.step();
    EXPECT_LE(report.equilibrium.unbalanced, 1e-7);
    // The same from the overlaps, of which the solver knows nothing.
    const Bodies& b = trial.world.bodies;
    std::vector<Vec3> sum(b.size());
    double mean = 0;
    const auto samples = sampleContacts(trial.world);
    for (const ContactSample& c : samples) {
        const Vec3 force = (stiffness * c.overlap) * c.normal;
        sum[c.owner] += force;
        sum[c.partner] -= force;
        mean += norm(force) / static_cast<double>(samples.size());
    }
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (b.inverseMass[i] == 0) continue;
        EXPECT_LT(norm(sum[i] + trial.world.gravity / b.inverseMass[i]), 1e-6 * mean);
        EXPECT_EQ(b.velocity[i], Vec3{});
    }
}

TEST(QuasiStatic, DoesNotDependOnTheFictitiousInertia) {
    const auto forcesWith = [](double inertia, SolverKind kind) {
        Trial trial(pyramid(), 1, solver(kind), {.tolerance = 1e-9, .inertia = inertia});
        EXPECT_TRUE(trial.step().equilibrium.reached);
        return normalForces(trial.world);
    };
    const auto wanted = forcesWith(1e-1, SolverKind::gaussSeidel);
    const double weight = massOf(radius) * gravity;
    for (const auto& alike : {forcesWith(1, SolverKind::apgd), forcesWith(1e-3, SolverKind::apgd)}) {
        for (const auto& [pair, force] : wanted) EXPECT_NEAR(alike.at(pair), force, 1e-6 * weight);
    }
}

// Two grains one above the other, squeezed by a plate that comes down.
TEST(QuasiStatic, SqueezedGrainsPushBackBySpringsInSeries) {
    WorldState world = makeWorld(springs(0.5));
    addBody(world, {.radius = radius, .position = {0, 0, radius}});
    addBody(world, {.radius = radius, .position = {0, 0, 3 * radius}});
    addFloor(world);
    const std::uint32_t plate = addPlane(world, {0, 0, 4 * radius}, {M_PI, 0, 0}, {0, 0, -1e-4});
    Trial trial(std::move(world), 1, solver(), {.tolerance = 1e-9});
    for (int k = 1; k <= 10; ++k) {
        const StepOutcome report = trial.step();
        EXPECT_TRUE(report.equilibrium.reached);
        const double force = trial.world.bodies.force[trial.at(plate)].z;
        EXPECT_NEAR(force, k * 1e-4 * stiffness / 3, 1e-6 * stiffness * 1e-4);
    }
    // All work of the plate is elastic energy, but for the first-order error of ten increments.
    const EnergyBalance e = trial.energy();
    EXPECT_NEAR(e.elastic.total(), 0.5 * 1e-6 * stiffness / 3, 1e-9 * stiffness * 1e-6);
    EXPECT_NEAR(e.wallWork, e.elastic.total() + e.dissipated.total(), 1e-9 * e.wallWork);
    EXPECT_LT(e.dissipated.total(), 0.2 * e.wallWork);
}

// A plate goes half a radius in one increment; the lower grain is a fifth of a radius away from the upper one.
TEST(QuasiStatic, GrainsThatMeetWithinAnIterationKnowOfEachOther) {
    WorldState world = makeWorld(springs(0));
    addBody(world, {.radius = radius, .position = {0, 0, radius}});
    addBody(world, {.radius = radius, .position = {0, 0, 3.2 * radius}});
    addFloor(world);
    addPlane(world, {0, 0, 4.2 * radius}, {M_PI, 0, 0}, {0, 0, -0.5 * radius});
    Trial trial(std::move(world), 1, solver(), {.maxIterations = 1, .proceed = true, .inertia = 1e-4});
    trial.step();
    // Three springs in series take the rest of the way.
    EXPECT_NEAR(trial.position(other).z - trial.position(ball).z, 1.9 * radius, 1e-3 * radius);
}

// A grain between two plates, pressed, then sheared by moving the upper one sideways.
struct ShearedGrain {
    static constexpr double friction = 0.3, squeeze = 1e-4;
    std::uint32_t plate = 0;
    Trial trial;

    explicit ShearedGrain(const Vec3& angularFreedom) : trial(makeTrial(angularFreedom, plate)) { trial.step(); }
    static Trial makeTrial(const Vec3& angularFreedom, std::uint32_t& plate) {
        WorldState world = makeWorld(springs(friction));
        world.angularFreedom = angularFreedom;
        addBody(world, {.radius = radius, .position = {0, 0, radius}});
        addFloor(world);
        world.shapes.add(PlaneWall{});
        const Quat down = rotationBy({M_PI, 0, 0});
        // Down for one increment, then sideways for ten, then back.
        const double small = 1e-9, side = 2e-6;
        world.motions.push_back(
            {TableMotion{
                 .time = {0, 1, 1 + small, 11, 11 + small, 21},
                 .velocity =
                     {{0, 0, -squeeze}, {0, 0, -squeeze}, {side, 0, 0}, {side, 0, 0}, {-side, 0, 0}, {-side, 0, 0}}},
             {{0, 0, 2 * radius}, down}});
        plate = addBody(world, {.shape = 2, .position = {0, 0, 2 * radius}, .orientation = down, .motion = 0});
        return Trial(std::move(world), 1, solver(), {.tolerance = 1e-9});
    }
    double sidewaysForce() { return -trial.world.bodies.force[trial.at(plate)].x; }
    double normalForce() { return trial.world.bodies.force[trial.at(plate)].z; }
};

TEST(QuasiStatic, ShearFollowsTheMemoryOfContactsThereAndBack) {
    ShearedGrain grain({0, 0, 0});  // it cannot roll: the tangential springs of both contacts are in series
    const double normal = 0.5 * stiffness * ShearedGrain::squeeze, kt = 0.25 * stiffness;
    EXPECT_NEAR(grain.normalForce(), normal, 1e-6 * normal);
    for (int k = 1; k <= 10; ++k) {
        EXPECT_TRUE(grain.trial.step().equilibrium.reached);
        EXPECT_NEAR(grain.sidewaysForce(), k * 2e-6 * kt, 1e-3 * normal) << k;
    }
    for (int k = 9; k >= 0; --k) {
        EXPECT_TRUE(grain.trial.step().equilibrium.reached);
        EXPECT_NEAR(grain.sidewaysForce(), k * 2e-6 * kt, 1e-3 * normal) << k;
    }
}

TEST(QuasiStatic, GrainThatCanRollBearsNoShear) {
    ShearedGrain grain({1, 1, 1});
    for (int k = 1; k <= 10; ++k) {
        EXPECT_TRUE(grain.trial.step().equilibrium.reached);
        EXPECT_NEAR(grain.sidewaysForce(), 0, 1e-6 * grain.normalForce());
        EXPECT_NEAR(grain.trial.position(ball).x, k * 1e-6, 1e-10) << "half as far as the plate";
    }
}

TEST(QuasiStatic, GrainSlidesAtTheFrictionItsLoadAllows) {
    WorldState world = makeWorld(springs(0.3));
    addBody(world, {.radius = radius, .position = {0, 0, radius}});
    addFloor(world);
    world.angularFreedom = {0, 0, 0};  // it cannot roll
    world.shapes.add(PlaneWall{});
    const Quat down = rotationBy({M_PI, 0, 0});
    const double small = 1e-9;
    world.motions.push_back({TableMotion{.time = {0, 1, 1 + small, 20},
                                         .velocity = {{0, 0, -1e-4}, {0, 0, -1e-4}, {1e-4, 0, 0}, {1e-4, 0, 0}}},
                             {{0, 0, 2 * radius}, down}});
    const std::uint32_t plate =
        addBody(world, {.shape = 2, .position = {0, 0, 2 * radius}, .orientation = down, .motion = 0});
    Trial trial(std::move(world), 1, solver(), {.tolerance = 1e-9});
    trial.step();
    const double normal = 0.5 * stiffness * 1e-4;
    for (int k = 0; k < 5; ++k) EXPECT_TRUE(trial.step().equilibrium.reached);
    EXPECT_NEAR(-trial.world.bodies.force[trial.at(plate)].x, 0.3 * normal, 1e-6 * normal);
    EXPECT_NEAR(trial.world.bodies.force[trial.at(plate)].z, normal, 1e-6 * normal);
    EXPECT_GT(trial.world.ledger.dissipated.sliding, 0.3 * normal * 3e-4);
}

TEST(QuasiStatic, RattlersStayWithoutGravityAndFallUntilSupportedWithIt) {
    WorldState world = makeWorld(springs(0.5));
    addBody(world, {.radius = radius, .position = {0, 0, 1.5 * radius}});
    addFloor(world);
    Trial floating(world, 1, solver(), {});
    EXPECT_TRUE(floating.step().equilibrium.reached);
    EXPECT_EQ(floating.position(ball).z, 1.5 * radius);
    EXPECT_TRUE(sampleContacts(floating.world).empty());
    world.gravity = {0, 0, -gravity};
    Trial falling(world, 1, solver(), {});
    EXPECT_TRUE(falling.step().equilibrium.reached);
    EXPECT_NEAR(falling.position(ball).z, radius - massOf(radius) * gravity / stiffness, 1e-9 * radius);
}

// A grain half a radius above a floor, with springs so many times as stiff as those of the other tests.
WorldState makeStiffGrainAboveFloor(double stiffer) {
    Substance stiff = springs(0.5);
    stiff.contact.stiffness = stiffer * stiffness;
    WorldState world = makeWorld(stiff);
    world.gravity = {0, 0, -gravity};
    addBody(world, {.radius = radius, .position = {0, 0, 1.5 * radius}});
    addFloor(world);
    return world;
}

// Springs far stiffer than its weight needs hold back no grain that they do not touch.
TEST(QuasiStatic, StiffGrainsFallAsFarAsSoftOnes) {
    const WorldState world = makeStiffGrainAboveFloor(1e5);
    for (const SolverKind kind : {SolverKind::gaussSeidel, SolverKind::newton}) {
        Trial falling(world, 1, {.solver = kind, .tolerance = 1e-8, .contacts = ContactKind::elastic}, {});
        const StepOutcome report = falling.step();
        EXPECT_TRUE(report.equilibrium.reached) << nameOf(kind) << ", " << report.equilibrium.iterations;
        EXPECT_NEAR(falling.position(ball).z, radius, 1e-6 * radius) << nameOf(kind);
    }
}

// Springs so stiff that a load hardly moves it in any number of iterations: it counts as one that nothing carries.
TEST(QuasiStatic, SaysThatNothingCarriesABodyHoweverSlowItFalls) {
    Trial falling(makeStiffGrainAboveFloor(1e12), 1, solver(), {.maxIterations = 50});
    EXPECT_THROW(checkSolve(falling.world, falling.step()), RunError);
}

TEST(QuasiStatic, WithoutGrainsOnlyWallsMove) {
    WorldState world = makeWorld(springs(0.5));
    const std::uint32_t plate = addPlane(world, {0, 0, 1}, {M_PI, 0, 0}, {0, 0, -0.1});
    Trial trial(std::move(world), 1, solver(), {});
    for (int k = 0; k < 3; ++k) EXPECT_TRUE(trial.step().equilibrium.reached);
    EXPECT_NEAR(trial.position(plate).z, 0.7, 1e-12);
}

TEST(QuasiStatic, SaysWhatNothingCarries) {
    WorldState world = makeWorld(springs(0.5));
    world.gravity = {0, 0, -gravity};
    addBody(world, {.radius = radius, .position = {0, 0, radius}});
    addBody(world, {.radius = radius, .position = {1, 0, 0.2}});
    world.shapes.add(SphereShape{});
    addBody(world, {.radius = radius, .position = {0, 0, -radius}, .fixed = true});
    Trial trial(std::move(world), 1, solver(), {.maxIterations = 100});
    const StepOutcome report = trial.step();
    EXPECT_FALSE(report.equilibrium.reached);
    EXPECT_TRUE(report.equilibrium.stillMoving);
    EXPECT_EQ(report.equilibrium.worstBody, other);
    EXPECT_EQ(nameOf(report.solve.status), "unbounded");
    try {
        checkSolve(trial.world, report);
        ADD_FAILURE() << "a load that nothing carries must stop the run";
    } catch (const RunError& error) {
        EXPECT_NE(std::string(error.what()).find("body 1"), std::string::npos) << error.what();
    }
}

// A speck that weighs a millionth of the force in the contact of another grain is in balance within the tolerance,
// wherever it falls: the increment ends without waiting for it to land.
TEST(QuasiStatic, IsReachedThoughASpeckWithoutALoadThatCountsStillMoves) {
    WorldState world = makeWorld(springs(0.5));
    world.gravity = {0, 0, -gravity};
    addFloor(world);
    const std::uint32_t pressed = addBody(world, {.radius = radius, .position = {0, 0, radius}});
    addBody(world, {.radius = 0.1 * radius, .position = {3 * radius, 0, 100 * radius}});
    const double weight = 1e-3 * massOf(radius) * gravity;
    world.loads.push_back(ConstantForce{{0, 0, -1e6 * weight}});
    world.bodies.load[indexOf(world.bodies, pressed)] = 0;
    Trial trial(std::move(world), 1, solver(), {.tolerance = 1e-4, .maxIterations = 200});
    const StepOutcome report = trial.step();
    EXPECT_TRUE(report.equilibrium.reached);
    EXPECT_LE(report.equilibrium.unbalanced, 1e-4);
    EXPECT_NO_THROW(checkSolve(trial.world, report));
}

TEST(QuasiStatic, GoesOnWithTheNextIncrementIfItIsToldTo) {
    WorldState world = makeWorld(springs(0.5));
    world.gravity = {0, 0, -gravity};
    addBody(world, {.radius = radius, .position = {0, 0, 1.5 * radius}});
    const std::uint32_t floor = addFloor(world);
    Trial trial(std::move(world), 1, solver(), {.maxIterations = 10, .proceed = true});
    const StepOutcome first = trial.step();
    EXPECT_FALSE(first.equilibrium.reached);
    EXPECT_NO_THROW(checkSolve(trial.world, first));
    // It falls a little in each iteration, and is carried in the end.
    for (int k = 0; k < 40; ++k) trial.step();
    EXPECT_NEAR(trial.world.bodies.force[trial.at(floor)].z, -gravity * massOf(radius), 1e-6);
}

// A grain between a floor that rises and a lid that bears a load. One iteration per increment leaves the forces of
// inertia: of the grain `inertia` times the stiffness and the way, of the lid as much more as it is heavier.
TEST(QuasiStatic, LightLidKeepsItsLoadInASingleIteration) {
    constexpr double load = 100, rise = 1e-4, inertia = 0.1;  // N, m, -
    for (const double share : {1e-4, 1e-2, 1.0}) {            // -, of the grain's mass
        WorldState world = makeWorld(springs(0));
        addBody(world, {.radius = radius, .position = {0, 0, radius}});
        const std::uint16_t shapeNumber = world.shapes.add(PlaneWall{});
        world.loads.push_back(ConstantForce{{0, 0, -load}});
        const std::uint32_t lid = addBody(world, {.shape = shapeNumber,
                                                  .position = {0, 0, 2 * radius},
                                                  .orientation = rotationBy({M_PI, 0, 0}),
                                                  .load = 0,
                                                  .mass = share * massOf(radius),
                                                  .guide = Freedom{.linear = {0, 0, 1}}});
        addPlane(world, {}, {}, {0, 0, rise});
        Trial trial(std::move(world), 1, solver(), {.maxIterations = 1, .proceed = true, .inertia = inertia});
        for (int k = 0; k < 5; ++k) trial.step();
        const double missing = std::abs(normalForces(trial.world).at({ball, lid}) - load);
        EXPECT_NEAR(missing, share * inertia * stiffness * rise, 0.2 * share * inertia * stiffness * rise) << share;
    }
}

TEST(QuasiStatic, GivesTheSameBitsForAnyNumberOfThreads) {
    const auto hashOn = [](int threads) {
        setThreadCount(threads);
        WorldState world = pyramid();
        addPlane(world, {0, 0, radius * (3 * std::sqrt(2.0) + 1)}, {M_PI, 0, 0}, {0, 0, -1e-4});
        Trial trial(std::move(world), 1, solver(), {});
        for (int k = 0; k < 3; ++k) trial.step();
        return stateHash(trial.world);
    };
    const std::uint64_t one = hashOn(1);
    EXPECT_EQ(hashOn(2), one);
    EXPECT_EQ(hashOn(4), one);
}

}  // namespace
}  // namespace talus
