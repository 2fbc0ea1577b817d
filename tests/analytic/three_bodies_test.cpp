// A fine grain on the groove of two large spheres that touch: the three-body case of Vyas, Ottino, Lueptow, Umbanhowar
// (Comput. Phys. Commun. 310, 2025), with the numbers of their LAMMPS example.
//
// The fine grain (radius r) touches both large ones (radius R, fixed), an angle a away from the top of the groove. Its
// centre runs on a circle of radius h = sqrt((R + r)^2 - R^2) about the line of their centres. The contacts lie only
// b = r h/(R + r) from its axis of spin, so rolling carries much energy, with J = 1 + 2/5 (r/b)^2:
//   v^2 = 2 g h (cos a0 - cos a)/J,       a'' = g sin a/(h J).
// With mu = 0.5 it starts to slip at 55 degrees; slipping or not, it has left at 74 degrees, where v^2 = g h cos a.
//
// Laws that get mid-step velocities and end-of-step normals keep the grain in the groove: it rolls round below the
// spheres and up again. The last test shows it, so that the others are known to be able to fail.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double gravity = 9.81;                                             // m/s^2
constexpr double fine = 0.25e-3, large = 5e-3;                               // m
constexpr double stiffness = 1e4, tangential = 8235;                         // N/m
constexpr double friction = 0.5, restitution = 0.5;                          // -
constexpr double start = M_PI / 180;                                         // rad from the top
constexpr double dt = 1e-6;                                                  // s
const double orbit = std::sqrt(fine * (2 * large + fine));                   // m, h
const double rollingFactor = 1 + 0.4 * std::pow((large + fine) / orbit, 2);  // J

const Vec3 firstPlace = orbit * Vec3{0, std::sin(start), std::cos(start)};
double angleOf(const Vec3& place) { return std::atan2(place.y, place.z); }

// The line of the large centres is the x axis.
Trial makeGroove() {
    WorldState world = analytic::makeWorld({.kinds = {.normal = NormalLaw::hooke},
                                            .contact = {.friction = friction,
                                                        .restitution = restitution,
                                                        .stiffness = stiffness,
                                                        .tangentialRatio = tangential / stiffness}});
    world.materials.laws.front().tangentialDamping = 0;
    world.gravity = {0, 0, -gravity};
    addBody(world, {.radius = fine, .position = firstPlace});
    addBody(world, {.radius = large, .position = {-large, 0, 0}, .fixed = true});
    addBody(world, {.radius = large, .position = {large, 0, 0}, .fixed = true});
    return Trial(std::move(world), dt);
}

TEST(FineGrainOnTheGrooveOfTwoLargeOnes, RollsDownWithTheSpeedOfTheClosedForm) {
    Trial trial = makeGroove();
    for (const double degrees : {5, 15, 30, 45}) {
        while (angleOf(trial.position(0)) < degrees * M_PI / 180) trial.step();
        const double fall = std::cos(start) - std::cos(angleOf(trial.position(0)));
        const double speed = std::sqrt(2 * gravity * orbit * fall / rollingFactor);
        EXPECT_NEAR(norm(trial.velocity(0)) / speed, 1, 2e-3) << degrees;
        const double spin = speed * (large + fine) / (fine * orbit);
        EXPECT_NEAR(std::abs(trial.spin(0).x) / spin, 1, 2e-3) << degrees;
        EXPECT_NEAR(trial.position(0).x, 0, 1e-9);
    }
}

// While a is small it grows as a0 cosh(t sqrt(g/(h J))).
TEST(FineGrainOnTheGrooveOfTwoLargeOnes, StartsInTheTimeOfTheClosedForm) {
    Trial trial = makeGroove();
    const double rate = std::sqrt(gravity / (orbit * rollingFactor));
    trial.advance(0.06);
    EXPECT_NEAR(angleOf(trial.position(0)) / (start * std::cosh(0.06 * rate)), 1, 2e-3);
}

TEST(FineGrainOnTheGrooveOfTwoLargeOnes, FallsOffBeforeItsSide) {
    Trial trial = makeGroove();
    trial.advance(0.05);
    while (!sampleContacts(trial.world).empty()) trial.step();
    EXPECT_GT(angleOf(trial.position(0)), 55 * M_PI / 180);
    EXPECT_LT(angleOf(trial.position(0)), 75 * M_PI / 180);
    trial.advance(0.03);
    EXPECT_TRUE(sampleContacts(trial.world).empty()) << "and does not come back";
    EXPECT_LT(trial.position(0).z, -2e-3);
}

// The same step for the fine grain alone, with velocities of mid step and normals of its end.
struct MidStepGrain {
    Vec3 position = firstPlace, velocity, spin, force, torque;
    std::array<Vec3, 2> stretch{};
    double dashpot = 2 * dampingRatioFor(NormalLaw::hooke, restitution) * std::sqrt(massOf(fine) * stiffness);

    void addContact(const Vec3& centre, Vec3& spring) {
        const Vec3 normal = normalized(position - centre);
        const double overlap = fine + large - norm(position - centre);
        if (overlap <= 0) return void(spring = {});
        const double load = std::max(0.0, stiffness * overlap - dashpot * dot(velocity, normal));
        const Vec3 arm = -(fine - 0.5 * overlap) * normal;
        const Vec3 speed = velocity - dot(velocity, normal) * normal + cross(spin, arm);
        // The spring turns into the new tangent plane and keeps its length.
        const Vec3 flat = spring - dot(spring, normal) * normal;
        spring = norm(flat) > 0 ? norm(spring) / norm(flat) * flat + dt * speed : dt * speed;
        if (tangential * norm(spring) > friction * load) spring = friction * load / tangential * normalized(spring);
        const Vec3 pull = -tangential * spring;
        force += load * normal + pull;
        torque += cross(arm, pull);
    }
    void step() {
        const double mass = massOf(fine), inertia = 0.4 * mass * fine * fine;
        const auto halfKick = [&] {
            velocity += 0.5 * dt * (force / mass + Vec3{0, 0, -gravity});
            spin += 0.5 * dt / inertia * torque;
        };
        halfKick();
        position += dt * velocity;
        force = torque = {};
        addContact({-large, 0, 0}, stretch[0]);
        addContact({large, 0, 0}, stretch[1]);
        halfKick();
    }
};

TEST(FineGrainOnTheGrooveOfTwoLargeOnes, WouldRollRoundBelowThemWithVelocitiesOfMidStep) {
    MidStepGrain grain;
    double lowest = 0, farthest = 0;
    for (int left = 200000; left > 0; --left) {
        grain.step();
        lowest = std::min(lowest, grain.position.z);
        farthest = std::max(farthest, norm(grain.position));
    }
    EXPECT_LT(lowest, -0.95 * orbit);
    EXPECT_LT(farthest, 1.01 * orbit);
}

}  // namespace
}  // namespace talus
