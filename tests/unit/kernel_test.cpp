// The inner loops against the law itself: every variant this machine runs gives the bits of one contact at a time.
#include <gtest/gtest.h>

#include "regression/settling_world.hpp"
#include "step/forces/grain_forces.hpp"
#include "step/step.hpp"

namespace talus {
namespace {

struct Result {
    std::vector<Vec3> force, torque;
    std::vector<TangentSpring> tangent;
    std::vector<RollingSpring> rolling;
    DissipatedEnergy dissipated;
    std::vector<std::uint32_t> owner, slot;  // of each candidate; one block, so no slots
    std::vector<double> radii;
    std::vector<std::uint8_t> touched;
    std::vector<Wrench> sums;
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
    result.slot.assign(list.partner.size(), noSlot);
    result.owner.clear();
    for (std::uint32_t i = 0; i < task.end; ++i) {
        for (std::uint32_t k = list.rowStart[i]; k < list.rowStart[i + 1]; ++k) {
            result.owner.push_back(i);
            result.radii.push_back(b.radius[i] + b.radius[list.partner[k]]);
        }
    }
    task.owner = result.owner.data();
    task.partner = list.partner.data();
    task.slot = result.slot.data();
    task.radii = result.radii.data();
    task.tangent = result.tangent.data();
    task.rolling = result.rolling.empty() ? nullptr : result.rolling.data();
    result.touched.assign(list.partner.size() / packLanes + 1, 0);
    for (std::size_t k = 0; k < list.partner.size(); ++k) {
        const unsigned touched = result.tangent[k].contactRadius > 0;
        result.touched[k / packLanes] |= static_cast<std::uint8_t>(touched << k % packLanes);
    }
    task.touched = result.touched.data();
    result.sums.resize(b.grainCount);
    task.sums = result.sums.data();
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
            const std::uint32_t j = task.partner[k];
            const GrainMotion<double> owner = motionOf(task.bodies, i), partner = motionOf(task.bodies, j);
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
