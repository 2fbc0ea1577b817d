// Walls that forces can move, and forces from outside: statics, impacts and energies against closed forms, for all
// methods.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"
#include "measure/wall_force.hpp"
#include "model/load.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.01;  // m
const Quat upsideDown = rotationBy({M_PI, 0, 0});
const ContactDynamicsSettings rigid{.tolerance = 1e-12, .maxIterations = 100000};

analytic::Substance springs(double restitution, double friction = 0) {
    return {.kinds = {.normal = NormalLaw::hooke},
            .contact = {.friction = friction, .restitution = restitution, .stiffness = 1e5}};
}

std::uint16_t addPlane(WorldState& world) { return world.shapes.add(PlaneWall{}); }

// A plane above that faces down.
std::uint32_t addLid(WorldState& world, const Vec3& position, double mass, double inertia = 0,
                     const Freedom& freedom = {}) {
    return addBody(world, {.shape = addPlane(world),
                           .position = position,
                           .orientation = upsideDown,
                           .mass = mass,
                           .inertia = inertia,
                           .guide = freedom});
}

std::uint16_t addLoad(WorldState& world, const ForceLaw& law) {
    world.loads.push_back(law);
    setLoads(world, 0);
    return static_cast<std::uint16_t>(world.loads.size() - 1);
}

Vec3 forceOn(const WorldState& world, std::uint32_t id) {
    for (const BodyLoad& load : measureBodyLoads(world, sampleContacts(world))) {
        if (load.id == id) return load.force;
    }
    return {};
}

TEST(AppliedForce, AcceleratesASphereAlone) {
    WorldState world = makeWorld(springs(0.5));
    const std::uint16_t load = addLoad(world, ConstantForce{{3, 0, 0}});
    const std::uint32_t pushed = addBody(world, {.radius = radius, .load = load});
    const std::uint32_t other = addBody(world, {.radius = radius, .position = {0, 1, 0}});
    const double a = 3 / massOf(radius), dt = 1e-3, t = 0.1;
    Trial soft(world, dt), hard(world, dt, rigid);
    soft.advance(t);
    hard.advance(t);
    EXPECT_NEAR(soft.position(pushed).x, 0.5 * a * t * t, 1e-12 * a);
    EXPECT_NEAR(hard.position(pushed).x, 0.5 * a * t * (t + dt), 1e-12 * a);  // semi-implicit Euler
    EXPECT_NEAR(hard.velocity(pushed).x, a * t, 1e-12 * a);
    EXPECT_EQ(soft.position(other), (Vec3{0, 1, 0}));
    EXPECT_NEAR(soft.world.ledger.wallWork, 3 * soft.position(pushed).x, 1e-12);
    EXPECT_NEAR(hard.world.ledger.wallWork, 3 * hard.position(pushed).x, 1e-12);
}

// The law of the lever: a platform whose centre is a quarter of the way from one support to the other.
TEST(Platform, OnTwoSupportsLoadsThemByTheLever) {
    const double weight = 2 * 9.81;
    for (const bool soft : {true, false}) {
        WorldState world = makeWorld(springs(0.1));
        world.gravity = {0, 0, -9.81};
        const std::uint32_t near = addBody(world, {.radius = radius, .position = {0, 0, 0}, .fixed = true});
        const std::uint32_t far = addBody(world, {.radius = radius, .position = {0.4, 0, 0}, .fixed = true});
        const std::uint32_t lid = addLid(world, {0.1, 0, radius}, 2, 0.05, {.linear = {0, 0, 1}, .angular = {0, 1, 0}});
        Trial trial = soft ? Trial(world, 2e-5) : Trial(world, 1e-3, rigid);
        trial.advance(soft ? 0.5 : 0.02);
        EXPECT_NEAR(forceOn(trial.world, near).z, -0.75 * weight, 1e-5 * weight) << soft;
        EXPECT_NEAR(forceOn(trial.world, far).z, -0.25 * weight, 1e-5 * weight) << soft;
        EXPECT_NEAR(forceOn(trial.world, lid).z, weight, 1e-5 * weight) << soft;
    }
}

// From zero, one contact after the other: the first to be visited takes all it can (Olsen and Kamrin 2018, Fig. 1).
// Grains change places in memory; the order is that in which they were made.
TEST(Platform, OnThreeSupportsLoadsThemByTheOrderOfTheSweep) {
    for (const int first : {0, 1}) {
        WorldState world = makeWorld(springs(0.1));
        world.gravity = {0, 0, -9.81};
        std::vector<std::uint32_t> supports;
        for (int k = 0; k < 3; ++k) {
            const int place = k == 0 ? first : k == first ? 0 : k;
            supports.push_back(addBody(world, {.radius = radius, .position = {0.2 * place, 0, 0}, .fixed = true}));
        }
        addLid(world, {0.2, 0, radius}, 1, 0.4 * 0.4 / 12, {.linear = {0, 0, 1}, .angular = {0, 1, 0}});
        ContactDynamicsSettings listed = rigid;
        listed.sweep = SweepOrder::list;
        listed.warmStart = false;
        Trial trial(world, 1e-3, listed);
        trial.step();
        // Left first: it stops its end with a quarter of the impulse, W = 4/m there.
        const double expected = first == 1 ? 9.81 : 9.81 / 6;
        EXPECT_NEAR(-forceOn(trial.world, supports[0]).z, expected, 1e-6) << first;
    }
}

TEST(Lid, RestsOnASphereWithItsWeightAndItsLoad) {
    const double lidMass = 0.3, push = 4;
    for (const bool soft : {true, false}) {
        WorldState world = makeWorld(springs(0.1));
        world.gravity = {0, 0, -9.81};
        const std::uint32_t floor = addFloor(world);
        addBody(world, {.radius = radius, .position = {0, 0, radius}});
        const std::uint32_t lid = addLid(world, {0, 0, 2.01 * radius}, lidMass, 0, {.linear = {0, 0, 1}});
        world.bodies.load.back() = addLoad(world, ConstantForce{{0, 0, -push}});
        Trial trial = soft ? Trial(world, 2e-5) : Trial(world, 1e-3, rigid);
        trial.advance(0.5);
        EXPECT_NEAR(forceOn(trial.world, lid).z, lidMass * 9.81 + push, 1e-6) << soft;
        EXPECT_NEAR(forceOn(trial.world, floor).z, -(lidMass + massOf(radius)) * 9.81 - push, 1e-6) << soft;
    }
}

// A sphere that hits a free plate at a distance `arm` from its centre; the plate turns about y.
struct PlateImpact {
    double plateMass = 0.02, inertia = 2e-6, arm = 0.01, speed = 0.5;  // kg, kg m^2, m, m/s

    WorldState world(double restitution) const {
        WorldState w = makeWorld(springs(restitution));
        addBody(w, {.radius = radius, .position = {arm, 0, -1.01 * radius}, .velocity = {0, 0, speed}});
        addLid(w, {0, 0, 0}, plateMass, inertia, {.linear = {0, 0, 1}, .angular = {0, 1, 0}});
        return w;
    }
    // N s, (1 + e) v / (1/m + 1/M + a^2/I)
    double impulse(double restitution) const {
        return (1 + restitution) * speed / (1 / massOf(radius) + 1 / plateMass + arm * arm / inertia);
    }
};

TEST(Plate, HitOffItsCentreMovesAndTurnsByTheImpulse) {
    const PlateImpact impact;
    for (const bool soft : {true, false}) {
        // The dashpot takes the pair of masses, not the turning of the plate: without loss there is nothing to choose.
        const double restitution = soft ? 1 : 0.4, p = impact.impulse(restitution);
        Trial trial = soft ? Trial(impact.world(restitution), 1e-6) : Trial(impact.world(restitution), 1e-5, rigid);
        trial.advance(1e-3);
        const Bodies& b = trial.world.bodies;
        EXPECT_NEAR(b.velocity[0].z, impact.speed - p / massOf(radius), 2e-3 * impact.speed) << soft;
        EXPECT_NEAR(b.velocity[1].z, p / impact.plateMass, 2e-3 * impact.speed) << soft;
        EXPECT_NEAR(b.spin[1].y, -impact.arm * p / impact.inertia, 2e-3 * impact.arm * p / impact.inertia) << soft;
        EXPECT_NEAR(b.velocity[0].z * massOf(radius) + b.velocity[1].z * impact.plateMass,
                    impact.speed * massOf(radius), 1e-12)
            << soft;
    }
}

TEST(Plate, HitWithoutLossKeepsTheEnergy) {
    const PlateImpact impact;
    Trial trial(impact.world(1), 1e-6);
    const double before = trial.energy().kinetic();
    trial.advance(1e-3);
    EXPECT_NEAR(trial.energy().kinetic(), before, 1e-5 * before);
    EXPECT_GT(trial.energy().rotation, 0.01 * before);
}

// Friction drags the piston across its guide; it must not follow, and the guide's force is reported.
TEST(Piston, GuidedAlongOneAxisStaysOnIt) {
    for (const bool soft : {true, false}) {
        WorldState world = makeWorld(springs(0.1, 0.5));
        world.gravity = {0, 0, -9.81};
        world.linearFreedom = {1, 0, 1};
        world.angularFreedom = {0, 0, 0};
        const std::uint32_t lid = addLid(world, {0, 0, radius}, 1, 0, {.linear = {0, 0, 1}});
        world.motions.push_back({ConstantMotion{{0.01, 0, 0}, {}}, {{0, 0, 0}, {}}});
        addBody(world, {.radius = radius, .motion = 0});
        Trial trial = soft ? Trial(world, 2e-5) : Trial(world, 1e-3, rigid);
        trial.advance(0.3);
        EXPECT_EQ(trial.position(lid).x, 0) << soft;
        EXPECT_NEAR(forceOn(trial.world, lid).x, 0.5 * 9.81, 1e-3) << soft;
        EXPECT_NEAR(forceOn(trial.world, lid).z, 9.81, 1e-3) << soft;
    }
}

TEST(Piston, EnergyOfAFallOnSpheresIsAccountedFor) {
    WorldState world = makeWorld(springs(0.6, 0.3));
    world.gravity = {0, 0, -9.81};
    addFloor(world);
    for (const double x : {-0.02, 0.0, 0.02}) addBody(world, {.radius = radius, .position = {x, 0, radius}});
    addLid(world, {0, 0, 2.2 * radius}, 0.1, 1e-4, {.angular = {1, 1, 0}});
    world.bodies.load.back() = addLoad(world, TableForce{{0, 0.1}, {{0, 0, 0}, {0.05, 0, -3}}});
    Trial trial(world, 5e-6);
    const EnergyBalance before = trial.energy();
    trial.advance(0.1);
    const EnergyBalance now = trial.energy();
    EXPECT_GT(std::abs(now.wallWork), 1e-5);
    EXPECT_NEAR(closure(before, now) / turnover(before, now), 0, 1e-4);
}

// A column of spheres of Hooke's law under a load: each contact gives way by F/k.
TEST(Piston, OfAQuasiStaticRunSinksByTheSpringsInRow) {
    WorldState world = makeWorld(springs(0.5));
    world.angularFreedom = {0, 0, 0};
    world.linearFreedom = {0, 0, 1};
    addFloor(world);
    constexpr int spheres = 5;
    for (int k = 0; k < spheres; ++k) addBody(world, {.radius = radius, .position = {0, 0, (2 * k + 1) * radius}});
    const std::uint32_t lid = addLid(world, {0, 0, 2 * spheres * radius}, 0.01, 0, {.linear = {0, 0, 1}});
    world.bodies.load.back() = addLoad(world, TableForce{{0, 1}, {{}, {0, 0, -2}}});
    Trial trial(world, 0.25, {.solver = SolverKind::newton, .tolerance = 1e-10}, {.tolerance = 1e-8});
    for (int k = 1; k <= 4; ++k) {
        EXPECT_TRUE(trial.step().equilibrium.reached);
        const double force = 0.5 * k, stiffness = lawOf(world).stiffness;
        EXPECT_NEAR(trial.position(lid).z, 2 * spheres * radius - (spheres + 1) * force / stiffness, 1e-10) << k;
        EXPECT_NEAR(forceOn(trial.world, lid).z, force, 1e-6) << k;
    }
}

}  // namespace
}  // namespace talus
