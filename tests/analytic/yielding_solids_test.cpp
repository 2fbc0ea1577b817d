// Bonds between bodies that are no spheres: they belong to the pair, whatever parts of it touch.
#include <gtest/gtest.h>

#include "analytic/analytic_world.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.05, stiffness = 1e5;  // m, N/m
const Shape capsule = CapsuleShape{radius, radius};
const ContactProperties glue{
    .friction = 0.4, .stiffness = stiffness, .tangentialRatio = 0.5, .cohesionForce = 10, .bondStretch = 1e-4};

// Two upright capsules side by side that just touch, the first one held.
Trial gluedPair() {
    Substance s;
    s.kinds = {.normal = NormalLaw::hooke, .cohesion = CohesionLaw::constant};
    s.contact = glue;
    WorldState world = makeWorld(s);
    world.materials.yields = {makeYieldLaw(glue)};
    world.contacts.memory = YieldingMemory{};
    world.shapes.add(capsule);
    for (int k = 0; k < 2; ++k) {
        addBody(world,
                {.shape = 1, .radius = boundingRadius(capsule), .position = {2 * radius * k, 0, 0}, .fixed = k == 0});
    }
    return Trial(std::move(world), 1e-3,
                 {.tolerance = 1e-12, .maxIterations = 100000, .contacts = ContactKind::elastic});
}

int bondsOf(const WorldState& world) {
    int bonds = 0;
    for (const ContactStretch& s : world.contacts.stretches()) bonds += s.bond > 0;
    return bonds;
}

TEST(GluedSolids, NeverBondAgainWhateverPartsTouch) {
    Trial trial = gluedPair();
    trial.step();
    EXPECT_GT(bondsOf(trial.world), 0);
    Bodies& b = trial.world.bodies;
    const std::size_t free = trial.at(1);
    b.velocity[free] = {20, 0, 0};  // m/s: torn off
    trial.step();
    EXPECT_EQ(bondsOf(trial.world), 0);
    ASSERT_EQ(trial.world.contacts.brokenBonds.size(), 1u);
    // Back again, on its cap.
    b.position[free] = {3 * radius, 0, 0};
    b.orientation[free] = rotationBy({0, 0.5 * M_PI, 0});
    b.velocity[free] = b.spin[free] = {};
    trial.step();
    EXPECT_GT(trial.world.contacts.shapes.point.size(), 0u);
    EXPECT_EQ(bondsOf(trial.world), 0);
}

TEST(GluedSolids, LeaveTheirEnergyToTheLedgerWhenTheirPointsVanish) {
    Trial trial = gluedPair();
    trial.step();
    WorldState& world = trial.world;
    ASSERT_GT(bondsOf(world), 0);
    double held = 0;
    for (std::size_t k = 0; k < world.contacts.stretches().size(); ++k) {
        ContactStretch& s = world.contacts.stretches()[k];
        s.tangential = {0, 0, 1e-5};
        const double drawn = world.contacts.shapes.point[k].gap - s.plastic;
        if (s.bond > 0) held += 0.5 * stiffness * (drawn * drawn + 0.5 * 1e-10);
    }
    const double before = world.ledger.dissipated.cohesion;
    world.bodies.position[trial.at(1)].x += 1;  // somebody takes it away
    trial.step();
    EXPECT_NEAR(world.ledger.dissipated.cohesion - before, held, 1e-9 * held);
    EXPECT_EQ(world.contacts.brokenBonds.size(), 1u);
}

}  // namespace
}  // namespace talus
