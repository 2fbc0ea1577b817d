// Rigid contacts: sliding, rolling, bouncing and standing, against closed forms.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"
#include "base/random.hpp"
#include "talus/stepper.hpp"
#include "talus/world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05;   // m
constexpr double gravity = 9.81;  // m/s^2
constexpr double tiny = 1e-13;    // m, closes a contact that would be open by round-off

ContactDynamicsSettings exact(SolverKind solver = SolverKind::gaussSeidel) {
    return {.solver = solver, .tolerance = 1e-12, .maxIterations = 100000};
}

Substance rigid(double friction, double restitution = 0) {
    return {.contact = {.friction = friction, .restitution = restitution}};
}

Trial sphereOnPlane(double friction, double angle, double speed, const ContactDynamicsSettings& settings, double dt) {
    WorldState world = makeWorld(rigid(friction));
    world.gravity = gravity * Vec3{std::sin(angle), 0, -std::cos(angle)};
    addBody(world, {.radius = radius, .position = {0, 0, radius}, .velocity = {speed, 0, 0}});
    addFloor(world);
    return Trial(std::move(world), dt, settings);
}

constexpr std::uint32_t ball = 0;  // id

TEST(RigidSphere, SlidesThenRollsAtFiveSeventhsOfItsFirstSpeed) {
    const double friction = 0.2, speed = 1, dt = 1e-3;
    for (const SolverKind solver : {SolverKind::gaussSeidel, SolverKind::apgd, SolverKind::spg, SolverKind::jacobi}) {
        Trial trial = sphereOnPlane(friction, 0, speed, exact(solver), dt);
        const auto slip = [&] { return trial.velocity(ball).x - radius * trial.spin(ball).y; };
        while (slip() > 1e-9 && trial.world.time < 1) trial.step();
        EXPECT_NEAR(trial.world.time, 2 * speed / (7 * friction * gravity), dt);
        trial.advance(0.1);
        EXPECT_NEAR(trial.velocity(ball).x, 5.0 / 7 * speed, 1e-9);
        EXPECT_NEAR(slip(), 0, 1e-9);
        EXPECT_NEAR(trial.position(ball).z, radius, 1e-9) << "it must not lift off";
    }
}

TEST(RigidSphere, DilatesByFrictionTimesSlipWithTheAssociatedLawOnly) {
    const double friction = 0.3, speed = 1, dt = 1e-4;
    ContactDynamicsSettings settings = exact();
    settings.frictionLaw = FrictionLaw::associated;
    Trial trial = sphereOnPlane(friction, 0, speed, settings, dt);
    const StepOutcome report = trial.step();
    const double slip = trial.velocity(ball).x - radius * trial.spin(ball).y;
    EXPECT_NEAR(trial.velocity(ball).z, friction * slip, 1e-9);
    EXPECT_NEAR(report.solve.residuals.dilation, friction * slip, 1e-9);
}

// A block that cannot turn, on a floor that leans by an angle, at a speed down it.
Trial block(double friction, double angle, double speed, FrictionLaw law, double dt) {
    WorldState world = makeWorld(rigid(friction));
    world.gravity = gravity * Vec3{std::sin(angle), 0, -std::cos(angle)};
    world.angularFreedom = {};
    const Shape shape = BoxShape{{0.05, 0.05, 0.02}};
    addBody(world, {.shape = world.shapes.add(shape),
                    .radius = boundingRadius(shape),
                    .position = {0, 0, 0.02},
                    .velocity = {speed, 0, 0}});
    addFloor(world);
    ContactDynamicsSettings settings = exact();
    settings.frictionLaw = law;
    return Trial(std::move(world), dt, settings);
}
double highest(Trial& trial, double time) {
    double most = 0;
    while (trial.world.time < time) {
        trial.step();
        most = std::max(most, trial.position(ball).z - 0.02);
    }
    return most;
}

// The cone lets a contact slide at s only if it opens at mu s, and no force is across the way that it allows: of a slip
// that is there at once, v, is left v/(1 + mu^2) along and mu times that upward. The block flies from there.
TEST(RigidBlock, ThatIsSetSlidingAtOnceHopsByTheAssociatedLawAsHighAtAnyStep) {
    const double friction = 0.3, speed = 1, up = friction * speed / (1 + friction * friction);
    for (const double dt : {1e-3, 1e-4, 1e-5}) {
        Trial associated = block(friction, 0, speed, FrictionLaw::associated, dt);
        EXPECT_NEAR(highest(associated, 0.04), up * up / (2 * gravity), up * dt) << dt;
        Trial coulomb = block(friction, 0, speed, FrictionLaw::coulomb, dt);
        EXPECT_LT(highest(coulomb, 0.04), 1e-9) << dt;
    }
}

TEST(RigidBlock, ThatComesToSlideFromRestFloatsByFrictionTimesTheSlipOfOneStep) {
    const double friction = 0.3, angle = 0.6;
    for (const double dt : {1e-3, 1e-4}) {
        Trial trial = block(friction, angle, 0, FrictionLaw::associated, dt);
        for (int k = 0; k < 300; ++k) {
            trial.step();
            const double slip = dt * trial.velocity(ball).x;
            EXPECT_NEAR(trial.position(ball).z - 0.02, friction * slip, 1e-9);
        }
        const double down = gravity * (std::sin(angle) - friction * std::cos(angle));
        EXPECT_NEAR(trial.velocity(ball).x, down * trial.world.time, 0.01 * down * trial.world.time);
    }
}

TEST(RigidSphere, OnAnInclineRollsOrSlips) {
    const double angle = 0.5, dt = 1e-3, down = gravity * std::sin(angle);
    const auto speedAfter = [&](double friction) {
        Trial trial = sphereOnPlane(friction, angle, 0, exact(), dt);
        trial.advance(0.2);
        return trial.velocity(ball).x;
    };
    // It rolls if friction exceeds 2/7 tan(angle).
    EXPECT_NEAR(speedAfter(2.0 / 7 * std::tan(angle) + 0.01), 5.0 / 7 * down * 0.2, 1e-9);
    const double slippery = 2.0 / 7 * std::tan(angle) - 0.05;
    EXPECT_NEAR(speedAfter(slippery), (down - slippery * gravity * std::cos(angle)) * 0.2, 1e-9);
}

// An impact that slides all along gives the spin 5/2 mu (1 + e) u_n/r. The floor is reached at any depth that a step of
// this length allows: the overlap is no part of the lever.
TEST(RigidImpact, TurnsABallByItsRadiusHoweverDeepAStepHasLetItIn) {
    const double friction = 0.1, restitution = 0.9, down = 2, along = 3;
    for (const double deep : {0.0, 0.01, 0.1, 0.3}) {
        WorldState world = makeWorld(rigid(friction, restitution));
        addBody(world,
                {.radius = radius, .position = {0, 0, (1 - deep) * radius - tiny}, .velocity = {along, 0, -down}});
        addFloor(world);
        Trial trial(std::move(world), 1e-5, exact());
        trial.step();
        const double spin = 2.5 * friction * (1 + restitution) * down / radius;
        EXPECT_NEAR(trial.spin(ball).y, spin, 1e-9 * spin) << deep;
        EXPECT_NEAR(trial.velocity(ball).x, along - friction * (1 + restitution) * down, 1e-9);
        EXPECT_NEAR(trial.velocity(ball).z, restitution * down, 1e-9);
    }
}

// Nothing pushes overlaps apart.
ContactDynamicsSettings withoutCorrection() {
    ContactDynamicsSettings settings = exact();
    settings.stabilisation = Stabilisation::quasiInelastic;
    return settings;
}

// A ball that is thrown at another, which is held, takes the same spin as from a floor.
TEST(RigidImpact, OnAHeldBallTurnsTheOtherByItsRadius) {
    const double friction = 0.1, down = 2, along = 3;
    WorldState world = makeWorld(rigid(friction));
    addBody(world, {.radius = radius, .position = {0, 0, 1.95 * radius}, .velocity = {along, 0, -down}});
    addBody(world, {.radius = radius, .fixed = true});
    Trial trial(std::move(world), 1e-5, withoutCorrection());
    trial.step();
    const double spin = 2.5 * friction * down / radius;
    EXPECT_NEAR(trial.spin(ball).y, spin, 1e-9 * spin);
}

// Blocks too: the edge that hits the floor is where the impulse acts, not a place within the floor.
TEST(RigidImpact, OfABlockActsAtItsEdge) {
    const double friction = 0.2, down = 1, half = 0.04;
    for (const double deep : {0.0, 0.1}) {
        WorldState world = makeWorld(rigid(friction));
        const std::uint16_t shapeNumber = world.shapes.add(BoxShape{{half, half, half}});
        const double height = std::sqrt(2.0) * half;
        addBody(world, {.shape = shapeNumber,
                        .radius = std::sqrt(3.0) * half,
                        .position = {0, 0, (1 - deep) * height - tiny},
                        .orientation = rotationBy({0, 0.25 * M_PI, 0}),
                        .velocity = {5, 0, -down}});
        addFloor(world);
        Trial trial(std::move(world), 1e-5, withoutCorrection());
        trial.step();
        // m down = N and I spin = height friction N with I = 2/3 m half^2.
        const double spin = height * friction * down / (2.0 / 3 * half * half);
        EXPECT_NEAR(trial.spin(ball).y, spin, 1e-9 * spin) << deep;
    }
}

// Three equal balls in a row; the first hits the second.
Trial cradle(double gap, double restitution) {
    WorldState world = makeWorld(rigid(0, restitution));
    addBody(world, {.radius = radius, .position = {0, 0, 0}, .velocity = {1, 0, 0}});
    addBody(world, {.radius = radius, .position = {2 * radius - tiny, 0, 0}});
    addBody(world, {.radius = radius, .position = {4 * radius - 2 * tiny + gap, 0, 0}});
    return Trial(std::move(world), 1e-3, exact());
}

TEST(RigidCradle, OfTouchingBallsShares) {
    Trial trial = cradle(0, 1);
    trial.step();
    EXPECT_NEAR(trial.velocity(0).x, -1.0 / 3, 1e-9);
    EXPECT_NEAR(trial.velocity(1).x, 2.0 / 3, 1e-9);
    EXPECT_NEAR(trial.velocity(2).x, 2.0 / 3, 1e-9);
}

TEST(RigidCradle, OfSeparatedBallsHandsTheSpeedOn) {
    Trial trial = cradle(0.01, 1);
    trial.advance(0.1);
    EXPECT_NEAR(trial.velocity(0).x, 0, 1e-9);
    EXPECT_NEAR(trial.velocity(1).x, 0, 1e-9);
    EXPECT_NEAR(trial.velocity(2).x, 1, 1e-9);
}

TEST(RigidBall, ComesToRestAfterInfinitelyManyBouncesInAFiniteTime) {
    const double height = 0.5, restitution = 0.6, dt = 1e-4;
    WorldState world = makeWorld(rigid(0, restitution));
    world.gravity = {0, 0, -gravity};
    addBody(world, {.radius = radius, .position = {0, 0, radius + height}});
    addFloor(world);
    Trial trial(std::move(world), dt, exact());
    const double fall = std::sqrt(2 * height / gravity);
    const double rest = fall * (1 + restitution) / (1 - restitution);
    // The first rebound has e^2 of the height.
    trial.advance(1.2 * fall);
    double highest = 0;
    while (trial.world.time < rest + 0.05) {
        trial.step();
        highest = std::max(highest, trial.position(ball).z - radius);
        if (trial.world.time < rest - 0.02) continue;
        if (norm(trial.velocity(ball)) < 1e-9) break;
    }
    EXPECT_NEAR(highest, restitution * restitution * height, 5e-3);
    EXPECT_NEAR(trial.world.time, rest, 0.02);
    EXPECT_NEAR(trial.position(ball).z, radius, 1e-3);
}

TEST(RigidCollisions, KeepMomentumAndAngularMomentumToRoundOff) {
    WorldState world = makeWorld(rigid(0.4, 0.7));
    Random random(5, 1);
    std::vector<BodyDefinition> grains;
    for (int x = 0; x < 4; ++x) {
        for (int y = 0; y < 4; ++y) {
            for (int z = 0; z < 4; ++z) {
                const Vec3 site = 2.05 * radius * Vec3{1.0 * x, 1.0 * y, 1.0 * z};
                grains.push_back(
                    {.radius = radius, .position = site, .velocity = random.inBox({-1, -1, -1}, {1, 1, 1})});
            }
        }
    }
    addGrains(world, grains);
    Trial trial(std::move(world), 1e-3, {.tolerance = 1e-6});
    const auto momenta = [&] {
        std::pair<Vec3, Vec3> sum;
        const Bodies& b = trial.world.bodies;
        for (std::size_t i = 0; i < b.grainCount; ++i) {
            const Vec3 p = b.velocity[i] / b.inverseMass[i];
            sum.first += p;
            sum.second += cross(b.position[i], p) + b.spin[i] / b.inverseInertia[i].x;
        }
        return sum;
    };
    const auto before = momenta();
    std::size_t contacts = 0;
    for (int k = 0; k < 300; ++k) contacts += trial.step().contacts;
    EXPECT_GT(contacts, 100u);
    const double scale = 64 * massOf(radius);
    EXPECT_LT(norm(momenta().first - before.first), 1e-11 * scale);
    // Impulses act at one point of both bodies, so that they have no moment together.
    EXPECT_LT(norm(momenta().second - before.second), 1e-11 * scale);
}

TEST(RigidCollisions, LoseJustTheEnergyThatTheLedgerSays) {
    WorldState world = makeWorld(rigid(0.4, 0.5));
    world.gravity = {0, 0, -gravity};
    for (int k = 0; k < 4; ++k) {
        addBody(world, {.radius = radius, .position = {0.01 * k, 0.005 * k, radius * (1.2 + 2.3 * k)}});
    }
    addFloor(world);
    const auto errorFor = [&](double dt) {
        Trial trial(world, dt, {.tolerance = 1e-8, .maxIterations = 10000});
        const EnergyBalance start = trial.energy();
        trial.advance(1.0);
        const EnergyBalance end = trial.energy();
        EXPECT_GT(end.dissipated.normalDamping, 0);
        EXPECT_GT(end.dissipated.sliding, 0);
        return std::abs(closure(start, end)) / turnover(start, end);
    };
    // Between two states of rest the errors of the time steps cancel.
    EXPECT_LT(errorFor(1e-3), 1e-10);
    EXPECT_LT(errorFor(1e-4), 1e-10);
}

// Three spheres touching each other on a floor, a fourth on top.
double dropOfPyramid(double contactFriction, double floorFriction, SolverKind solver) {
    const double r = 0.01, height = r * (1 + std::sqrt(8.0 / 3.0)), side = 2 * r;
    World world;
    const MaterialId grain = world.addMaterial({.friction = contactFriction, .restitution = 0});
    const MaterialId floor = world.addMaterial({.friction = 0});
    world.setPair(grain, floor, {.friction = floorFriction});
    world.addWall(Plane{}, {.material = floor});
    const double depth = 0.5 * std::sqrt(3.0) * side;
    for (const Vec3& position : {Vec3{0, 0, r}, Vec3{side, 0, r}, Vec3{0.5 * side, depth, r}}) {
        world.addBody(Sphere{r}, {.position = position, .material = grain});
    }
    const BodyId top = world.addBody(Sphere{r}, {.position = {0.5 * side, depth / 3, height}, .material = grain});
    Stepper stepper(ContactDynamics{.step = 1e-3, .solver = solver, .tolerance = 1e-9, .maxIterations = 20000});
    for (int k = 0; k < 200; ++k) stepper.step(world);
    return height - world.position(top).z;
}

TEST(RigidPyramid, StandsAtTheCriticalFrictionAndFallsBelowIt) {
    // Equilibrium of the top and of one sphere below it.
    const double contact = std::sqrt(3.0) - std::sqrt(2.0), floor = 0.25 * contact;
    EXPECT_NEAR(contact, 0.31784, 1e-5);
    EXPECT_NEAR(floor, 0.07946, 1e-5);
    for (const SolverKind solver : {SolverKind::gaussSeidel, SolverKind::apgd}) {
        EXPECT_LT(dropOfPyramid(1.01 * contact, 1.01 * floor, solver), 1e-5);
        EXPECT_GT(dropOfPyramid(0.97 * contact, 1.01 * floor, solver), 1e-4);
        EXPECT_GT(dropOfPyramid(1.01 * contact, 0.97 * floor, solver), 1e-4);
    }
}

// A column at rest, with dust beside it that weighs next to nothing.
TEST(RigidColumn, StandsWhateverElseLiesAround) {
    WorldState world = makeWorld(rigid(0.5));
    world.gravity = {0, 0, -gravity};
    for (int k = 0; k < 8; ++k) addBody(world, {.radius = radius, .position = {0, 0, radius * (2 * k + 1)}});
    for (int k = 0; k < 20; ++k) addBody(world, {.radius = 1e-3, .position = {0.2 + 0.01 * k, 0, 1e-3}});
    addFloor(world);
    Trial trial(std::move(world), 1e-3, {.tolerance = 1e-3, .maxIterations = 5000});
    for (int k = 0; k < 50; ++k) EXPECT_EQ(trial.step().solve.status, SolveStatus::converged);
    EXPECT_NEAR(trial.position(7).z, 15 * radius, 1e-3 * radius);
}

TEST(RigidGrain, BetweenWallsThatCloseInHasNoMotion) {
    WorldState world = makeWorld(rigid(0.5));
    addBody(world, {.radius = radius, .position = {0, 0, radius}});
    addFloor(world);
    world.shapes.add(PlaneWall{});
    const Quat down = rotationBy({M_PI, 0, 0});
    world.motions.push_back({ConstantMotion{.velocity = {0, 0, -0.1}}, {{0, 0, 2 * radius}, down}});
    addBody(world, {.shape = 2, .position = {0, 0, 2 * radius}, .orientation = down, .motion = 0});
    Trial trial(std::move(world), 1e-3, {.maxIterations = 2000});
    for (int k = 0; k < 10; ++k) EXPECT_EQ(nameOf(trial.step().solve.status), "infeasible") << k;
}

TEST(RigidGrain, ThatSticksHangsFromTheCeiling) {
    for (const double overlap : {0.0, 1e-8}) {
        Substance sticky = rigid(0.3);
        sticky.kinds.cohesion = CohesionLaw::constant;
        sticky.contact.cohesionForce = 3 * massOf(radius) * gravity;
        WorldState world = makeWorld(sticky);
        world.gravity = {0, 0, gravity};  // away from the floor
        addBody(world, {.radius = radius, .position = {0, 0, radius - overlap}});
        addFloor(world);
        Trial trial(std::move(world), 1e-3, exact());
        trial.advance(0.5);
        EXPECT_NEAR(trial.position(ball).z, radius, 1e-6);
        // Too heavy a grain falls.
        trial.world.gravity = {0, 0, 4 * gravity};
        trial.advance(0.1);
        EXPECT_GT(trial.position(ball).z, radius + 0.01);
    }
}

TEST(RigidGrain, AtRestDissipatesNothing) {
    WorldState world = makeWorld(rigid(0.5, 0.5));
    world.gravity = {0, 0, -gravity};
    addBody(world, {.radius = radius, .position = {0, 0, radius}});
    addFloor(world);
    Trial trial(std::move(world), 1e-3, exact());
    trial.advance(1);
    EXPECT_NEAR(trial.world.ledger.dissipated.total(), 0, 1e-12 * massOf(radius));
}

TEST(RigidGrain, BouncesAsMuchAsItShouldWhateverTheRestitution) {
    for (const double restitution : {0.02, 0.1, 0.3, 0.9}) {
        WorldState world = makeWorld(rigid(0, restitution));
        addBody(world, {.radius = radius, .position = {0, 0, radius + 0.0123}, .velocity = {0, 0, -1}});
        addFloor(world);
        Trial trial(std::move(world), 1e-3, exact());
        trial.advance(0.1);
        EXPECT_NEAR(trial.velocity(ball).z, restitution, 1e-9);
    }
}

TEST(RigidDisc, BetweenFacesThatTouchItOutOfThePlaneFallsFreely) {
    WorldState world = makeWorld(rigid(0.5));
    world.gravity = {0, 0, -gravity};
    world.linearFreedom = {1, 0, 1};
    world.angularFreedom = {0, 1, 0};
    addBody(world, {.radius = radius, .position = {0, 0, 1}});
    world.shapes.add(BoxWall{.halfSize = {2, radius - 1e-7, 2}});
    addBody(world, {.shape = 1, .position = {0, 0, 1}});
    Trial trial(std::move(world), 1e-3, exact());
    trial.advance(0.1);
    EXPECT_NEAR(trial.velocity(ball).z, -0.1 * gravity, 1e-12);
}

TEST(RigidWall, ThatMovesDoesTheWorkItsForceSays) {
    // A floor that rises carries a sphere up: work = weight times height, to first order in the step.
    WorldState world = makeWorld(rigid(0));
    world.gravity = {0, 0, -gravity};
    addBody(world, {.radius = radius, .position = {0, 0, radius}});
    world.shapes.add(PlaneWall{});
    world.motions.push_back({ConstantMotion{.velocity = {0, 0, 0.5}}, {}});
    addBody(world, {.shape = 1, .motion = 0});
    Trial trial(std::move(world), 1e-4, exact());
    trial.advance(0.2);
    const double mass = massOf(radius);
    EXPECT_NEAR(trial.position(ball).z, radius + 0.1, 1e-6);
    EXPECT_NEAR(trial.world.ledger.wallWork, mass * (gravity * 0.1 + 0.5 * 0.5), 1e-3 * mass);
}

}  // namespace
}  // namespace talus
