// Pendulums of one and more links, for both methods: periods against elliptic integrals, motion against the equations
// of Lagrange integrated here, tension, and how energy and errors of the joints stay small.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "analytic/joint_world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05, length = 1;  // m

class Pendulum : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(BothMethods, Pendulum, bothWays, nameOfWay);

// rad/s, of small oscillations of a sphere fixed to an arm.
double smallFrequency() {
    const double mass = massOf(radius);
    return std::sqrt(mass * gravity * length / (inertiaOf(radius) + mass * length * length));
}

// At an angle from hanging, at rest.
WorldState hinged(double angle) {
    WorldState world = machineWorld();
    const std::uint32_t bob =
        addBody(world, {.radius = radius, .position = {length * std::sin(angle), 0, -length * std::cos(angle)}});
    addJoint(world, {.name = "hinge", .kind = JointKind::revolute, .point = Vec3{}, .axis = {0, 1, 0}}, bob, theWorld);
    return world;
}

// From where the hinge turns round: linear between steps.
double measuredPeriod(Trial& trial, double duration) {
    std::vector<double> times;
    double last = 0;
    for (long left = std::lround(duration / trial.settings.dt); left > 0; --left) {
        trial.step();
        const double speed = coordinates(trial.world, 0).turnSpeed;
        if (last * speed < 0) times.push_back(trial.world.time - trial.settings.dt * speed / (speed - last));
        last = speed;
    }
    return 2 * (times.back() - times.front()) / static_cast<double>(times.size() - 1);
}

TEST_P(Pendulum, SwingsWithItsSmallPeriod) {
    Trial trial = trialOf(hinged(0.02), GetParam(), 1e-3);
    const double period = 2 * M_PI / smallFrequency() * (1 + 0.02 * 0.02 / 16);
    EXPECT_NEAR(measuredPeriod(trial, 10) / period, 1, 1e-5);
}

TEST_P(Pendulum, SwingsFarWithThePeriodOfTheEllipticIntegral) {
    const double angle = 2.5;
    Trial trial = trialOf(hinged(angle), GetParam(), 5e-4);
    const double period = 4 * std::comp_ellint_1(std::sin(angle / 2)) / smallFrequency();
    EXPECT_NEAR(measuredPeriod(trial, 12) / period, 1, 2e-5);
}

TEST_P(Pendulum, KeepsItsEnergyAndItsLengthForManyPeriods) {
    Trial trial = trialOf(hinged(M_PI / 2), GetParam(), 1e-3);
    const double start = trial.energy().mechanical(), scale = massOf(radius) * gravity * length;
    double worst = 0, largest = 0;
    // Velocities of contact dynamics are those of half a step before: their energy differs by h/2 times the power.
    const double allowed = GetParam() == Way::penalty ? 1e-5 : 2e-3;
    for (int k = 0; k < 40'000; ++k) {
        trial.step();
        worst = std::max(worst, worstError(trial.world));
        if (k % 10 == 0) largest = std::max(largest, std::abs(trial.energy().mechanical() - start));
    }
    EXPECT_LT(largest, allowed * scale);
    EXPECT_LT(worst, 2e-7);  // m; of third order in the step
    EXPECT_LT(std::abs(trial.world.ledger.jointLoss), 1e-4 * scale);
}

TEST_P(Pendulum, ErrorsOfItsJointAreOfThirdOrderInTheStepOrHigher) {
    const auto errorWith = [&](double dt) {
        Trial trial = trialOf(hinged(M_PI / 2), GetParam(), dt);
        double worst = 0;
        for (long left = std::lround(3 / dt); left > 0; --left) {
            trial.step();
            worst = std::max(worst, worstError(trial.world));
        }
        return worst;
    };
    if (GetParam() == Way::penalty) {
        EXPECT_NEAR(errorWith(4e-3) / errorWith(2e-3), 8, 0.8);
    } else {
        EXPECT_LT(errorWith(4e-3), 2e-8);  // of the fifth order, above what solver and second answer leave
    }
}

TEST_P(Pendulum, OnARodPullsWithItsWeightAndWhatTheCircleNeeds) {
    const double angle = 1.2, dt = 1e-4;
    WorldState world = machineWorld();
    const std::uint32_t bob =
        addBody(world, {.radius = radius, .position = {length * std::sin(angle), 0, -length * std::cos(angle)}});
    addJoint(world, {.name = "rod", .kind = JointKind::distance, .point2 = Vec3{}}, bob, theWorld);
    Trial trial = trialOf(world, GetParam(), dt);
    for (int k = 0; k < 20; ++k) {
        trial.advance(0.1);
        const Vec3 x = trial.position(bob), inward = -normalized(x);
        const double speed = norm(trial.velocity(bob)), mass = massOf(radius);
        const double tension = mass * speed * speed / length + mass * gravity * inward.z;
        // Forces of contact dynamics are those of the last step, half a step away from its velocity.
        EXPECT_NEAR(dot(trial.world.joints.force[0], inward) / (mass * gravity), tension / (mass * gravity),
                    GetParam() == Way::penalty ? 1e-6 : 1e-3);
        EXPECT_NEAR(norm(x), length, 1e-9);
    }
}

// Spheres on arms, each hinged to the one before at its centre; angles from hanging.
struct Chain {
    int links;
    double arm = 0.3;  // m

    double armMass(int i, int j) const { return massOf(radius) * (links - std::max(i, j)); }

    // Lagrange's equations.
    Eigen::VectorXd accelerations(const Eigen::VectorXd& angle, const Eigen::VectorXd& rate) const {
        Eigen::MatrixXd inertia(links, links);
        Eigen::VectorXd load(links);
        for (int i = 0; i < links; ++i) {
            load[i] = -armMass(i, i) * gravity * arm * std::sin(angle[i]);
            for (int j = 0; j < links; ++j) {
                const double coupling = armMass(i, j) * arm * arm, difference = angle[i] - angle[j];
                inertia(i, j) = coupling * std::cos(difference) + (i == j ? inertiaOf(radius) : 0.0);
                load[i] -= coupling * std::sin(difference) * rate[j] * rate[j];
            }
        }
        return inertia.ldlt().solve(load);
    }

    // Runge-Kutta of fourth order from rest.
    Eigen::VectorXd anglesAt(double time, double first) const {
        Eigen::VectorXd q = Eigen::VectorXd::Constant(links, first), v = Eigen::VectorXd::Zero(links);
        const int steps = 3000;
        const double h = time / steps;
        for (int k = 0; k < steps; ++k) {
            const Eigen::VectorXd a1 = accelerations(q, v), v2 = v + h / 2 * a1;
            const Eigen::VectorXd a2 = accelerations(q + h / 2 * v, v2), v3 = v + h / 2 * a2;
            const Eigen::VectorXd a3 = accelerations(q + h / 2 * v2, v3), v4 = v + h * a3;
            const Eigen::VectorXd a4 = accelerations(q + h * v3, v4);
            q += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
            v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
        }
        return q;
    }

    // Bodies in order from the top; ids are their numbers.
    WorldState world(double first) const {
        WorldState world = machineWorld();
        const Vec3 along{arm * std::sin(first), 0, -arm * std::cos(first)};
        for (int k = 0; k < links; ++k) {
            const auto id = addBody(world, {.radius = radius, .position = (k + 1.0) * along});
            addJoint(world,
                     {.name = "link",
                      .kind = JointKind::revolute,
                      .point = static_cast<double>(k) * along,
                      .axis = {0, 1, 0}},
                     id, k == 0 ? theWorld : id - 1);
        }
        return world;
    }
};

// Largest distance of a sphere from where Lagrange's equations have it, m.
double chainError(Way way, const Chain& chain, double dt, double time) {
    const double first = 1.0;
    Trial trial = trialOf(chain.world(first), way, dt);
    trial.advance(time);
    const Eigen::VectorXd angles = chain.anglesAt(time, first);
    Vec3 expected;
    double worst = 0;
    for (int k = 0; k < chain.links; ++k) {
        expected += chain.arm * Vec3{std::sin(angles[k]), 0, -std::cos(angles[k])};
        worst = std::max(worst, norm(trial.position(static_cast<std::uint32_t>(k)) - expected));
    }
    return worst;
}

TEST_P(Pendulum, OfTwoLinksMovesAsLagrangeSays) {
    EXPECT_LT(chainError(GetParam(), {2}, 2e-4, 1.5), GetParam() == Way::penalty ? 1e-5 : 2e-3);
}

TEST_P(Pendulum, OfFiveLinksMovesAsLagrangeSays) {
    EXPECT_LT(chainError(GetParam(), {5}, 2e-4, 1), GetParam() == Way::penalty ? 1e-5 : 2e-3);
}

TEST(PendulumOrder, IsTheSecondOfThePenaltyMethodAndTheFirstOfContactDynamics) {
    const auto ratio = [](Way way) { return chainError(way, {2}, 2e-3, 1) / chainError(way, {2}, 1e-3, 1); };
    EXPECT_NEAR(ratio(Way::penalty), 4, 0.4);
    EXPECT_NEAR(ratio(Way::contactDynamics), 2, 0.3);
}

}  // namespace
}  // namespace talus
