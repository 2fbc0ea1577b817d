// Joints in contact dynamics never give energy: chains of 2 to 100 links, of all kinds of joints, with ends lighter and
// heavier than the rest, at steps that follow their motion and at steps that cannot.
//
// Work of joints is force times the mean of the velocities before and after the step, which is just how much kinetic
// energy changes: the ledger's jointLoss is exact. With steps that follow the motion it swings by terms of second
// order, as the energy of any symplectic method does: limits are 2 % of the energy of the fall, fixed before a run was
// seen.
#include <gtest/gtest.h>

#include <algorithm>

#include "analytic/joint_world.hpp"
#include "step/time_step.hpp"

namespace talus {
namespace {

using namespace analytic;

constexpr double radius = 0.006, length = 0.02;  // m, of a sphere and of a link

struct Chain {
    int links = 5;
    double lastMass = 1;  // of the others'
    JointKind kind = JointKind::spherical;

    // Level, hung on the world at one end, in one line; links after the first are joined as `kind` says, in their
    // middle.
    WorldState world() const {
        WorldState world = machineWorld();
        world.materials.list.push_back(world.materials.list[0]);
        world.materials.list[1].density *= lastMass;
        world.materials.laws.resize(4, world.materials.laws[0]);
        for (int k = 0; k < links; ++k) {
            const double x = (k + 1) * length;
            const auto id = addBody(world, {.radius = radius,
                                            .position = {x, 0, 0},
                                            .material = static_cast<std::uint16_t>(k + 1 == links ? 1 : 0)});
            JointSettings joint{.name = "j", .kind = k == 0 ? JointKind::spherical : kind};
            const bool rod = joint.kind == JointKind::distance;
            joint.point = Vec3{k == 0 ? 0.0 : rod ? x : x - 0.5 * length, 0, 0};
            joint.axis = {0, 1, 0};
            addJoint(world, joint, id, k == 0 ? theWorld : id - 1);
        }
        for (int k = 0; k + 1 < links; ++k) ignorePair(world.ignoredPairs, k, k + 1);
        return world;
    }
    // J, of all hanging instead of level.
    double scale() const {
        double sum = 0;
        for (int k = 0; k < links; ++k) sum += massOf(radius) * (k + 1 == links ? lastMass : 1.0) * (k + 1) * length;
        return gravity * sum;
    }
};

struct Outcome {
    double given = 0, error = 0;  // J, m
    double turnover = 0;          // J
    bool isFinite = true;
};

Outcome fall(const Chain& chain, double dt, double time) {
    Trial trial = trialOf(chain.world(), Way::contactDynamics, dt);
    const EnergyBalance start = trial.energy();
    Outcome outcome;
    for (long left = std::lround(time / dt); left > 0; --left) {
        trial.step();
        outcome.given = std::max(outcome.given, -trial.world.ledger.jointLoss);
        outcome.error = std::max(outcome.error, worstError(trial.world));
    }
    for (const Vec3& x : trial.world.bodies.position) outcome.isFinite = outcome.isFinite && isFinite(x);
    outcome.turnover = turnover(start, trial.energy());
    return outcome;
}

TEST(JointedChain, NeverGetsEnergyFromItsJointsWhateverTheMassesAndTheStep) {
    for (const int links : {2, 5, 20}) {
        for (const double last : {1e-4, 1e-2, 1.0, 1e2, 1e4}) {
            for (const double dt : {3e-4, 1e-3, 5e-3, 2e-2}) {
                SCOPED_TRACE(testing::Message() << links << " links, last " << last << ", step " << dt);
                const Chain chain{.links = links, .lastMass = last};
                const Outcome outcome = fall(chain, dt, 0.4);
                EXPECT_TRUE(outcome.isFinite);
                EXPECT_LT(outcome.given, 0.02 * chain.scale());
                // A fortieth of what it is when steps follow the speed of the end.
                if (dt <= 1e-3) {
                    EXPECT_LT(outcome.error, 0.025 * length);
                }
            }
        }
    }
}

TEST(JointedChain, OfAHundredLinksWithAHeavyEndHoldsTogether) {
    const Chain chain{.links = 100, .lastMass = 1e4};
    const Outcome outcome = fall(chain, 1e-3, 0.3);
    EXPECT_LT(outcome.given, 0.02 * chain.scale());
    EXPECT_LT(outcome.error, 0.025 * length);
}

TEST(JointedChain, OfAnyKindOfJointGetsNoEnergyFromThem) {
    for (const JointKind kind : {JointKind::fixed, JointKind::spherical, JointKind::revolute, JointKind::prismatic,
                                 JointKind::cylindrical, JointKind::planar, JointKind::distance}) {
        for (const double last : {1e-4, 1.0, 1e4}) {
            for (const double dt : {1e-3, 5e-3}) {
                SCOPED_TRACE(testing::Message()
                             << "kind " << static_cast<int>(kind) << ", last " << last << ", step " << dt);
                const Outcome outcome = fall({.links = 4, .lastMass = last, .kind = kind}, dt, 0.3);
                EXPECT_TRUE(outcome.isFinite);
                EXPECT_LT(outcome.given, 0.02 * outcome.turnover);
            }
        }
    }
}

// The end of a chain whose last sphere is a hundred times as heavy, where the penalty method has it with a fine step. A
// step of contact dynamics is off by the way of half a step, and what that grows to in a quarter of a swing.
TEST(JointedChain, FallsAsInThePenaltyMethodAtTheAutomaticStep) {
    const Chain chain{.links = 4, .lastMass = 100};
    const double time = 0.12;
    Trial fine = trialOf(chain.world(), Way::penalty, 1e-5);
    fine.advance(time);
    const StepChoice choice = chooseRigidStep(chain.world(), time);
    Trial chosen = trialOf(chain.world(), Way::contactDynamics, choice.dt);
    chosen.advance(time);
    const double way = norm(fine.velocity(3)) * choice.dt;
    EXPECT_LT(norm(chosen.position(3) - fine.position(3)), 4 * way) << choice.reason;
    EXPECT_GE(chosen.world.ledger.jointLoss, -0.002 * chain.scale());
    EXPECT_LE(chosen.world.ledger.jointLoss, 0.02 * chain.scale());
}

// Half a step before and after the moment of a joint's force have opposite errors: nothing adds up.
TEST(JointedChain, KeepsItsEnergyOverManySwingsAtStepsThatFollowIt) {
    const Chain chain{.links = 5};
    const Outcome outcome = fall(chain, 2e-4, 4);
    EXPECT_LT(outcome.given, 0.005 * chain.scale());
}

}  // namespace
}  // namespace talus
