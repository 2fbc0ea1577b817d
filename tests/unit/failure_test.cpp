#include "measure/failure.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "measure/overlap.hpp"
#include "unit/touching_world.hpp"

namespace talus {
namespace {

using test::addFloor;
using test::addLattice;
using test::addSphere;
using test::findContacts;
using test::makeWorld;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double anyOverlap = 10;
constexpr double infinity = std::numeric_limits<double>::infinity();

WorldState healthyWorld() {
    WorldState world = makeWorld();
    addLattice(world, {.spacing = {1.99, 1.99, 1.99}, .periodic = {true, false, false}});
    findContacts(world);
    world.time = 0.5;
    world.step = 1000;
    return world;
}

void expectWords(const std::optional<std::string>& message, const std::vector<std::string>& words) {
    ASSERT_TRUE(message.has_value());
    for (const std::string& word : words) EXPECT_NE(message->find(word), std::string::npos) << *message;
}

TEST(Trouble, IsNotFoundInAHealthyPacking) { EXPECT_FALSE(findTrouble(healthyWorld(), 0.1).has_value()); }

TEST(Trouble, IsANumberThatIsNone) {
    WorldState world = healthyWorld();
    world.bodies.velocity[7].y = nan;
    expectWords(findTrouble(world, 0.1),
                {"body 7", "'grains'", "velocity", "nan", "t = 0.5 s", "run.step (now 0.0005 s"});
    world.bodies.force[3].x = infinity;
    expectWords(findTrouble(world, 0.1), {"body 3", "force", "inf"});
    world.bodies.position[2] = {nan, nan, nan};
    expectWords(findTrouble(world, 0.1), {"body 2", "position"});
}

TEST(Trouble, NamesTheLowestIdHoweverBodiesAreSorted) {
    WorldState world = healthyWorld();
    world.bodies.spin[7].y = nan;
    world.bodies.spin[50].y = nan;
    visitArrays([](auto& array) { std::swap(array[7], array[60]); }, world.bodies);
    expectWords(findTrouble(world, 0.1), {"body 7", "spin"});
}

TEST(Trouble, IsAGrainOutsideTheDomainButNotAcrossAPeriodicBorder) {
    WorldState world = healthyWorld();
    world.bodies.position[5].x = -0.01;
    EXPECT_FALSE(findTrouble(world, anyOverlap).has_value());
    world.bodies.position[5].z = 8.5;
    world.bodies.velocity[5] = {0, 0, 77};
    expectWords(findTrouble(world, anyOverlap), {"body 5", "left the domain", "8.5", "77", "sink"});
}

TEST(Trouble, IsAnOverlapAboveTheLimit) {
    WorldState world = makeWorld();
    world.groupNames = {"grains", "floor"};
    addSphere(world, {0, 0, 0}, 1);
    addSphere(world, {1.4, 0, 0}, 0.5);  // overlap 0.1 is 0.2 of the smaller radius
    addSphere(world, {0, 0, 1.9}, 1);    // 0.1
    findContacts(world);
    EXPECT_NEAR(findDeepestOverlap(world).fraction, 0.2, 1e-12);
    EXPECT_FALSE(findTrouble(world, 0.21).has_value());
    expectWords(findTrouble(world, 0.19), {"body 0", "body 1", "0.2", "0.19", "stiffer"});
    addFloor(world, -0.6, 1);  // 0.4 of the radius
    findContacts(world);
    expectWords(findTrouble(world, 0.3), {"body 0", "'floor'", "0.4"});
}

TEST(Trouble, IsNotLookedForInContactListsOfOtherBodies) {
    WorldState world = healthyWorld();
    ASSERT_TRUE(findTrouble(world, 0.0).has_value());
    // As many come as go: the lists still have the right size, but name other bodies.
    std::vector<char> remove(64, 0);
    remove[10] = 1;
    removeGrains(world, remove);
    addSphere(world, {1, 1, 1}, 1);
    EXPECT_FALSE(findTrouble(world, 0.0).has_value());
    EXPECT_TRUE(sampleContacts(world).empty());
}

}  // namespace
}  // namespace talus
