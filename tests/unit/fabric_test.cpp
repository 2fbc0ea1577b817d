#include "measure/fabric.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "unit/touching_world.hpp"

namespace talus {
namespace {

using test::addLattice;
using test::addSphere;
using test::findContacts;
using test::makeWorld;

WorldState fccWorld() {
    WorldState world = makeWorld();
    const double cell = 2.8;  // neighbours at cell/sqrt(2) = 1.98
    const Vec3 basis[] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    for (int k = 0; k < 27; ++k) {
        const Vec3 corner{k % 3 * 1.0, k / 3 % 3 * 1.0, k / 9 * 1.0};
        for (const Vec3& place : basis) addSphere(world, cell * (corner + place + Vec3{0.1, 0.1, 0.1}), 1);
    }
    world.domain = {.low = {}, .high = {3 * cell, 3 * cell, 3 * cell}, .periodic = {true, true, true}};
    findContacts(world);
    return world;
}

TEST(Fabric, OfAFaceCentredLatticeIsIsotropic) {
    const WorldState world = fccWorld();
    const Fabric fabric = measureFabric(world, sampleContacts(world));
    EXPECT_EQ(fabric.contacts, 27u * 4 * 6);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(fabric.tensor(i, j), i == j ? 1.0 / 3 : 0.0, 1e-13);
    }
    EXPECT_NEAR(fabric.anisotropy, 0, 1e-12);
}

TEST(Fabric, OfALatticeTouchingAlongOneAxisPointsAlongIt) {
    WorldState world = makeWorld();
    addLattice(world, {.spacing = {2.2, 1.99, 2.2}});
    findContacts(world);
    const Fabric fabric = measureFabric(world, sampleContacts(world));
    EXPECT_NEAR(fabric.tensor(1, 1), 1, 1e-14);
    EXPECT_NEAR(fabric.deviator, 1, 1e-14);
}

TEST(Fabric, OfNoContactsIsZero) {
    const WorldState world = makeWorld();
    const Fabric fabric = measureFabric(world, {});
    EXPECT_EQ(fabric.contacts, 0u);
    EXPECT_EQ(fabric.tensor, Mat3{});
    EXPECT_EQ(fabric.anisotropy, 0);
}

TEST(Fabric, InARegionCountsTheContactPointsInside) {
    WorldState world = makeWorld();
    addSphere(world, {0, 0, 0}, 1);
    addSphere(world, {1.9, 0, 0}, 1);    // contact at x = 0.95
    addSphere(world, {1.9, 1.9, 0}, 1);  // contact at y = 0.95
    findContacts(world);
    const auto samples = sampleContacts(world);
    ASSERT_EQ(samples.size(), 2u);
    const Fabric fabric = measureFabric(world, samples, {"", {0.5, -0.5, -1}, {1.5, 0.5, 1}});
    EXPECT_EQ(fabric.contacts, 1u);
    EXPECT_NEAR(fabric.tensor(0, 0), 1, 1e-14);
}

// Random directions with density (1 + a P(n)) by rejection; 2e5 of them leave an error of about 0.01.
template <class Draw, class Weight>
std::vector<ContactSample> directions(double anisotropy, Draw&& draw, Weight&& weight) {
    Random random(3, 1);
    std::vector<ContactSample> samples;
    while (samples.size() < 200000) {
        const Vec3 n = draw(random);
        if (random.uniform(0, 1 + anisotropy) > 1 + anisotropy * weight(n)) continue;
        samples.push_back({.normal = n});
    }
    return samples;
}

TEST(Fabric, GivesBackTheAnisotropyOfAKnownDistribution) {
    // a = size * diag(-1/3, -1/3, 2/3) has sqrt(3/2 a:a) = size.
    const double size = 0.6;
    const auto draw = [](Random& r) { return normalized(Vec3{r.normal(), r.normal(), r.normal()}); };
    const auto samples = directions(size, draw, [](const Vec3& n) { return n.z * n.z - 1.0 / 3; });
    EXPECT_NEAR(measureFabric(makeWorld(), samples).anisotropy, size, 0.03);
}

TEST(Fabric, GivesBackTheAnisotropyOfAKnownPlanarDistribution) {
    WorldState world = makeWorld();
    world.linearFreedom = {1, 1, 0};
    const double size = 0.4;
    const auto draw = [](Random& r) {
        const double angle = r.uniform(0, 2 * M_PI);
        return Vec3{std::cos(angle), std::sin(angle), 0};
    };
    const auto samples = directions(size, draw, [](const Vec3& n) { return n.x * n.x - n.y * n.y; });
    EXPECT_NEAR(measureFabric(world, samples).anisotropy, size, 0.02);
}

}  // namespace
}  // namespace talus
