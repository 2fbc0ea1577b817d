// The work of walls that move, against closed forms and against force times speed summed by hand.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"
#include "measure/wall_force.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.01;  // m
const Quat upsideDown = rotationBy({M_PI, 0, 0});

// A floor, a sphere on it that just touches, and a lid that just touches the sphere and moves by `law`.
WorldState pressWorld(const analytic::Substance& substance, const MotionLaw& law, double gap = 0) {
    WorldState world = makeWorld(substance);
    addBody(world, {.radius = radius, .position = {0, 0, radius}});
    addFloor(world);
    const Vec3 top{0, 0, 2 * radius + gap};
    world.motions.push_back({law, {top, upsideDown}});
    addBody(world, {.shape = 1, .position = top, .orientation = upsideDown, .motion = 0});
    return world;
}

// J, done by the lid: force on the sphere times speed of the lid, by the trapezoidal rule over all steps.
class WorkOfLid {
public:
    explicit WorkOfLid(const WorldState& world) : last_(power(world)) {}
    void add(const WorldState& world, double dt) {
        const double now = power(world);
        sum_ += 0.5 * dt * (last_ + now);
        last_ = now;
    }
    double sum() const { return sum_; }

private:
    static double power(const WorldState& world) {
        const BodyLoad load = measureBodyLoads(world, sampleContacts(world)).back();
        const std::size_t lid = indexOf(world.bodies, load.id);
        return -dot(load.force, world.bodies.velocity[lid]) - dot(load.torque, world.bodies.spin[lid]);
    }
    double last_, sum_ = 0;
};

// J, held by the two contacts of a sphere between two planes that came nearer by `way`, at rest: each has half of it.
double storedInPress(NormalLaw normal, const PairLaw& law, double way) {
    const double half = way / 2;
    if (normal == NormalLaw::hooke) return law.stiffnessPerRadius * radius * half * half;
    return 2 * 8.0 / 15 * law.modulus * std::sqrt(radius) * std::pow(half, 2.5);
}

// What the lid does is what the contacts hold then. Beside it there is heat, a share of dashpot times speed over
// force: 2e-4 of it at this speed.
TEST(Piston, DoesTheWorkThatTheTwoContactsOfASphereStore) {
    for (const NormalLaw normal : {NormalLaw::hertz, NormalLaw::hooke}) {
        const double speed = 2.5e-4, way = 4e-4;
        WorldState world = pressWorld({.kinds = {.normal = normal}, .contact = {.restitution = 0.8}},
                                      ConstantMotion{{0, 0, -speed}, {}});
        const double stored = storedInPress(normal, lawOf(world), way);
        Trial press(std::move(world), 2e-5);
        press.advance(way / speed);
        EXPECT_NEAR(press.energy().elastic.total() / stored, 1, 1e-3);
        EXPECT_NEAR(press.energy().wallWork / stored, 1, 1e-3);
        EXPECT_GT(press.energy().wallWork, press.energy().elastic.total()) << "some of it is heat";
    }
}

TEST(Piston, GetsBackWhatItStoredWhenItReturns) {
    // Down by 0.2 mm within 0.2 s and up again, starting and ending at rest.
    const TableMotion stroke{{0, 0.1, 0.3, 0.4}, {{0, 0, 0}, {0, 0, -2e-3}, {0, 0, 2e-3}, {0, 0, 0}}};
    WorldState world = pressWorld({.contact = {.restitution = 1}}, stroke);
    const double stored = storedInPress(NormalLaw::hertz, lawOf(world), 2e-4);
    Trial press(std::move(world), 2e-5);
    press.advance(0.2);
    EXPECT_NEAR(press.energy().wallWork / stored, 1, 1e-3);
    press.advance(0.2);
    EXPECT_NEAR(press.energy().wallWork / stored, 0, 1e-3);
}

// A grain that bounces between the floor and a lid that swings: at any time the ledger closes, and the work in it is
// the sum of force times speed. Both are second order in the step, apart from the moments of touch.
TEST(SwingingLid, DoesTheWorkOfItsForceTimesItsSpeed) {
    const double frequency = 40, amplitude = 2e-3;
    const SineMotion swing{{0, 0, amplitude}, frequency, 0.3};
    const auto deviation = [&](double dt) {
        WorldState world = pressWorld({.contact = {.friction = 0.4, .restitution = 0.8}}, swing, 1.5e-3);
        world.gravity = {0, 0, -9.81};
        world.bodies.velocity[0] = {0.05, 0, 0.3};
        Trial trial(std::move(world), dt);
        const EnergyBalance start = trial.energy();
        WorkOfLid work(trial.world);
        double largest = 0, most = 0;
        for (long left = std::lround(0.2 / dt); left > 0; --left) {
            trial.step();
            work.add(trial.world, dt);
            const EnergyBalance now = trial.energy();
            most = std::max(most, std::abs(now.wallWork));
            largest = std::max({largest, std::abs(now.wallWork - work.sum()), std::abs(closure(start, now))});
        }
        EXPECT_GT(most, 2 * massOf(radius) * std::pow(amplitude * 2 * M_PI * frequency, 2)) << "it met the lid often";
        return largest / most;
    };
    EXPECT_LT(deviation(4e-6), 5e-3);
    EXPECT_LT(deviation(1e-6), 1e-3);
}

// A floor that slides below a grain pressed on it by its weight: it pulls with mu m g, and its work is that times its
// way; the grain gains kinetic energy, and the rest is heat.
TEST(SlidingFloor, DoesTheWorkOfFrictionTimesItsWay) {
    const double friction = 0.3, speed = 2, duration = 0.05;
    WorldState world = makeWorld({.elastic = {1e8, 0.3}, .contact = {.friction = friction, .restitution = 0.3}});
    world.gravity = {0, 0, -9.81};
    const double rest = analytic::hertzOverlap(massOf(radius) * 9.81, radius, lawOf(world).modulus);
    addBody(world, {.radius = radius, .position = {0, 0, radius - rest}});
    world.shapes.add(PlaneWall{});
    world.motions.push_back({ConstantMotion{{speed, 0, 0}, {}}, {}});
    addBody(world, {.shape = 1, .motion = 0});
    Trial trial(std::move(world), 2e-6);
    const EnergyBalance start = trial.energy();
    trial.advance(duration);
    const double wanted = friction * massOf(radius) * 9.81 * speed * duration;
    EXPECT_NEAR(trial.energy().wallWork / wanted, 1, 2e-3);
    EXPECT_NEAR(closure(start, trial.energy()) / wanted, 0, 1e-4);
}

}  // namespace
}  // namespace talus
