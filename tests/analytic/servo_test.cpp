// Servo walls against closed forms: columns and rings of Hooke grains, and rigid ones.
#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <numbers>

#include "analytic/analytic_world.hpp"
#include "base/parallel.hpp"
#include "measure/wall_force.hpp"
#include "model/servo.hpp"
#include "model/sleeve.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.01, stiffness = 1e5;  // m, N/m
const Quat upsideDown = rotationBy({M_PI, 0, 0});
const ContactDynamicsSettings rigid{.tolerance = 1e-10, .maxIterations = 100000};
const ContactDynamicsSettings elastic{.tolerance = 1e-10, .maxIterations = 100000, .contacts = ContactKind::elastic};

WorldState springWorld() {
    return makeWorld({.kinds = {.normal = NormalLaw::hooke},
                      .contact = {.friction = 0, .restitution = 0.2, .stiffness = stiffness}});
}

// A floor, grains one upon the other, and a servo lid above a small gap.
struct Column {
    WorldState world = springWorld();
    int grains = 5;
    std::uint32_t floor = 0, lid = 0;

    explicit Column(const ServoMotion& servo, const Vec3& gravity = {}) {
        world.gravity = gravity;
        world.linearFreedom = {0, 0, 1};  // the column would buckle
        floor = addFloor(world);
        for (int k = 0; k < grains; ++k) {
            addBody(world, {.radius = radius, .position = {0, 0, (2 * k + 1) * radius}});
        }
        lid = addServo(world, PlaneWall{}, {{0, 0, (2 * grains + 0.1) * radius}, upsideDown}, servo);
    }
    double height() const { return 2 * grains * radius; }
};

double forceOn(const WorldState& world, std::uint32_t id) {
    for (const BodyLoad& load : measureBodyLoads(world, sampleContacts(world))) {
        if (load.id == id) return load.force.z;
    }
    return 0;
}

TEST(ServoLid, CompressesAColumnOfSpringsByWhatItsForceAsks) {
    const double push = 40;
    for (const bool soft : {true, false}) {
        Column column({.force = push, .maxSpeed = 0.2});
        const double dt = soft ? 2e-5 : 2e-4;
        startServos(column.world, ServoDrive::speed, dt);
        Trial trial = soft ? Trial(column.world, dt) : Trial(column.world, dt, elastic);
        trial.advance(soft ? 0.5 : 1.0);
        EXPECT_NEAR(forceOn(trial.world, column.lid), push, 0.01 * push) << soft;
        EXPECT_NEAR(forceOn(trial.world, column.floor), -push, 0.01 * push) << soft;
        const double compression = (column.grains + 1) * push / stiffness;
        EXPECT_NEAR(column.height() - trial.position(column.lid).z, compression, 0.01 * compression) << soft;
        EXPECT_NEAR(trial.velocity(column.lid).z, 0, 1e-4) << soft;
    }
}

TEST(ServoLid, BearsItsTargetExactlyOnRigidGrains) {
    const double push = 40, weight = 5 * massOf(radius) * 9.81;
    Column column({.stress = 4e3, .area = 0.01, .maxSpeed = 0.2}, {0, 0, -9.81});
    const double dt = 1e-3;
    startServos(column.world, ServoDrive::force, dt);
    Trial trial(column.world, dt, rigid);
    double fastest = 0;
    for (int k = 0; k < 200; ++k) {
        trial.step();
        fastest = std::max(fastest, std::abs(trial.velocity(column.lid).z));
    }
    EXPECT_NEAR(forceOn(trial.world, column.lid), push, 1e-6 * push);
    EXPECT_NEAR(forceOn(trial.world, column.floor), -push - weight, 1e-6 * push);
    EXPECT_NEAR(trial.position(column.lid).z, column.height(), 0.01 * radius);
    EXPECT_NEAR(fastest, 0.2, 1e-12);
}

// It comes at its largest speed, and stays from then on, however elastic the grain.
TEST(ServoLid, DoesNotBounceOffWhatItIsPushedAgainst) {
    WorldState world =
        makeWorld({.kinds = {.normal = NormalLaw::hooke}, .contact = {.friction = 0, .restitution = 0.8}});
    world.linearFreedom = {0, 0, 1};
    addFloor(world);
    addBody(world, {.radius = radius, .position = {0, 0, radius}});
    const double gap = 0.0009;
    const std::uint32_t lid =
        addServo(world, PlaneWall{}, {{0, 0, 2 * radius + gap}, upsideDown}, ServoMotion{.force = 40, .maxSpeed = 0.2});
    startServos(world, ServoDrive::force, 1e-3);
    Trial trial(std::move(world), 1e-3, rigid);
    trial.advance(4e-3);
    EXPECT_NEAR(trial.velocity(lid).z, -0.2, 1e-12);
    trial.advance(1e-3);
    for (int k = 0; k < 10; ++k) {
        trial.step();
        EXPECT_NEAR(trial.velocity(lid).z, 0, 1e-9);
    }
}

// F = T (1 - v / maxSpeed)
TEST(ServoLid, BearsLessOfItsTargetTheFasterItFollowsRigidGrains) {
    Column column({.force = 40, .maxSpeed = 0.2});
    startServos(column.world, ServoDrive::force, 1e-3);
    Trial trial(column.world, 1e-3, rigid);
    trial.advance(0.05);
    const double sinking = 0.05;  // m/s
    trial.world.motions.push_back({.law = ConstantMotion{.velocity = {0, 0, -sinking}}});
    trial.world.bodies.motion[indexOf(trial.world.bodies, column.floor)] =
        static_cast<std::uint16_t>(trial.world.motions.size() - 1);
    trial.advance(0.05);
    EXPECT_NEAR(trial.velocity(column.lid).z, -sinking, 1e-7);
    EXPECT_NEAR(forceOn(trial.world, column.lid), 40 * (1 - sinking / 0.2), 1e-6);
}

// Half the force at first, twice as much later.
TEST(ServoLid, FollowsTheCourseOfItsTarget) {
    ServoMotion servo{.force = 40, .maxSpeed = 0.2};
    servo.course = {{0.3, 0.31}, {0.5, 1}};
    Column column(servo);
    startServos(column.world, ServoDrive::speed, 2e-5);
    Trial trial(column.world, 2e-5);
    trial.advance(0.3);
    EXPECT_NEAR(forceOn(trial.world, column.lid), 20, 0.2);
    trial.advance(0.3);
    EXPECT_NEAR(forceOn(trial.world, column.lid), 40, 0.4);
}

TEST(ServoLid, ClosesTheEnergyBalance) {
    Column column({.force = 40, .maxSpeed = 0.2});
    startServos(column.world, ServoDrive::speed, 5e-6);
    Trial trial(column.world, 5e-6);
    const EnergyBalance before = trial.energy();
    trial.advance(0.2);
    const EnergyBalance after = trial.energy();
    EXPECT_GT(after.wallWork, after.elastic.total());
    EXPECT_NEAR(closure(before, after), 0, 0.01 * after.wallWork);
}

TEST(ServoLid, MovesTheSameWayWithAnyNumberOfThreads) {
    std::vector<std::uint64_t> hashes;
    for (const int threads : {1, 2, 4}) {
        setThreadCount(threads);
        Column column({.force = 40, .maxSpeed = 0.2});
        startServos(column.world, ServoDrive::speed, 2e-5);
        Trial trial(column.world, 2e-5);
        trial.advance(0.02);
        hashes.push_back(stateHash(trial.world));
    }
    setThreadCount(1);
    EXPECT_EQ(hashes[0], hashes[1]);
    EXPECT_EQ(hashes[0], hashes[2]);
}

// Spheres side by side along the mantle bear the stress as an arch: f = 2 h sin(pi/n) between the push f of the wall on
// each and the force h along the ring.
constexpr int count = 12;
constexpr double length = 0.05;  // m, of a mantle
const double sine = std::sin(std::numbers::pi / count);

// m, the radius of the mantle then.
double archRadius(double stress, double spring) {
    double expected = radius / sine + radius;
    for (int k = 0; k < 100; ++k) {
        const double push = stress * 2 * std::numbers::pi * expected * length / count;
        const double along = push / (2 * sine);
        expected = (2 * radius - along / spring) / (2 * sine) + radius - push / spring;
    }
    return expected;
}

void addArch(WorldState& world, double height) {
    const double start = 1.01 * radius / sine;
    for (int k = 0; k < count; ++k) {
        const double angle = 2 * std::numbers::pi * k / count;
        addBody(world, {.radius = radius, .position = {start * std::cos(angle), start * std::sin(angle), height}});
    }
}

TEST(RadialServo, ClosesARingOfSpringsUntilItBearsTheStress) {
    const double stress = 5e3, expected = archRadius(stress, stiffness);
    for (const bool soft : {true, false}) {
        WorldState world = springWorld();
        world.linearFreedom = {1, 1, 0};  // a ring under pressure bulges out of its plane, from round-off on
        addArch(world, 0);
        const std::uint32_t drum =
            addServo(world, CylinderWall{1.01 * radius / sine + 1.1 * radius, 0.5 * length, {false, true, true}}, {},
                     RadialServoMotion{.stress = stress, .maxSpeed = 0.05});
        const double dt = soft ? 2e-5 : 2e-4;
        startServos(world, ServoDrive::speed, dt);
        Trial trial = soft ? Trial(world, dt) : Trial(world, dt, elastic);
        trial.advance(soft ? 1.0 : 2.0);
        const double found = meanDrumRadius(trial.world, 0);
        EXPECT_NEAR(found, expected, 0.01 * (radius / sine + radius - expected)) << soft;
        const double measured = measureWallStress(trial.world, sampleContacts(trial.world), {.group = 0});
        EXPECT_NEAR(measured, stress, 0.01 * stress) << soft;
        EXPECT_NE(trial.at(drum), trial.world.bodies.size());
    }
}

// What the increment leaves behind belongs to the radius at its end.
TEST(RadialServo, IsInBalanceAtTheEndOfEveryQuasiStaticIncrement) {
    const double stress = 5e3, expected = archRadius(stress, stiffness);
    WorldState world = springWorld();
    world.linearFreedom = {1, 1, 0};
    addArch(world, 0);
    addServo(world, CylinderWall{1.01 * radius / sine + 1.1 * radius, 0.5 * length, {false, true, true}}, {},
             RadialServoMotion{.stress = stress, .maxSpeed = 0.05});
    startServos(world, ServoDrive::speed, 1e-3);
    Trial trial(std::move(world), 1e-3, elastic, {.tolerance = 1e-6});
    const double before = trial.world.ledger.wallWork;
    double work = 0;
    for (int k = 0; k < 200; ++k) {
        const double old = meanDrumRadius(trial.world, 0);
        const double push = trial.world.facePush.empty() ? 0.0 : trial.world.facePush[0];
        EXPECT_TRUE(trial.step().equilibrium.reached) << k;
        work += push * (old - meanDrumRadius(trial.world, 0));
        double sum = 0;
        for (const ContactSample& c : sampleContacts(trial.world)) {
            if (c.partner >= trial.world.bodies.grainCount) sum += stiffness * std::max(0.0, c.overlap);
        }
        EXPECT_NEAR(trial.world.facePush[0], sum, 1e-3 + 1e-4 * sum) << k;
    }
    EXPECT_NEAR(meanDrumRadius(trial.world, 0), expected, 0.01 * (radius / sine + radius - expected));
    EXPECT_NEAR(trial.world.ledger.wallWork - before, work, 1e-3 * work);
}

// Two rings of a sleeve, one above the other, with an arch in each.
struct Sleeve {
    WorldState world = springWorld();
    std::array<double, 2> stress{5e3, 10e3};  // Pa

    Sleeve() {
        world.linearFreedom = {1, 1, 0};
        for (std::size_t k = 0; k < 2; ++k) {
            const double height = length * static_cast<double>(k);
            addArch(world, height);
            addServo(world, CylinderWall{1.01 * radius / sine + 1.1 * radius, 0.5 * length, {false, true, true}, true},
                     {{0, 0, height}, {}}, RadialServoMotion{.stress = stress[k], .maxSpeed = 0.05});
        }
    }
};

void expectStresses(const Trial& trial, const Sleeve& sleeve, double spring, double difference) {
    const std::vector<RingState> rings =
        measureRings(trial.world, sampleContacts(trial.world), {.group = 0, .rings = 2});
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(rings[k].stress, sleeve.stress[k], 0.01 * sleeve.stress[k]);
        EXPECT_NEAR(rings[k].radius, archRadius(sleeve.stress[k], spring), difference);
    }
}

TEST(Sleeve, EveryRingOfSpringsBearsItsOwnStress) {
    for (const bool soft : {true, false}) {
        Sleeve sleeve;
        startServos(sleeve.world, ServoDrive::speed, soft ? 2e-5 : 2e-4);
        Trial trial = soft ? Trial(sleeve.world, 2e-5) : Trial(sleeve.world, 2e-4, elastic);
        trial.advance(soft ? 1.0 : 2.0);
        expectStresses(trial, sleeve, stiffness, 1e-5);
    }
}

TEST(Sleeve, EveryRingAroundRigidGrainsBearsItsOwnStress) {
    Sleeve sleeve;
    startServos(sleeve.world, ServoDrive::force, 1e-3);
    Trial trial(sleeve.world, 1e-3, rigid);
    trial.advance(0.5);
    // An arch of smooth rigid grains is about to buckle.
    expectStresses(trial, sleeve, std::numeric_limits<double>::infinity(), 1e-4);
}

TEST(Sleeve, PlanesAtItsEndsTakeStressOffWhatIsBehindThem) {
    WorldState world = springWorld();
    world.groupNames = {"grains", "lid"};
    addServo(world, CylinderWall{0.1, 0.5 * length, {false, true, true}, true}, {},
             RadialServoMotion{.stress = 1e3, .maxSpeed = 0.05, .ends = {"lid"}});
    addBody(world, {.shape = world.shapes.add(PlaneWall{}),
                    .position = {0, 0, 0.2 * length},
                    .orientation = upsideDown,
                    .group = 1});
    const std::size_t ring = world.bodies.grainCount;
    EXPECT_NEAR(coveredLength(world, ring), 0.7 * length, 1e-15);
    EXPECT_NEAR(targetForce(world, ring, 0), 1e3 * 2 * std::numbers::pi * 0.1 * 0.7 * length, 1e-9);
    world.bodies.position[ring + 1].z = -length;
    EXPECT_EQ(targetForce(world, ring, 0), 0);
}

// The distance to a ring is that to the nearest of many points of its mantle and of the flat faces beside it.
TEST(Sleeve, DistanceToARingIsThatToItsNearestPoint) {
    const Shape ring = CylinderWall{0.1, 0.02, {false, true, true}, true};
    for (const Vec3& p : {Vec3{0.08, 0, 0.01}, Vec3{0.05, 0.07, 0.03}, Vec3{0, 0.09, -0.025}, Vec3{0.11, 0, 0.027}}) {
        double nearest = 1;
        for (int i = 0; i <= 400; ++i) {
            for (int k = 0; k <= 400; ++k) {
                const double angle = std::atan2(p.y, p.x) + 1e-3 * (i - 200), share = k / 400.0;
                const Vec3 out{std::cos(angle), std::sin(angle), 0};
                const double side = std::copysign(0.02, p.z);
                nearest = std::min({nearest, norm(p - (0.1 * out + Vec3{0, 0, 0.02 * (2 * share - 1)})),
                                    norm(p - ((0.1 + 0.05 * share) * out + Vec3{0, 0, side}))});
            }
        }
        const FaceDistance found = distanceToFace({&ring}, 0, p);
        EXPECT_NEAR(found.distance, nearest, 1e-6);
        EXPECT_NEAR(norm(found.normal), 1, 1e-15);
        EXPECT_GT(distanceToFace({&ring}, 0, p + 1e-5 * found.normal).distance, found.distance);
    }
}

}  // namespace
}  // namespace talus
