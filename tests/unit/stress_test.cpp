#include "measure/stress.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "measure/wall_force.hpp"
#include "unit/touching_world.hpp"

namespace talus {
namespace {

using test::addFloor;
using test::addLattice;
using test::addSphere;
using test::findContacts;
using test::Lattice;
using test::makeWorld;

// Spheres of radius 1 with overlaps 0.01, 0.02, 0.03 along x, y, z: forces 10, 20, 30 N at 1000 N/m.
const Lattice squeezed{.spacing = {1.99, 1.98, 1.97}};

WorldState squeezedWorld() {
    WorldState world = makeWorld();
    addLattice(world, squeezed);
    findContacts(world);
    return world;
}

void expectNear(const Mat3& a, const Mat3& b, double tolerance) {
    for (int k = 0; k < 9; ++k) EXPECT_NEAR(a.m[k], b.m[k], tolerance) << "element " << k;
}

Mat3 diagonal(double x, double y, double z) { return {{x, 0, 0, 0, y, 0, 0, 0, z}}; }

// Force per cross-section of a column of the lattice.
Mat3 squeezedStress() { return diagonal(10 / (1.98 * 1.97), 20 / (1.99 * 1.97), 30 / (1.99 * 1.98)); }

TEST(Stress, OfASqueezedLatticeIsTheForcePerCrossSection) {
    const WorldState world = squeezedWorld();
    const auto samples = sampleContacts(world);
    ASSERT_EQ(samples.size(), 3u * 64);
    const Vec3 edge = squeezed.edge();
    expectNear(measureStress(world, samples, edge.x * edge.y * edge.z), squeezedStress(), 1e-10);
}

TEST(Stress, OfARegionThatCutsGrainsAnywhereAcrossTheForceLinesIsTheSame) {
    const WorldState world = squeezedWorld();
    const auto samples = sampleContacts(world);
    const Vec3 edge = squeezed.edge();
    // Whole cells in y and z, any cut in x: each column of grains carries its force all along.
    const MeasureBox region{"slab", {0.37, 0, 0}, {4.91, edge.y, edge.z}};
    EXPECT_NEAR(measureStress(world, samples, region)(0, 0), squeezedStress()(0, 0), 1e-10);
    const MeasureBox column{"column", {0.1, 0, 0.123}, {0.1 + squeezed.spacing.x, squeezed.spacing.y, 3.21}};
    EXPECT_NEAR(measureStress(world, samples, column)(2, 2), squeezedStress()(2, 2), 1e-10);
}

TEST(Stress, OfARegionAcrossAPeriodicBorderSeesTheImages) {
    const WorldState world = squeezedWorld();
    const Vec3 edge = squeezed.edge();
    const MeasureBox region{"border", {-0.5, -1, -2}, {edge.x - 0.5, edge.y - 1, edge.z - 2}};
    expectNear(measureStress(world, sampleContacts(world), region), squeezedStress(), 1e-10);
}

TEST(Stress, OfRegionsThatFillTheSceneAddsUpToTheWhole) {
    WorldState world = makeWorld();
    world.domain = {.low = {0, 0, 0}, .high = {8, 8, 8}, .periodic = {true, false, true}};
    Random random(5, 1);
    for (int k = 0; k < 60; ++k) addSphere(world, random.inBox({0, 0, 0}, {8, 8, 8}), random.uniform(0.5, 1.2));
    findContacts(world);
    const auto samples = sampleContacts(world);
    ASSERT_GT(samples.size(), 50u);
    Mat3 sum;
    for (const double y : {0.0, 3.3}) {
        for (const double x : {0.0, 2.5, 6.1}) {
            const MeasureBox part{"", {x, y, 0}, {x == 0 ? 2.5 : x == 2.5 ? 6.1 : 8.0, y == 0 ? 3.3 : 8.0, 8}};
            Mat3 stress = measureStress(world, samples, part);
            stress *= volumeOf(part);
            sum += stress;
        }
    }
    Mat3 all = measureStress(world, samples, 1.0);
    expectNear(sum, all, 1e-9 * std::abs(trace(all)));
}

TEST(Stress, OfGrainsWeightedByTheirVolumesAddsUpToThatOfTheContacts) {
    WorldState world = makeWorld();
    Random random(6, 1);
    for (int k = 0; k < 40; ++k) addSphere(world, random.inBox({0, 0, 0}, {5, 5, 5}), random.uniform(0.5, 1.2));
    addFloor(world, 0.2);
    findContacts(world);
    for (TangentSpring& spring : world.contacts.springs().tangent) spring.stretch = 1e-3 * random.inBox({}, {1, 1, 1});
    const auto samples = sampleContacts(world);
    const std::vector<Mat3> grains = particleStress(world, samples);
    Mat3 sum;
    for (std::size_t i = 0; i < grains.size(); ++i) {
        Mat3 weighted = grains[i];
        weighted *= massProperties(SphereShape{}, world.bodies.radius[i]).volume;
        sum += weighted;
    }
    const Mat3 all = measureStress(world, samples, 1.0);
    expectNear(sum, all, 1e-10 * std::abs(trace(all)));
}

TEST(Stress, OfATangentialForceIsAShearStressOfThatSign) {
    WorldState world = makeWorld();
    addSphere(world, {0, 0, 0}, 1);
    addSphere(world, {0, 0, 1.99}, 1);
    findContacts(world);
    // The owner (lower sphere) was dragged along +x by 2 mm: the spring, 2/7 k, pulls it back; 10 N normal load.
    world.contacts.springs().tangent[0].stretch = {0.002, 0, 0};
    const auto samples = sampleContacts(world);
    const double pull = 2.0 / 7 * 1000 * 0.002;
    const Mat3 stress = measureStress(world, samples, 2.0);
    EXPECT_NEAR(stress(2, 2), 10 * 1.99 / 2, 1e-10);
    EXPECT_NEAR(stress(0, 2), pull * 1.99 / 2, 1e-10);
    EXPECT_NEAR(stress(2, 0), 0, 1e-12);
    const Mat3 inRegion = measureStress(world, samples, MeasureBox{"", {-1, -1, -1}, {1, 1, 3}});
    EXPECT_NEAR(inRegion(0, 2), pull * 1.99 / 16, 1e-10);
    EXPECT_NEAR(inRegion(2, 0), 0, 1e-12);
}

TEST(Stress, UnderAFloorIsTheWallForcePerArea) {
    WorldState world = makeWorld();
    addLattice(world, {.count = {3, 3, 3}, .spacing = {2.5, 2.5, 1.99}, .periodic = {true, true, false}});
    const std::uint32_t floor = addFloor(world, 0.995 - 0.99);  // same overlap as between grains: 10 N
    findContacts(world);
    const auto samples = sampleContacts(world);
    const auto loads = measureBodyLoads(world, samples);
    ASSERT_EQ(loads.size(), 1u);
    EXPECT_EQ(loads[0].id, floor);
    EXPECT_EQ(loads[0].contacts, 9u);
    EXPECT_NEAR(loads[0].force.z, -90, 1e-9);
    const MeasureBox layer{"", {0, 0, 0.3}, {7.5, 7.5, 3.1}};
    EXPECT_NEAR(measureStress(world, samples, layer)(2, 2), -loads[0].force.z / (7.5 * 7.5), 1e-10);
}

TEST(Stress, OfAGasOfGrainsIsTheMomentumTheyCarry) {
    WorldState world = makeWorld();
    const std::uint32_t a = addSphere(world, {1, 1, 1}, 0.1), b = addSphere(world, {3, 1, 1}, 0.1);
    world.bodies.velocity[indexOf(world.bodies, a)] = {5 + 2, 1, 0};
    world.bodies.velocity[indexOf(world.bodies, b)] = {5 - 2, 1, 0};
    findContacts(world);
    const double mass = 1 / world.bodies.inverseMass[0];
    const MeasureBox region{"", {0, 0, 0}, {4, 2, 2}};
    const Mat3 kinetic = measureStress(world, {}, region, StressParts::contactsAndKinetic);
    expectNear(kinetic, diagonal(2 * mass * 4 / 16, 0, 0), 1e-10);
    expectNear(measureStress(world, {}, region), {}, 0);
}

TEST(Stress, OfAPlanarSceneTakesTheRegionsEdgeAsThickness) {
    WorldState world = makeWorld();
    addLattice(world, {.count = {4, 4, 1}, .spacing = {1.99, 1.98, 2.5}});
    world.domain.periodic = {true, true, false};
    world.linearFreedom = {1, 1, 0};
    findContacts(world);
    const auto samples = sampleContacts(world);
    // The grains' plane z = 1.25 is outside the region on purpose: only its thickness of 0.5 counts.
    const MeasureBox region{"", {0, 0, 7}, {4 * 1.99, 4 * 1.98, 7.5}};
    const Mat3 stress = measureStress(world, samples, region);
    const double xx = 10 / (1.98 * 0.5), yy = 20 / (1.99 * 0.5);
    expectNear(stress, diagonal(xx, yy, 0), 1e-9);
    EXPECT_NEAR(pressureOf(stress, planarAxis(world)), 0.5 * (xx + yy), 1e-9);
    EXPECT_NEAR(deviatorOf(stress, planarAxis(world)), 0.5 * (yy - xx), 1e-9);
}

TEST(Tensor, DeviatorOfATriaxialStressIsTheDifferenceOfItsPrincipalValues) {
    EXPECT_NEAR(deviatorOf(diagonal(100, 100, 350)), 250, 1e-12);
    EXPECT_NEAR(deviatorOf(diagonal(7, 7, 7)), 0, 1e-12);
}

TEST(WallForce, OnFixedGrainsAndWallsBalancesThatOnTheFreeOnes) {
    WorldState world = makeWorld();
    world.groupNames = {"grains", "floor", "posts"};
    Random random(9, 1);
    for (int k = 0; k < 30; ++k) addSphere(world, random.inBox({0, 0, 0}, {4, 4, 4}), random.uniform(0.5, 1.0));
    for (int k = 0; k < 5; ++k) {
        addBody(world, {.radius = 0.8, .position = random.inBox({0, 0, 0}, {4, 4, 4}), .group = 2, .fixed = true});
    }
    addFloor(world, 0.3, 1);
    findContacts(world);
    const auto samples = sampleContacts(world);
    Vec3 onFree, torqueOnFree;  // torque about the origin
    for (const ContactSample& s : samples) {
        for (const auto& [body, force] : {std::pair{s.owner, s.force}, std::pair{s.partner, -s.force}}) {
            if (world.bodies.inverseMass[body] == 0) continue;
            onFree += force;
            torqueOnFree += cross(s.point, force);
        }
    }
    EXPECT_EQ(findFixedGroups(world), (std::vector<std::uint16_t>{1, 2}));
    const auto groups = sumLoads(measureBodyLoads(world, samples), {1, 2});
    ASSERT_EQ(groups.size(), 2u);
    EXPECT_EQ(groups[1].bodies, 5u);
    Vec3 force, torque;
    for (const GroupLoad& g : groups) {
        force += g.force;
        torque += g.torque + cross(g.position, g.force);
    }
    EXPECT_GT(norm(groups[0].force), 1.0);
    EXPECT_GT(norm(groups[1].force), 1.0);
    EXPECT_NEAR(norm(force + onFree), 0, 1e-9 * norm(force));
    EXPECT_NEAR(norm(torque + torqueOnFree), 0, 1e-9 * norm(torqueOnFree));
}

TEST(WallForce, OnAFixedGrainAcrossAPeriodicBorderHasALeverOfItsRadius) {
    WorldState world = makeWorld();
    world.domain = {.low = {0, 0, 0}, .high = {10, 10, 10}, .periodic = {true, false, false}};
    addSphere(world, {0.5, 5, 5}, 1);
    addSphere(world, {8.6, 5, 5}, 1, true);  // distance 1.9 through the border
    findContacts(world);
    world.contacts.springs().tangent.at(0).stretch = {0, 0.01, 0};
    const auto loads = measureBodyLoads(world, sampleContacts(world));
    ASSERT_EQ(loads.size(), 1u);
    const double friction = 2.0 / 7 * 1000 * 0.01;
    EXPECT_NEAR(loads[0].force.x, -100, 1e-9);
    EXPECT_NEAR(loads[0].force.y, friction, 1e-9);
    EXPECT_NEAR(loads[0].torque.z, 0.95 * friction, 1e-9);
}

}  // namespace
}  // namespace talus
