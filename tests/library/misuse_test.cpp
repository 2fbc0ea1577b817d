// What cannot be is refused with words that help, and the world is as it was.
#include <gtest/gtest.h>

#include <limits>

#include "sample_worlds.hpp"

namespace talus {
namespace {

// What the action is refused with.
template <class Action>
std::string refusal(Action&& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

#define EXPECT_REFUSED(action, words) \
    EXPECT_NE(refusal([&] { action; }).find(words), std::string::npos) << refusal([&] { action; })

TEST(Misuse, UnknownAndRemovedBodiesAreTold) {
    BallWorld w;
    EXPECT_REFUSED(w.world.position({77}), "there is no body 77: 2 were made so far");
    EXPECT_REFUSED(w.world.setVelocity(theWorldItself, {}), "the world itself is no body");
    w.world.remove(w.ball);
    EXPECT_REFUSED(w.world.velocity(w.ball), "is gone");
    EXPECT_REFUSED(w.world.remove(w.ball), "remove: body 1 is gone");
    EXPECT_REFUSED(w.world.removeGroup("stones"), "no body of the group");
}

TEST(Misuse, NumbersOutOfRangeAreToldWithTheirRange) {
    BallWorld w;
    const std::size_t bodies = w.world.bodyCount();
    EXPECT_REFUSED(w.world.addBody(Sphere{-0.01}, {.material = w.glass}), "addBody.radius: must be");
    EXPECT_REFUSED(w.world.addBody(Box{{0.1, 0.1, 0}}, {.material = w.glass}), "addBody.size[2]: must be");
    EXPECT_REFUSED(w.world.addBody(Box{{0.1, 0.1, 0.1}, 0.06}, {.material = w.glass}), "rounding");
    EXPECT_REFUSED(w.world.addWall(Plane{.normal = {0, 0, 0}}, {.material = w.glass}), "normal");
    EXPECT_REFUSED(w.world.addMaterial({.density = -1}), "addMaterial.density: must be");
    EXPECT_REFUSED(w.world.addMaterial({.friction = -0.1}), "addMaterial.friction: must be");
    EXPECT_REFUSED(w.world.setPair(w.glass, w.glass, {.friction = -0.1}), "setPair.friction: must be");
    EXPECT_REFUSED(w.world.setVelocity(w.ball, {std::numeric_limits<double>::quiet_NaN(), 0, 0}), "must be finite");
    EXPECT_REFUSED(w.world.setOrientation(w.ball, {0, 0, 0, 0}), "must not be zero");
    EXPECT_REFUSED(Stepper(Penalty{.step = -1}), "must be > 0 s");
    EXPECT_REFUSED(Stepper(ContactDynamics{.tolerance = -1}), "tolerance");
    EXPECT_EQ(w.world.bodyCount(), bodies);
}

TEST(Misuse, MaterialsMustBeThere) {
    World world;
    EXPECT_REFUSED(world.addBody(Sphere{1}), "there is no material yet; call addMaterial() first");
    world.addMaterial({.name = "glass"});
    EXPECT_REFUSED(world.addBody(Sphere{1}, {.material = {3}}), "there is no material 3");
    EXPECT_REFUSED(world.addMaterial({.name = "glass"}), "there is a material \"glass\" already");
}

TEST(Misuse, BodiesThatAreHeldHaveNoVelocityOfTheirOwn) {
    BallWorld w;
    EXPECT_REFUSED(w.world.setVelocity(w.floor, {1, 0, 0}), "use setMotion()");
    EXPECT_REFUSED(w.world.addBody(Sphere{1}, {.velocity = {1, 0, 0}, .material = w.glass, .fixed = true}),
                   "a fixed body has no velocity of its own");
    EXPECT_REFUSED(w.world.release(w.floor), "a wall has no mass");
}

TEST(Misuse, APlanarWorldHasFlatBodies) {
    World world({.planar = Planar::xz});
    world.addMaterial();
    EXPECT_REFUSED(world.addBody(Box{{1, 1, 1}}), "a planar scene has spheres, discs");
    const BodyId disc = world.addBody(Disc{0.1});
    EXPECT_REFUSED(world.setVelocity(disc, {0, 1, 0}), "leaves the plane");
}

TEST(Misuse, NamesAreUnique) {
    BallWorld w;
    const BodyId one = w.world.addBody(Sphere{0.01}, {.position = {1, 0, 1}, .material = w.glass, .name = "one"});
    EXPECT_EQ(w.world.find("one"), one);
    EXPECT_REFUSED(w.world.addBody(Sphere{0.01}, {.position = {2, 0, 1}, .material = w.glass, .name = "one"}),
                   "is the name of body");
    w.world.remove(one);
    EXPECT_EQ(w.world.find("one"), std::nullopt);
}

TEST(Misuse, JointsNeedTwoBodiesOfWhichOneMoves) {
    BallWorld w;
    const JointSettings hinge{.kind = JointKind::revolute, .point = Vec3{}};
    EXPECT_REFUSED(w.world.addJoint(w.ball, w.ball, hinge), "cannot be joined to itself");
    EXPECT_REFUSED(w.world.addJoint(w.floor, theWorldItself, hinge), "nothing to join");
    EXPECT_REFUSED(w.world.addJoint(w.ball, theWorldItself, {.kind = JointKind::revolute}), "'point' is missing");
    const JointId joint = w.world.addJoint(w.ball, theWorldItself, hinge);
    EXPECT_REFUSED(w.world.setMotorTarget(joint, 1), "has no drive");
    EXPECT_REFUSED(w.world.setMotorTarget({5}, 1), "there is no joint 5");
    EXPECT_REFUSED(w.world.remove(w.ball), "is held by the joint");
}

TEST(Misuse, AFillThatDoesNotFitLeavesNothingBehind) {
    BallWorld w;
    const std::uint64_t before = w.world.stateHash();
    EXPECT_REFUSED(
        w.world.fill({.region = BoxRegion{{0, 0, 0}, {0.01, 0.01, 0.01}}, .radius = SingleSize{4e-3}, .count = 100},
                     {.material = w.glass}),
        "fill: only");
    EXPECT_EQ(w.world.stateHash(), before);
}

TEST(Misuse, AWorldThatOverlapsCannotStart) {
    BallWorld w;
    w.world.addBody(Sphere{5e-3}, {.position = {0, 0, 0.021}, .material = w.glass});
    Stepper stepper(Penalty{.step = 1e-6});
    EXPECT_REFUSED(stepper.step(w.world), "the world cannot start like this");
}

TEST(Misuse, ElasticContactsNeedALinearLaw) {
    BallWorld w;
    Stepper stepper(QuasiStatic{.step = 0.1});
    EXPECT_REFUSED(stepper.step(w.world), "NormalLaw::hooke");
}

TEST(Misuse, AnEmptySnapshotIsRefused) {
    BallWorld w;
    EXPECT_REFUSED(w.world.restore({}), "the snapshot is empty");
}

}  // namespace
}  // namespace talus
