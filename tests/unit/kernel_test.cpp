// The inner loops against the law itself: every variant this machine runs gives the bits of one contact at a time.
#include <gtest/gtest.h>

#include "regression/settling_world.hpp"
#include "step/forces/contact_forces.hpp"
#include "step/step.hpp"

namespace talus {
namespace {

struct Result {
    std::vector<Vec3> force, torque;
    std::vector<TangentSpring> tangent;
    std::vector<RollingSpring> rolling;
    DissipatedEnergy dissipated;
    std::vector<std::uint8_t> touched;
    BlockRoom room;
    std::vector<double> rates;
};

// Grains of two materials in the middle of their collisions.
WorldState makeCollidingWorld(const LawKinds& kinds, bool periodic) {
    WorldState world = test::makeFallingGrains({.perEdge = 8, .speed = 1, .kinds = kinds, .walls = !periodic});
    world.materials.list.push_back(world.materials.list.front());
    PairLaw soft = world.materials.laws.front(), mixed = soft;
    soft.modulus *= 0.5, soft.shearModulus *= 0.4, soft.friction = 0.1, soft.stiffnessPerRadius *= 0.5;
    mixed.dampingRatio *= 1.5, mixed.friction = 0.25, mixed.tangentialDamping = 0;
    world.materials.laws = {world.materials.laws.front(), mixed, mixed, soft};
    for (std::size_t i = 0; i < world.bodies.grainCount; i += 3) world.bodies.material[i] = 1;
    const double edge = 8 * 2.02e-3;
    if (periodic) world.domain = {.low = {}, .high = {edge, edge, edge}, .periodic = {true, true, true}};
    const StepSettings settings{.dt = 1e-5};
    StepWorkspace workspace;
    prepareStep(world, settings, workspace);
    for (int k = 0; k < 150; ++k) stepPenalty(world, settings, workspace);
    return world;
}

GrainForceTask makeTask(WorldState& world, Result& result) {
    const Bodies& b = world.bodies;
    result = {std::vector<Vec3>(b.grainCount),
              std::vector<Vec3>(b.grainCount),
              world.contacts.springs().tangent,
              world.contacts.springs().rolling,
              {}};
    GrainForceTask task;
    task.kinds = world.materials.kinds;
    task.tally = true;
    task.bodies = view(b);
    task.laws = world.materials.laws.data();
    task.materials = world.materials.list.size();
    task.period = world.domain.period();
    task.dt = 1e-5;
    task.end = static_cast<std::uint32_t>(b.grainCount);
    task.rowStart = world.contacts.grains.rowStart.data();
    const GrainCandidates& list = world.contacts.grains;
    task.partner = list.partner.data();  // one block: nothing stands elsewhere
    task.tangent = result.tangent.data();
    task.rolling = result.rolling.empty() ? nullptr : result.rolling.data();
    result.touched.assign(list.partner.size() / packLanes + 1, 0);
    for (std::size_t k = 0; k < list.partner.size(); ++k) {
        const unsigned touched = result.tangent[k].contactRadius > 0;
        result.touched[k / packLanes] |= static_cast<std::uint8_t>(touched << k % packLanes);
    }
    task.touched = result.touched.data();
    result.room.resize(b.grainCount);
    task.places = result.room.places.data();
    task.states = result.room.states.data();
    task.material = result.room.materials.data();
    task.sums = result.room.sums.data();
    task.force = result.force.data();
    task.torque = result.torque.data();
    result.rates.resize(b.grainCount);
    task.rates = result.rates.data();
    return task;
}

// The same as the inner loop, in the plainest way.
Result evaluateOneByOne(WorldState& world, int& touching) {
    Result result;
    GrainForceTask task = makeTask(world, result);
    Tally tally;
    for (std::uint32_t i = 0; i < task.end; ++i) {
        for (std::uint32_t k = task.rowStart[i]; k < task.rowStart[i + 1]; ++k) {
            const std::uint32_t j = world.contacts.grains.partner[k];
            const GrainMotion owner = motionOf(task.bodies, i), partner = motionOf(task.bodies, j);
            const PairLaw& law = world.materials.between(task.bodies.material[i], task.bodies.material[j]);
            const Vec3 separation = nearestImage(owner.position - partner.position, task.period);
            const double radii = owner.radius + partner.radius, radius = owner.radius * partner.radius / radii;
            RollingSpring* rolling = task.rolling == nullptr ? nullptr : task.rolling + k;
            LeverArms arms;
            PairGeometry g = grainGeometry(task.kinds, owner, partner, separation, task.dt, arms);
            g.dashpotShare = dashpotShare(task.bodies, i, j);
            ContactForce f;
            if (isTouching(task.kinds, law, radii - norm(separation), radius, task.tangent[k])) {
                f = evaluate(task.kinds, law, g, task.dt, task.tangent[k], rolling, tally);
            } else if (task.tangent[k].contactRadius > 0) {
                release(task.kinds, law, radius, task.tangent[k], rolling, tally);
                f.force = partingForce(task.kinds, law, g, task.dt) * g.normal;
            } else {
                continue;
            }
            task.force[i] += f.force;
            task.force[j] -= f.force;
            task.torque[i] += arms.owner * cross(f.force, g.normal) + f.couple;
            task.torque[j] += arms.partner * cross(f.force, g.normal) - f.couple;
            ++touching;
        }
    }
    result.dissipated = tally.sum;
    return result;
}

void expectEqual(const Result& a, const Result& b) {
    EXPECT_EQ(a.force, b.force);
    EXPECT_EQ(a.torque, b.torque);
    ASSERT_EQ(a.tangent.size(), b.tangent.size());
    for (std::size_t k = 0; k < a.tangent.size(); ++k) {
        EXPECT_EQ(a.tangent[k].stretch, b.tangent[k].stretch) << k;
        EXPECT_EQ(a.tangent[k].contactRadius, b.tangent[k].contactRadius) << k;
    }
    for (std::size_t k = 0; k < a.rolling.size(); ++k) EXPECT_EQ(a.rolling[k].turn, b.rolling[k].turn) << k;
    // Heat is summed in another order.
    EXPECT_NEAR(a.dissipated.total(), b.dissipated.total(), 1e-12 * b.dissipated.total());
}

void expectBitsOfTheLaw(const LawKinds& kinds) {
    for (const bool periodic : {false, true}) {
        WorldState world = makeCollidingWorld(kinds, periodic);
        int touching = 0;
        const Result wanted = evaluateOneByOne(world, touching);
        EXPECT_GT(touching, 40);
        for (const GrainForceVariant& variant : runnableGrainForceVariants()) {
            SCOPED_TRACE(variant.name);
            for (const Dashpots dashpots : {Dashpots::limited, Dashpots::free}) {
                Result result;
                GrainForceTask task = makeTask(world, result);
                task.dashpots = dashpots;
                variant.run(task);
                result.dissipated = task.dissipated;
                expectEqual(result, wanted);
            }
        }
    }
}

TEST(InnerLoops, GiveTheBitsOfTheLawForHertzAndHookeWithAndWithoutFriction) {
    for (const NormalLaw normal : {NormalLaw::hertz, NormalLaw::hooke}) {
        for (const TangentialLaw tangential : {TangentialLaw::mindlin, TangentialLaw::none}) {
            expectBitsOfTheLaw({.normal = normal, .tangential = tangential});
        }
    }
}

TEST(InnerLoops, GiveTheBitsOfTheLawForRollingAndCohesion) {
    expectBitsOfTheLaw({.rolling = RollingLaw::spring, .cohesion = CohesionLaw::jkr});
    expectBitsOfTheLaw({.rolling = RollingLaw::constant, .cohesion = CohesionLaw::dmt});
    expectBitsOfTheLaw({.normal = NormalLaw::hooke, .rolling = RollingLaw::spring, .cohesion = CohesionLaw::constant});
}

// Grains of other blocks get the sum of what each block does to them: the same forces in another order.
TEST(BlocksOfRows, GiveTheForcesOfTheLawToRoundOff) {
    WorldState world = makeCollidingWorld({}, true);
    int touching = 0;
    const Result wanted = evaluateOneByOne(world, touching);
    ForceWorkspace workspace;
    planForces(world, workspace);
    EXPECT_GT(workspace.other.size(), 100u);  // else there would be little to add
    computeContactForces(world, 1e-5, Ledger::on, workspace);
    double largest = 0;
    for (const Vec3& force : wanted.force) largest = std::max(largest, norm(force));
    for (std::size_t i = 0; i < wanted.force.size(); ++i) {
        EXPECT_LT(norm(world.bodies.force[i] - wanted.force[i]), 1e-14 * largest) << i;
        EXPECT_LT(norm(world.bodies.torque[i] - wanted.torque[i]), 1e-14 * largest * 1e-3) << i;
    }
    for (std::size_t k = 0; k < wanted.tangent.size(); ++k) {
        EXPECT_EQ(world.contacts.springs().tangent[k].stretch, wanted.tangent[k].stretch) << k;
    }
}

// What the two ends of a contact get cancels, so forces sum to nothing but round-off.
TEST(InnerLoops, ActAndReactAlike) {
    WorldState world = makeCollidingWorld({}, true);
    Result result;
    GrainForceTask task = makeTask(world, result);
    runnableGrainForceVariants().back().run(task);
    Vec3 sum;
    double size = 0;
    for (const Vec3& force : result.force) sum += force, size += norm(force);
    EXPECT_GT(size, 0);
    EXPECT_LT(norm(sum), 1e-14 * size);
}

}  // namespace
}  // namespace talus
