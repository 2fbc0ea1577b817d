// Machines: a slider-crank and its motor, doors and four-bar linkages with more joints than they need, every solver on
// them, and what free machines conserve.
#include <gtest/gtest.h>

#include "analytic/joint_world.hpp"
#include "base/random.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05;  // m

class Machine : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(BothMethods, Machine, bothWays, nameOfWay);

// A crank that turns about y at a given rate, a rod without mass, and a sphere that slides along x.
struct SliderCrank {
    double crank = 0.2, rod = 0.6, rate = 5;  // m, m, rad/s

    WorldState world() const {
        WorldState world = machineWorld();
        world.gravity = {};
        const auto pin = addBody(
            world,
            {.radius = radius, .position = {crank, 0, 0}, .velocity = {0, 0, -rate * crank}, .spin = {0, rate, 0}});
        const auto slider = addBody(world, {.radius = radius, .position = {crank + rod, 0, 0}});
        addJoint(world,
                 {.name = "motor",
                  .kind = JointKind::revolute,
                  .point = Vec3{},
                  .axis = {0, 1, 0},
                  .drive = SpinDrive{.rate = {.constant = rate}}},
                 pin, theWorld);
        addJoint(world, {.name = "guide", .kind = JointKind::prismatic, .axis = {1, 0, 0}}, slider, theWorld);
        addJoint(world, {.name = "rod", .kind = JointKind::distance}, slider, pin);
        return world;
    }
    double place(double angle) const {
        return crank * std::cos(angle) + std::sqrt(rod * rod - std::pow(crank * std::sin(angle), 2));
    }
    // Its change with the angle, once and twice.
    double slope(double angle) const { return (place(angle + 1e-5) - place(angle - 1e-5)) / 2e-5; }
    double curvature(double angle) const {
        return (place(angle + 1e-4) - 2 * place(angle) + place(angle - 1e-4)) / 1e-8;
    }
    // Power of the motor over its rate: what the slider takes up.
    double torque(double angle) const { return massOf(radius) * rate * rate * slope(angle) * curvature(angle); }
};

TEST_P(Machine, ASliderCrankGoesAsItsGeometrySays) {
    const SliderCrank machine;
    const double dt = 2e-4;
    Trial trial = trialOf(machine.world(), GetParam(), dt);
    for (int k = 0; k < 30; ++k) {
        trial.advance(0.1);
        const double angle = coordinates(trial.world, 0).turn;
        EXPECT_NEAR(angle, machine.rate * trial.world.time, 1e-8);  // counted on over whole turns
        EXPECT_NEAR(trial.position(1).x, machine.place(angle), 1e-7);
        // Forces of contact dynamics are those of the step before.
        const double at = GetParam() == Way::penalty ? angle : angle - machine.rate * dt;
        EXPECT_NEAR(trial.world.joints.turnCouple[0].z, machine.torque(at), 2e-3);
    }
    EXPECT_LT(worstError(trial.world), 1e-8);
}

// A sphere beside two hinges on one upright axis: five of its ten conditions are redundant.
WorldState door() {
    WorldState world = machineWorld();
    const auto body = addBody(world, {.radius = radius, .position = {0.5, 0, 0}});
    addJoint(world, {.name = "upper", .kind = JointKind::revolute, .point = Vec3{0, 0, 0.4}}, body, theWorld);
    addJoint(world, {.name = "lower", .kind = JointKind::revolute, .point = Vec3{0, 0, -0.4}}, body, theWorld);
    return world;
}

// Force and moment about the origin of all joints on the bodies, at the points given.
struct Wrench {
    Vec3 force, moment;
};
Wrench sumOf(const WorldState& world, const std::vector<Vec3>& points) {
    Wrench sum;
    for (std::size_t j = 0; j < points.size(); ++j) {
        sum.force += world.joints.force[j];
        sum.moment += world.joints.torque[j] + cross(points[j], world.joints.force[j]);
    }
    return sum;
}

void expectDoorBorne(const WorldState& world) {
    const Wrench sum = sumOf(world, {{0, 0, 0.4}, {0, 0, -0.4}});
    const double weight = massOf(radius) * gravity;
    EXPECT_LT(norm(sum.force - Vec3{0, 0, weight}), 1e-4 * weight);
    EXPECT_LT(norm(sum.moment - Vec3{0, -0.5 * weight, 0}), 1e-4 * weight);
}

TEST_P(Machine, ADoorOnTwoHingesIsBorneByBoth) {
    Trial trial = trialOf(door(), GetParam(), 1e-3);
    trial.advance(1);
    expectDoorBorne(trial.world);
    EXPECT_LT(worstError(trial.world), 1e-9);
}

TEST_P(Machine, ADoorThatSwingsKeepsItsSpeed) {
    WorldState world = door();
    world.bodies.velocity[0] = {0, 1, 0};
    world.bodies.spin[0] = {0, 0, 2};
    Trial trial = trialOf(world, GetParam(), 1e-3);
    trial.advance(10);
    EXPECT_NEAR(coordinates(trial.world, 0).turnSpeed, 2, 1e-3);
    EXPECT_NEAR(coordinates(trial.world, 0).turn, 20, 1e-2);
    EXPECT_LT(worstError(trial.world), 1e-7);
}

TEST(MachineSolvers, EachBearsTheDoor) {
    for (const SolverKind kind : allSolvers()) {
        SCOPED_TRACE(std::string(nameOf(kind)));
        Trial trial(door(), 1e-3, machineSettings(kind));
        for (int k = 0; k < 20; ++k) EXPECT_EQ(trial.step().solve.status, SolveStatus::converged);
        expectDoorBorne(trial.world);
    }
}

// Two cranks of 1 m hang from pins 1 m apart; a coupler joins their ends. In space three conditions too many.
WorldState fourBar(double rate) {
    WorldState world = machineWorld();
    const auto add = [&](const Vec3& position, const Vec3& spin) {
        const Vec3 arm{0, 0, position.z};
        return addBody(
            world, {.radius = radius, .position = position, .velocity = cross(Vec3{0, rate, 0}, arm), .spin = spin});
    };
    const auto left = add({0, 0, -0.5}, {0, rate, 0}), right = add({1, 0, -0.5}, {0, rate, 0}),
               coupler = add({0.5, 0, -1}, {});
    const auto hinge = [&](std::uint32_t a, std::uint32_t b, const Vec3& point) {
        addJoint(world, {.name = "pin", .kind = JointKind::revolute, .point = point, .axis = {0, 1, 0}}, a, b);
    };
    hinge(left, theWorld, {0, 0, 0});
    hinge(right, theWorld, {1, 0, 0});
    hinge(coupler, left, {0, 0, -1});
    hinge(coupler, right, {1, 0, -1});
    return world;
}

// It moves as one pendulum.
double fourBarAngle(double rate, double time) {
    const double mass = massOf(radius), inertia = 2 * (0.25 * mass + inertiaOf(radius)) + mass;
    const double pull = 2 * mass * gravity / inertia, h = time / 20'000;
    double q = 0, v = rate;
    for (int k = 0; k < 20'000; ++k) {
        v -= 0.5 * h * pull * std::sin(q);
        q += h * v;
        v -= 0.5 * h * pull * std::sin(q);
    }
    return q;
}

TEST_P(Machine, AFourBarLinkageWithTooManyConditionsSwingsAsOnePendulum) {
    const double rate = 2;
    Trial trial = trialOf(fourBar(rate), GetParam(), 5e-4);
    for (int k = 0; k < 5; ++k) {
        trial.advance(0.5);
        EXPECT_NEAR(coordinates(trial.world, 0).turn, fourBarAngle(rate, trial.world.time),
                    GetParam() == Way::penalty ? 1e-5 : 2e-3);
    }
    EXPECT_LT(worstError(trial.world), 1e-7);
}

TEST(MachineSolvers, AgreeOnTheFourBarLinkage) {
    for (const SolverKind kind : allSolvers()) {
        SCOPED_TRACE(std::string(nameOf(kind)));
        Trial trial(fourBar(2), 1e-3, machineSettings(kind));
        int unconverged = 0;
        for (int k = 0; k < 100; ++k) unconverged += trial.step().solve.status != SolveStatus::converged;
        EXPECT_EQ(unconverged, 0);
        EXPECT_NEAR(coordinates(trial.world, 0).turn, fourBarAngle(2, 0.1), 2e-3);
    }
}

TEST_P(Machine, JointErrorsStayBoundedForTenSeconds) {
    WorldState world = machineWorld();
    const auto first = addBody(world, {.radius = radius, .position = {0.5, 0, 0}});
    const auto second = addBody(world, {.radius = radius, .position = {1, 0, 0}});
    addJoint(world, {.name = "ball", .kind = JointKind::spherical, .point = Vec3{}}, first, theWorld);
    addJoint(world, {.name = "knee", .kind = JointKind::revolute, .point = Vec3{0.5, 0, 0}, .axis = {0, 1, 1}}, second,
             first);
    Trial trial = trialOf(world, GetParam(), 1e-3);
    double worst = 0;
    for (int k = 0; k < 10'000; ++k) {
        trial.step();
        worst = std::max(worst, worstError(trial.world));
    }
    EXPECT_LT(worst, 5e-4);
}

struct Momentum {
    Vec3 linear, angular;
};
Momentum momentumOf(const WorldState& world) {
    const Bodies& b = world.bodies;
    Momentum sum;
    for (std::size_t i = 0; i < b.size(); ++i) {
        const double mass = 1 / b.inverseMass[i];
        sum.linear += mass * b.velocity[i];
        sum.angular += mass * cross(b.position[i], b.velocity[i]) + (1 / b.inverseInertia[i].x) * b.spin[i];
    }
    return sum;
}

// Free bodies in a row, each joined to the next by another kind, with springs and drives between them.
WorldState tumblingMachine() {
    WorldState world = machineWorld();
    world.gravity = {};
    Random random(11, 0);
    std::vector<std::uint32_t> ids;
    for (int k = 0; k < 8; ++k) {
        ids.push_back(addBody(world, {.radius = radius,
                                      .position = {0.3 * k, 0.02 * k * k, 0},
                                      .velocity = random.inBox({-1, -1, -1}, {1, 1, 1}),
                                      .spin = random.inBox({-3, -3, -3}, {3, 3, 3})}));
    }
    const auto join = [&](std::size_t k, JointSettings settings) {
        settings.name = "j";
        settings.point = Vec3{0.3 * static_cast<double>(k) + 0.1, 0.03, 0.01};
        settings.axis = {1, 0.5, -0.2};
        addJoint(world, settings, ids[k], ids[k + 1]);
    };
    join(0, {.kind = JointKind::fixed});
    join(1, {.kind = JointKind::spherical});
    join(2,
         {.kind = JointKind::revolute, .turnLimits = TurnLimits{-0.5, 0.5}, .drive = TorqueDrive{{.constant = 0.1}}});
    join(3, {.kind = JointKind::prismatic, .limits = SlideLimits{-0.1, 0.1}, .spring = SlideSpring{50, 0.5, 0.05}});
    join(4, {.kind = JointKind::cylindrical, .drive = SpinDrive{.rate = {.constant = 3.0}, .maxTorque = 0.2}});
    join(5, {.kind = JointKind::planar});
    join(6, {.kind = JointKind::distance});
    return world;
}

TEST_P(Machine, FreeBodiesWithAllKindsOfJointsKeepTheirMomentum) {
    Trial trial = trialOf(tumblingMachine(), GetParam(), 1e-3);
    const Momentum start = momentumOf(trial.world);
    trial.advance(1);
    const Momentum end = momentumOf(trial.world);
    const double scale = massOf(radius) * 8;
    EXPECT_LT(norm(end.linear - start.linear), 1e-11 * scale);
    EXPECT_LT(norm(end.angular - start.angular), 1e-10 * scale);
    EXPECT_LT(worstError(trial.world), 1e-3);
}

TEST_P(Machine, APlanarSceneMovesAsSpaceDoesWithoutWhatItLeavesOut) {
    const auto after = [&](bool planar) {
        WorldState world = fourBar(2);
        if (planar) {
            world.linearFreedom = {1, 0, 1};
            world.angularFreedom = {0, 1, 0};
        }
        Trial trial = trialOf(world, GetParam(), 1e-3);
        trial.advance(0.5);
        return trial.position(2);
    };
    EXPECT_LT(norm(after(true) - after(false)), 1e-6);
}

TEST_P(Machine, AWallThatForcesMoveCanBeJoined) {
    // A lid on a guide, hung from a spring: a free wall in a prismatic joint.
    WorldState world = machineWorld();
    addBody(world, {.radius = radius, .position = {0, 0, 5}, .fixed = true});
    world.shapes.add(PlaneWall{});
    const auto lid = addBody(world, {.shape = 1, .mass = 2, .inertia = 0.1});
    addJoint(world,
             {.name = "guide", .kind = JointKind::prismatic, .spring = SlideSpring{.stiffness = 500, .damping = 30}},
             lid, theWorld);
    Trial trial = trialOf(world, GetParam(), 1e-3);
    trial.advance(5);
    EXPECT_NEAR(coordinates(trial.world, 0).slide, -2 * gravity / 500, 1e-8);
    EXPECT_NEAR(trial.world.joints.force[0].z, 2 * gravity, 1e-6);
}

// A body with a moment of 0.02 kg m^2 about its axis, held at 0.5 m from its centre, goes round without sinking.
TEST(Gyroscope, WithALevelAxisPrecessesAtTheKnownRate) {
    WorldState world = machineWorld();
    world.shapes.add(SphereShape{});  // a second shape that is no wall takes the general path
    const double arm = 0.5, moment = 0.02, spin = 400, mass = massOf(radius);
    const double rate = mass * gravity * arm / (moment * spin);
    const auto body = addBody(world, {.shape = 1,
                                      .radius = radius,
                                      .position = {arm, 0, 0},
                                      .velocity = {0, rate * arm, 0},
                                      .spin = {spin, 0, rate}});
    world.bodies.inverseInertia[0] = {1 / moment, 1 / 0.015, 1 / 0.015};
    addJoint(world, {.name = "ball", .kind = JointKind::spherical, .point = Vec3{}}, body, theWorld);
    Trial trial = trialOf(world, Way::penalty, 1e-4);
    trial.advance(1);
    const Vec3 expected{arm * std::cos(rate), arm * std::sin(rate), 0};
    EXPECT_LT(norm(trial.position(body) - expected), 1e-3 * arm);
    EXPECT_LT(worstError(trial.world), 1e-7);
}

TEST_P(Machine, APrescribedBodyCarriesWhatIsJoinedToIt) {
    // A sphere on a rod behind one that moves in a circle: work comes from the prescribed motion.
    WorldState world = machineWorld();
    world.gravity = {};
    world.motions.push_back({RotationMotion{.axis = {0, 0, 1}, .point = {}, .rate = 3}, {{1, 0, 0}, {}}});
    const auto hub = addBody(world, {.radius = radius, .position = {1, 0, 0}, .motion = 0});
    const auto follower =
        addBody(world, {.radius = radius, .position = {1.5, 0, 0}, .velocity = {0, 4.5, 0}, .spin = {0, 0, 3}});
    addJoint(world, {.name = "arm", .kind = JointKind::fixed}, follower, hub);
    Trial trial = trialOf(world, GetParam(), 1e-3);
    const EnergyBalance start = trial.energy();
    trial.advance(2);
    EXPECT_NEAR(norm(trial.position(follower)), 1.5, 1e-5);
    EXPECT_NEAR(norm(trial.world.joints.force[0]), massOf(radius) * 1.5 * 9, 1e-2);
    EXPECT_LT(std::abs(closure(start, trial.energy())), 1e-3);
    EXPECT_NEAR(trial.world.ledger.wallWork, 0, 0.2);  // of the first order in the step
}

}  // namespace
}  // namespace talus
