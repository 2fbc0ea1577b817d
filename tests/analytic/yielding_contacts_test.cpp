// Damped, cohesive and yielding contacts of contact dynamics: bodies against closed forms and other methods.
#include <gtest/gtest.h>

#include <array>
#include <numbers>

#include "analytic/analytic_world.hpp"
#include "base/parallel.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05;    // m
constexpr double gravity = 9.81;   // m/s^2
constexpr double stiffness = 1e5;  // N/m
constexpr std::uint32_t ball = 0;  // id

ContactDynamicsSettings elastic() {
    return {.tolerance = 1e-12, .maxIterations = 100000, .contacts = ContactKind::elastic};
}

Substance substance(const ContactProperties& contact) {
    Substance s;
    s.kinds = {.normal = NormalLaw::hooke,
               .cohesion = contact.cohesionForce > 0 ? CohesionLaw::constant : CohesionLaw::none};
    s.contact = contact;
    return s;
}

WorldState yieldingWorld(const ContactProperties& contact) {
    WorldState world = makeWorld(substance(contact));
    world.materials.yields = {makeYieldLaw(contact)};
    world.contacts.memory = YieldingMemory{};
    return world;
}

// A ball on the floor, sunk in by this share of the depth at which it rests.
WorldState ballOnFloor(const ContactProperties& contact, double share) {
    WorldState world = yieldingWorld(contact);
    world.gravity = {0, 0, -gravity};
    const double sag = massOf(radius) * gravity / contact.stiffness;
    addBody(world, {.radius = radius, .position = {0, 0, radius - share * sag}});
    addFloor(world);
    return world;
}

TEST(YieldingContacts, CarryTheWeightWhateverTheirStiffness) {
    const double weight = massOf(radius) * gravity;
    for (const double k : {1e4, 1e6, 1e8}) {
        Trial trial(ballOnFloor({.stiffness = k, .dampingTime = 1e-2}, 0), 1e-3, elastic());
        trial.advance(1);
        const std::vector<ContactSample> contacts = sampleContacts(trial.world);
        ASSERT_EQ(contacts.size(), 1u);
        EXPECT_NEAR(contacts[0].normalForce, weight, 1e-6 * weight) << k;
        EXPECT_NEAR(contacts[0].overlap, weight / k, 1e-6 * weight / k + 1e-14) << k;
    }
}

// Height of a mass on spring and dashpot that is let go from rest at 0.2 of its sag, after this time.
double dampedHeight(double dampingTime, double time) {
    const double omega = std::sqrt(stiffness / massOf(radius)), decay = 0.5 * omega * omega * dampingTime;
    const double turning = std::sqrt(omega * omega - decay * decay), sag = gravity / (omega * omega);
    const double swing =
        std::exp(-decay * time) * (std::cos(turning * time) + decay / turning * std::sin(turning * time));
    return radius - sag + 0.8 * sag * swing;
}

TEST(YieldingContacts, ConvergeToSpringAndDashpotWithTheFirstOrder) {
    const double omega = std::sqrt(stiffness / massOf(radius)), end = 3 / omega, dampingTime = 0.4 / omega;
    const auto error = [&](int steps) {
        Trial trial(ballOnFloor({.stiffness = stiffness, .dampingTime = dampingTime}, 0.2), end / steps, elastic());
        for (int k = 0; k < steps; ++k) trial.step();
        return std::abs(trial.position(ball).z - dampedHeight(dampingTime, end));
    };
    EXPECT_LT(error(800), 0.01 * gravity / (omega * omega));
    EXPECT_NEAR(std::log2(error(400) / error(800)), 1, 0.1);
    EXPECT_NEAR(std::log2(error(800) / error(1600)), 1, 0.1);
}

TEST(YieldingContacts, ConvergeToThePenaltyMethodWithTheSameSpringAndDashpot) {
    const double omega = std::sqrt(stiffness / massOf(radius)), end = 3 / omega, dampingTime = 0.4 / omega;
    WorldState same = ballOnFloor({.stiffness = stiffness, .dampingTime = dampingTime}, 0.2);
    same.contacts.memory = SpringMemory{};
    same.materials.laws.front().dampingRatio = 0.5 * omega * dampingTime;  // of 2 sqrt(k m)
    Trial penalty(std::move(same), end / 20000);
    for (int k = 0; k < 20000; ++k) penalty.step();
    EXPECT_NEAR(penalty.position(ball).z, dampedHeight(dampingTime, end), 1e-4 * gravity / (omega * omega));
}

TEST(YieldingContacts, BounceByTheRestitutionOfTheirDashpotInTheLimitOfShortSteps) {
    const double mass = 0.5 * massOf(radius), omega = std::sqrt(stiffness / mass), ratio = 0.2;
    const auto restitution = [&](int steps) {
        WorldState world = yieldingWorld({.stiffness = stiffness, .dampingTime = 2 * ratio / omega});
        addBody(world, {.radius = radius, .position = {0, 0, 0}, .velocity = {1, 0, 0}});
        addBody(world, {.radius = radius, .position = {2 * radius, 0, 0}});
        Trial trial(std::move(world), M_PI / omega / steps, elastic());
        for (int k = 0; k < 2 * steps; ++k) trial.step();
        return trial.velocity(1).x - trial.velocity(0).x;
    };
    const double exact = restitutionFor(NormalLaw::hooke, ratio);
    const double coarse = std::abs(restitution(500) - exact), fine = std::abs(restitution(1000) - exact);
    EXPECT_LT(fine, 0.01);
    EXPECT_NEAR(coarse / fine, 2, 0.3);
}

// Three balls that fall on a floor and on each other, a little out of line.
Trial smallPile(WorldState world, const ContactDynamicsSettings& settings) {
    world.gravity = {0, 0, -gravity};
    addBody(world, {.radius = radius, .position = {0, 0, radius}});
    addBody(world, {.radius = radius, .position = {2 * radius, 0, radius}, .velocity = {-0.1, 0.02, 0}});
    addBody(world, {.radius = radius, .position = {radius, 0.01, 2.75 * radius}, .velocity = {0, 0, -0.2}});
    addFloor(world);
    return Trial(std::move(world), 1e-3, settings);
}

TEST(YieldingContacts, BecomeRigidOnesAsTheirStiffnessGrows) {
    ContactDynamicsSettings rigid = elastic();
    rigid.contacts = ContactKind::rigid;
    rigid.restitution = RestitutionRule::none;
    rigid.correction = 1;
    rigid.maxCorrectionSpeed = 1e9;
    Trial exact = smallPile(makeWorld(substance({.friction = 0.3})), rigid);
    for (int k = 0; k < 30; ++k) exact.step();
    double last = 1;
    for (const double k : {1e8, 1e10, 1e12}) {
        Trial trial = smallPile(yieldingWorld({.friction = 0.3, .stiffness = k, .dampingTime = 1e-3}), elastic());
        for (int step = 0; step < 30; ++step) trial.step();
        double error = 0;
        for (std::uint32_t id = 0; id < 3; ++id) {
            error = std::max(error, norm(trial.velocity(id) - exact.velocity(id)));
        }
        EXPECT_LT(error, 0.2 * last) << k;
        last = error;
    }
    EXPECT_LT(last, 1e-5);
}

// Three balls that hang one below the other, the first one held.
Trial chain(const ContactProperties& contact) {
    WorldState world = yieldingWorld(contact);
    world.gravity = {0, 0, -gravity};
    for (int k = 0; k < 3; ++k) {
        addBody(world, {.radius = radius, .position = {0, 0, -2 * k * radius}, .fixed = k == 0});
    }
    return Trial(std::move(world), 1e-3, elastic());
}

TEST(YieldingContacts, HoldAChainByTheirCohesionAsLongAsItBearsTheWeight) {
    const double weight = massOf(radius) * gravity;
    for (const double strength : {2.01, 3.0}) {
        Trial trial = chain(
            {.stiffness = stiffness, .cohesionForce = strength * weight, .dampingTime = 0.01, .bondStretch = 1e-3});
        trial.advance(1);
        EXPECT_TRUE(trial.world.contacts.brokenBonds.empty() || strength < 2.1);
        if (strength < 2.1) continue;  // hung up suddenly it bears twice its weight
        EXPECT_NEAR(trial.world.bodies.force[trial.at(0)].z, -2 * weight, 1e-4 * weight);
        EXPECT_NEAR(trial.position(1).z, -2 * radius - 2 * weight / stiffness, 1e-8);
        EXPECT_NEAR(trial.position(2).z, -4 * radius - 3 * weight / stiffness, 1e-8);
    }
}

TEST(YieldingContacts, BreakWhereTheLoadIsLargestAndStayBroken) {
    const double weight = massOf(radius) * gravity;
    Trial trial =
        chain({.stiffness = stiffness, .cohesionForce = 1.9 * weight, .dampingTime = 0.01, .bondStretch = 1e-3});
    const EnergyBalance before = trial.energy();
    trial.advance(0.5);
    ASSERT_EQ(trial.world.contacts.brokenBonds.size(), 1u);
    EXPECT_EQ(trial.world.contacts.brokenBonds[0], (BrokenBond{0, 1, 0})) << "the upper one bears two weights";
    EXPECT_NEAR(trial.position(1).z - trial.position(2).z, 2 * radius, 2 * weight / stiffness) << "the lower one holds";
    EXPECT_GT(trial.energy().dissipated.plastic, 0);
    EXPECT_GT(trial.energy().dissipated.cohesion, 0);
    // In free fall implicit steps count half a step of gravity's power too much.
    const EnergyBalance after = trial.energy();
    const double momentum = massOf(radius) * (trial.velocity(1).z + trial.velocity(2).z);
    EXPECT_NEAR(closure(before, after), 0.5 * 1e-3 * gravity * momentum, 1e-6 * turnover(before, after));
}

TEST(YieldingContacts, StopARollingBallBySpringsThatTurnWithIt) {
    // Glued to the floor at a point, pushed sideways: the elastic shear carries the push.
    const double push = 2.0;  // N
    WorldState world = ballOnFloor(
        {.friction = 0.5, .stiffness = stiffness, .tangentialRatio = 0.5, .cohesionForce = 100, .dampingTime = 0.01},
        1);
    world.angularFreedom = {0, 0, 0};
    world.gravity.x = push / massOf(radius);
    Trial trial(std::move(world), 1e-3, elastic());
    trial.advance(0.5);
    EXPECT_NEAR(trial.position(ball).x, push / (0.5 * stiffness), 1e-3 * push / stiffness);
    EXPECT_NEAR(trial.velocity(ball).x, 0, 1e-9);
}

TEST(DilationAngle, IsTheAngleAtWhichASlidingBallRises) {
    for (const double angle : {0.02, 0.2, std::atan(0.5)}) {
        const ContactProperties contact{.friction = 0.5, .stiffness = stiffness, .dilationAngle = angle};
        WorldState world = ballOnFloor(contact, 0);
        world.contacts.memory = SpringMemory{};
        world.angularFreedom = {0, 0, 0};
        world.bodies.velocity[0] = {1, 0, 0};
        ContactDynamicsSettings settings = elastic();
        settings.contacts = ContactKind::rigid;
        settings.solver = SolverKind::interiorPoint;
        settings.frictionLaw = FrictionLaw::associated;
        Trial trial(std::move(world), 1e-3, settings);
        trial.step();
        EXPECT_LT(trial.velocity(ball).x, 0.999);
        EXPECT_NEAR(trial.velocity(ball).z, std::tan(angle) * trial.velocity(ball).x, 1e-6) << angle;
    }
}

TEST(DilationAngle, LetsABallRideUpOnAFloorThatSlidesBelowIt) {
    for (const double angle : {0.05, 0.2}) {
        WorldState world = ballOnFloor({.friction = 0.5, .stiffness = stiffness, .dilationAngle = angle}, 1);
        world.angularFreedom = {0, 0, 0};
        world.linearFreedom = {0, 0, 1};
        world.motions.push_back({ConstantMotion{.velocity = {0.01, 0, 0}}, {}});
        world.bodies.motion[1] = 0;
        ContactDynamicsSettings settings = elastic();
        settings.solver = SolverKind::interiorPoint;
        settings.frictionLaw = FrictionLaw::associated;
        settings.tolerance = 1e-9;
        Trial trial(std::move(world), 1e-3, settings);
        const double start = trial.position(ball).z;
        trial.advance(0.5);
        // 5 mm, less what the tangential spring takes up before it slips.
        const double slip = 5e-3 - 0.5 * massOf(radius) * gravity / (2.0 / 7 * stiffness);
        EXPECT_NEAR((trial.position(ball).z - start) / slip, std::tan(angle), 0.01 * std::tan(angle)) << angle;
    }
}

// A block of glued balls that falls on the floor and breaks.
WorldState fallingBlock() {
    WorldState world = yieldingWorld({.friction = 0.4,
                                      .stiffness = stiffness,
                                      .cohesionForce = 20,
                                      .dampingTime = 1e-3,
                                      .rounding = 5,
                                      .cap = 200,
                                      .bondStretch = 1e-3,
                                      .cohesionHardening = -1e3,
                                      .capHardening = 1e4});
    world.gravity = {0, 0, -gravity};
    for (int k = 0; k < 48; ++k) {
        const Vec3 site{static_cast<double>(k % 4), static_cast<double>(k / 4 % 3), static_cast<double>(k / 12)};
        addBody(world, {.radius = radius,
                        .position = 2 * radius * site + Vec3{0, 0, 1.2 * radius},
                        .velocity = {0.2 * site.z, 0, -2}});
    }
    addFloor(world);
    return world;
}

TEST(YieldingContacts, GiveTheSameBitsOnAnyNumberOfThreads) {
    ContactDynamicsSettings settings = elastic();
    settings.tolerance = 1e-4;
    settings.frictionLaw = FrictionLaw::associated;
    std::uint64_t first = 0;
    const int before = threadCount();
    for (const int threads : {1, 2, 4}) {
        setThreadCount(threads);
        Trial trial(fallingBlock(), 5e-4, settings);
        for (int k = 0; k < 150; ++k) trial.step();
        EXPECT_FALSE(trial.world.contacts.brokenBonds.empty());
        if (threads == 1) first = stateHash(trial.world);
        EXPECT_EQ(stateHash(trial.world), first) << threads << " threads";
    }
    setThreadCount(before);
}

// Compliant contacts have unique reactions, so that bodies go the same way whoever finds them.
TEST(YieldingContacts, MoveAlikeWhicheverSolverIsTaken) {
    for (const bool isPlanar : {false, true}) {
        std::vector<Vec3> first;
        for (const SolverKind solver : {SolverKind::newton, SolverKind::interiorPoint}) {
            ContactDynamicsSettings settings = elastic();
            settings.tolerance = 1e-9;
            settings.solver = solver;
            settings.frictionLaw = FrictionLaw::associated;
            WorldState world = fallingBlock();
            if (isPlanar) {
                world.linearFreedom = {1, 0, 1};
                world.angularFreedom = {0, 1, 0};
            }
            Trial trial(std::move(world), 5e-4, settings);
            for (int k = 0; k < 40; ++k) {
                EXPECT_LT(trial.step().solve.residuals.naturalMap, 1e-8) << nameOf(solver) << ", step " << k;
            }
            std::vector<Vec3> places;
            for (std::uint32_t id = 0; id < 48; ++id) places.push_back(trial.position(id));
            if (first.empty()) first = places;
            for (std::size_t id = 0; id < places.size(); ++id) {
                EXPECT_LT(norm(places[id] - first[id]), 1e-7 * radius) << (isPlanar ? "planar, " : "") << id;
            }
        }
    }
}

// Four balls in a row between the floor and a plate that comes down and goes up again: at their caps they are dented.
// Beside it the same by explicit steps, twenty to one.
TEST(YieldingContacts, AreDentedInAColumnAsTheEquationsOfMotionHaveIt) {
    constexpr int balls = 4, contacts = balls + 1;
    constexpr double cap = 85, hardening = 2e4, damping = 2e-3, depth = 9e-3, dt = 5e-5;  // N, N/m, s, m, s
    const auto speed = [](double t) { return depth * std::numbers::pi * std::sin(2 * std::numbers::pi * t); };
    WorldState world = yieldingWorld(
        {.friction = 0.5, .stiffness = stiffness, .dampingTime = damping, .cap = cap, .capHardening = hardening});
    world.gravity = {0, 0, -gravity};
    for (int k = 0; k < balls; ++k) addBody(world, {.radius = radius, .position = {0, 0, (2 * k + 1) * radius}});
    addFloor(world);
    TableMotion down;
    for (int k = 0; k <= 1000; ++k) {
        down.time.push_back(1e-3 * k);
        down.velocity.push_back({0, 0, -speed(1e-3 * k)});
    }
    const Pose top{{0, 0, 2 * balls * radius}, rotationBy({std::numbers::pi, 0, 0})};
    world.motions.push_back({down, top});
    addBody(world, {.shape = 1, .position = top.position, .orientation = top.orientation, .motion = 0});
    Trial trial(std::move(world), dt, elastic());

    // Heights of the balls between those of floor and plate, a radius beyond.
    std::array<double, balls + 2> height{}, velocity{};
    std::array<double, contacts> dent{}, force{};
    for (std::size_t k = 0; k < height.size(); ++k) height[k] = (2.0 * static_cast<double>(k) - 1) * radius;
    double largest = 0;
    for (int k = 0; k < 20'000; ++k) {
        constexpr int parts = 20;
        for (int part = 0; part < parts; ++part) {
            const double t = dt * (k + part / double(parts)), h = dt / parts;
            velocity.back() = -speed(t);
            for (std::size_t c = 0; c < contacts; ++c) {
                const double gap = height[c + 1] - height[c] - 2 * radius, rate = velocity[c + 1] - velocity[c];
                const double elasticGap = gap + dent[c], limit = cap + hardening * dent[c];
                force[c] = elasticGap < 0 ? std::max(0.0, -stiffness * (elasticGap + damping * rate)) : 0.0;
                if (force[c] > limit) {
                    force[c] = limit;
                    dent[c] -= h * (rate + (limit / stiffness + elasticGap) / damping);
                }
            }
            for (std::size_t i = 1; i <= balls; ++i) {
                velocity[i] += h * ((force[i - 1] - force[i]) / massOf(radius) - gravity);
            }
            for (std::size_t i = 0; i < height.size(); ++i) height[i] += h * velocity[i];
        }
        trial.step();
        largest = std::max(largest, force[0]);
        for (std::uint32_t i = 0; i < balls; ++i) {
            ASSERT_NEAR(trial.position(i).z, height[i + 1], 2e-5) << "ball " << i << ", step " << k;
        }
    }
    EXPECT_GT(dent[0], 1e-3) << "the lowest contact";
    EXPECT_GT(largest, 1.2 * cap);
}

TEST(YieldingContacts, LoseEnergyAndCloseTheLedgerWhenABlockBreaks) {
    ContactDynamicsSettings settings = elastic();
    settings.tolerance = 1e-7;
    settings.frictionLaw = FrictionLaw::associated;
    Trial trial(fallingBlock(), 2e-4, settings);
    const EnergyBalance before = trial.energy();
    double mechanical = before.mechanical();
    for (int k = 0; k < 300; ++k) {
        trial.step();
        const double now = trial.energy().mechanical();
        EXPECT_LT(now, mechanical + 1e-6 * before.mechanical()) << "step " << k;
        mechanical = now;
    }
    const EnergyBalance after = trial.energy();
    EXPECT_GT(after.dissipated.total(), 0.1 * before.kinetic());
    EXPECT_LT(std::abs(closure(before, after)), 0.01 * turnover(before, after));
}

}  // namespace
}  // namespace talus
