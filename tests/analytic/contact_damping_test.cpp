// Dashpots and limits of yielding contacts that depend on the bodies: in proportion to their mass and to their size;
// and the same spring and dashpot in both methods.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05;    // m
constexpr double stiffness = 1e5;  // N/m

ContactDynamicsSettings elastic() {
    return {.tolerance = 1e-12, .maxIterations = 100000, .contacts = ContactKind::elastic};
}

WorldState worldOf(const ContactProperties& contact, CohesionLaw cohesion = CohesionLaw::none) {
    Substance s;
    s.kinds = {.normal = NormalLaw::hooke, .cohesion = cohesion};
    s.contact = contact;
    WorldState world = makeWorld(s);
    world.materials.yields = {makeYieldLaw(contact)};
    world.contacts.memory = YieldingMemory{};
    return world;
}

std::uint16_t addLoad(WorldState& world, const Vec3& force) {
    world.loads.push_back(ConstantForce{force});
    return static_cast<std::uint16_t>(world.loads.size() - 1);
}

// Overlap of two balls pressed together by this force, let go from touch, after this time.
double overlapAfter(double force, double mass, double dashpot, double time) {
    const double omega = std::sqrt(stiffness / mass), decay = 0.5 * dashpot / mass;
    const double turning = std::sqrt(omega * omega - decay * decay);
    const double swing =
        std::exp(-decay * time) * (std::cos(turning * time) + decay / turning * std::sin(turning * time));
    return force / stiffness * (1 - swing);
}

// The dashpot is the rate times the mass of the contact: a light ball against a heavy one.
TEST(DampingRate, IsThatOfADashpotInProportionToTheMassOfTheContact) {
    const double light = massOf(radius), heavy = 8 * light, mass = light * heavy / (light + heavy);
    const double omega = std::sqrt(stiffness / mass), rate = 0.5 * omega, force = 10, end = 3 / omega;
    const double expected = overlapAfter(force, mass, rate * mass, end);
    const auto error = [&](int steps) {
        WorldState world = worldOf({.stiffness = stiffness, .dampingRate = rate});
        const std::uint16_t right = addLoad(world, {force, 0, 0}), left = addLoad(world, {-force, 0, 0});
        addBody(world, {.radius = radius, .position = {0, 0, 0}, .load = right});
        addBody(world, {.radius = 2 * radius, .position = {3 * radius, 0, 0}, .load = left});
        Trial trial(std::move(world), end / steps, elastic());
        for (int k = 0; k < steps; ++k) trial.step();
        return std::abs(3 * radius - (trial.position(1).x - trial.position(0).x) - expected);
    };
    EXPECT_LT(error(1600), 0.01 * force / stiffness);
    EXPECT_NEAR(error(800) / error(1600), 2, 0.2);
}

// A stress acts on pi R^2, R = r/2 between equal balls and r on a plane.
TEST(StressLimits, ActOnTheAreaOfTheEffectiveRadius) {
    const YieldLaw law = atRadius({.rounding = 1, .roundingStress = 100, .capStress = 1000}, 0.1);
    EXPECT_DOUBLE_EQ(law.rounding, 1 + 100 * M_PI * 0.01);
    EXPECT_DOUBLE_EQ(law.cap, 1000 * M_PI * 0.01);
    EXPECT_DOUBLE_EQ(atRadius({.cap = 5, .capStress = 1000}, 0.1).cap, 5) << "the smaller one";
}

// Two balls that hang together, the upper one held: the bond breaks if its stress times area is below the weight.
TEST(StressLimits, HoldAHangingBallUpToItsWeight) {
    const double weight = 9.81 * massOf(radius), area = M_PI * radius * radius / 4;
    for (const double share : {0.9, 2.1}) {  // hung up suddenly it bears twice its weight
        WorldState world = worldOf(
            {.stiffness = stiffness, .dampingTime = 0.01, .bondStretch = 1e-3, .cohesionStress = share * weight / area},
            CohesionLaw::constant);
        world.gravity = {0, 0, -9.81};
        addBody(world, {.radius = radius, .position = {0, 0, 0}, .fixed = true});
        addBody(world, {.radius = radius, .position = {0, 0, -2 * radius}});
        Trial trial(std::move(world), 1e-3, elastic());
        trial.advance(0.5);
        EXPECT_EQ(trial.world.contacts.brokenBonds.empty(), share > 1) << share;
    }
}

TEST(StressLimits, DentABallThatIsPressedHarderThanItsHardness) {
    const double area = M_PI * radius * radius, force = 10;
    for (const double share : {0.5, 2.0}) {
        WorldState world = worldOf({.stiffness = stiffness, .dampingTime = 1e-3, .capStress = share * force / area});
        const std::uint16_t down = addLoad(world, {0, 0, -force});
        addBody(world, {.radius = radius, .position = {0, 0, radius}, .load = down});
        addFloor(world);
        Trial trial(std::move(world), 1e-4, elastic());
        trial.advance(0.05);
        const double depth = radius - trial.position(0).z;
        EXPECT_EQ(depth<2 * force / stiffness, share> 1) << "it sinks in for as long as it is pressed";
    }
}

// One ball hits four at rest that touch each other: springs and dashpots of all contacts, with their openings.
WorldState billiards(const ContactProperties& contact) {
    WorldState world = worldOf(contact);
    const double root = std::sqrt(3.0);
    addBody(world, {.radius = radius, .position = {-2.2 * radius, 0.3 * radius, 0.1 * radius}, .velocity = {1, 0, 0}});
    addBody(world, {.radius = radius, .position = {0, 0, 0}});
    addBody(world, {.radius = radius, .position = {root * radius, radius, 0}});
    addBody(world, {.radius = radius, .position = {root * radius, -radius, 0}});
    addBody(world, {.radius = radius, .position = {2 * root * radius, 0, 0}});
    return world;
}

std::vector<Vec3> positionsAfter(Trial trial, int steps) {
    for (int k = 0; k < steps; ++k) trial.step();
    std::vector<Vec3> positions;
    for (std::uint32_t id = 0; id < 5; ++id) positions.push_back(trial.position(id));
    return positions;
}

// Contact dynamics with springs and dashpots a K against the penalty method with the same ones, 2 zeta sqrt(k m): all
// balls weigh the same, and with equal stiffness along and across so do the tangential dashpots.
TEST(ElasticContacts, ConvergeToThePenaltyMethodWithTheFirstOrderInABreakOfBilliards) {
    const double mass = 0.5 * massOf(radius), omega = std::sqrt(stiffness / mass), ratio = 0.1;
    const double end = 0.2 * radius + 4 / omega;
    for (const double friction : {0.0, 0.3}) {
        const ContactProperties contact{
            .friction = friction, .stiffness = stiffness, .tangentialRatio = 1, .dampingTime = 2 * ratio / omega};
        WorldState same = billiards(contact);
        same.contacts.memory = SpringMemory{};
        same.materials.yields.clear();
        same.materials.laws.front().dampingRatio = ratio;
        const std::vector<Vec3> exact = positionsAfter(Trial(std::move(same), end / 40000), 40000);
        const auto error = [&](int steps) {
            const std::vector<Vec3> found = positionsAfter(Trial(billiards(contact), end / steps, elastic()), steps);
            double largest = 0;
            for (std::size_t k = 0; k < found.size(); ++k) largest = std::max(largest, norm(found[k] - exact[k]));
            return largest;
        };
        const double coarse = error(400), fine = error(800);
        EXPECT_LT(fine, 0.01 * end) << friction;
        EXPECT_NEAR(coarse / fine, 2, 0.3) << friction;
    }
}

}  // namespace
}  // namespace talus
