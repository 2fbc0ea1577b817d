// Servo walls against closed forms: columns and rings of Hooke grains, and rigid ones.
#include <gtest/gtest.h>

#include <numbers>

#include "analytic/analytic_world.hpp"
#include "base/parallel.hpp"
#include "constraints/motion.hpp"
#include "constraints/servo.hpp"
#include "observables/wall_force.hpp"

namespace talus {
namespace {

using analytic::addFloor;
using analytic::makeWorld;
using analytic::massOf;
using analytic::Trial;

constexpr double radius = 0.01, stiffness = 1e5;  // m, N/m
const Quat upsideDown = rotationBy({M_PI, 0, 0});
const ContactDynamicsSettings rigid{.tolerance = 1e-10, .maxIterations = 100000};
const ContactDynamicsSettings elastic{.tolerance = 1e-10, .maxIterations = 100000, .contacts = ContactKind::elastic};

World springWorld() {
    return makeWorld({.kinds = {.normal = NormalLaw::hooke},
                      .contact = {.friction = 0, .restitution = 0.2, .stiffness = stiffness}});
}

std::uint32_t addServo(World& world, const Shape& shape, const Pose& pose, const MotionLaw& law) {
    world.motionLaws.push_back(law);
    world.shapes.push_back(shape);
    const auto motion = startMotion(world, static_cast<std::uint16_t>(world.motionLaws.size() - 1), pose);
    return addBody(world, {.shape = static_cast<std::uint16_t>(world.shapes.size() - 1),
                           .position = pose.position,
                           .orientation = pose.orientation,
                           .motion = motion});
}

// A floor, grains one upon the other, and a servo lid above a small gap.
struct Column {
    World world = springWorld();
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

double forceOn(const World& world, std::uint32_t id) {
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
    EXPECT_LT(fastest, 1.11 * 0.2);
    EXPECT_GT(fastest, 0.1);
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
TEST(RadialServo, ClosesARingOfSpringsUntilItBearsTheStress) {
    constexpr int count = 12;
    const double length = 0.05, stress = 5e3, sine = std::sin(std::numbers::pi / count);
    double expected = radius / sine + radius;
    for (int k = 0; k < 100; ++k) {
        const double push = stress * 2 * std::numbers::pi * expected * length / count;
        const double along = push / (2 * sine);
        expected = (2 * radius - along / stiffness) / (2 * sine) + radius - push / stiffness;
    }
    for (const bool soft : {true, false}) {
        World world = springWorld();
        const double start = 1.01 * radius / sine;
        for (int k = 0; k < count; ++k) {
            const double angle = 2 * std::numbers::pi * k / count;
            addBody(world, {.radius = radius, .position = {start * std::cos(angle), start * std::sin(angle), 0}});
        }
        const std::uint32_t drum =
            addServo(world, CylinderWall{start + 1.1 * radius, 0.5 * length, {false, true, true}}, {},
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

}  // namespace
}  // namespace talus
