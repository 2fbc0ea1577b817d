#include "measure/packing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "base/random.hpp"
#include "measure/sphere_box.hpp"
#include "unit/touching_world.hpp"

namespace talus {
namespace {

using std::numbers::pi;
using test::addFloor;
using test::addLattice;
using test::addSphere;
using test::findContacts;
using test::Lattice;
using test::makeWorld;

constexpr double far = 10;
const double whole = 4.0 / 3 * pi;

// Volume of the unit sphere inside the box by summing heights over a fine grid: a second way, good to about 1e-6.
double sumHeights(const Vec3& low, const Vec3& high) {
    constexpr int n = 1500;
    const double x0 = std::max(-1.0, low.x), x1 = std::min(1.0, high.x);
    const double y0 = std::max(-1.0, low.y), y1 = std::min(1.0, high.y);
    const double dx = (x1 - x0) / n, dy = (y1 - y0) / n;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const double x = x0 + (i + 0.5) * dx, y = y0 + (j + 0.5) * dy;
            const double half = std::sqrt(std::max(0.0, 1 - x * x - y * y));
            sum += std::max(0.0, std::min(half, high.z) - std::max(-half, low.z));
        }
    }
    return sum * dx * dy;
}

TEST(SphereInBox, IsAWholeSphereIfTheBoxHoldsIt) {
    EXPECT_DOUBLE_EQ(sphereInBox({1, 2, 3}, 0.5, {0, 0, 0}, {4, 4, 4}), whole / 8);
}

TEST(SphereInBox, IsTheBoxIfTheSphereHoldsIt) {
    EXPECT_DOUBLE_EQ(sphereInBox({0, 0, 0}, 2, {-0.5, -0.2, 0.1}, {0.5, 0.9, 0.4}), 1.1 * 0.3);
}

TEST(SphereInBox, IsNothingIfTheyDoNotMeet) {
    EXPECT_EQ(sphereInBox({0, 0, 0}, 1, {1, -1, -1}, {2, 1, 1}), 0);
    EXPECT_NEAR(sphereInBox({0, 0, 0}, 1, {0.8, 0.8, -1}, {2, 2, 1}), 0, 1e-15);  // a corner near, but outside
}

TEST(SphereInBox, CutByOnePlaneIsACap) {
    for (const double height : {0.01, 0.3, 1.0, 1.6, 1.999}) {
        const double cap = pi * height * height * (3 - height) / 3;
        EXPECT_NEAR(sphereInBox({0, 0, 0}, 1, {1 - height, -far, -far}, {far, far, far}), cap, 1e-14);
        EXPECT_NEAR(sphereInBox({0, 0, 0}, 1, {-far, -far, -far}, {far, height - 1, far}), cap, 1e-14);
        EXPECT_NEAR(sphereInBox({0, 0, 0}, 1, {-far, -far, 1 - height}, {far, far, far}), cap, 1e-14);
    }
}

TEST(SphereInBox, CutThroughItsCentreIsAHalfAQuarterAnEighth) {
    EXPECT_NEAR(sphereInBox({0, 0, 0}, 1, {0, -far, -far}, {far, far, far}), whole / 2, 1e-14);
    EXPECT_NEAR(sphereInBox({0, 0, 0}, 1, {0, -far, -far}, {far, 0, far}), whole / 4, 1e-14);
    EXPECT_NEAR(sphereInBox({0, 0, 0}, 1, {0, 0, 0}, {far, far, far}), whole / 8, 1e-14);
    EXPECT_NEAR(sphereInBox({0, 0, 0}, 1, {-far, -far, 0}, {0, 0, far}), whole / 8, 1e-14);
}

TEST(SphereInBox, AgreesWithASumOfHeights) {
    Random random(11, 1);
    for (int k = 0; k < 12; ++k) {
        const Vec3 a = random.inBox({-1.1, -1.1, -1.1}, {1.1, 1.1, 1.1});
        const Vec3 b = random.inBox({-1.1, -1.1, -1.1}, {1.1, 1.1, 1.1});
        const Vec3 low{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)};
        const Vec3 high{std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)};
        EXPECT_NEAR(sphereInBox({0, 0, 0}, 1, low, high), sumHeights(low, high), 3e-6);
    }
}

TEST(SphereInBox, AgreesWithThrowingPoints) {
    Random random(12, 1);
    const Vec3 centre{0.3, -0.2, 0.9}, low{-0.5, -1.0, 0.2}, high{1.1, 0.1, 1.4};
    constexpr int thrown = 1000000;
    int hits = 0;
    for (int k = 0; k < thrown; ++k) hits += norm(random.inBox(low, high) - centre) < 1;
    const double box = 1.6 * 1.1 * 1.2, share = static_cast<double>(hits) / thrown;
    const double deviation = box * std::sqrt(share * (1 - share) / thrown);
    EXPECT_NEAR(sphereInBox(centre, 1, low, high), box * share, 4 * deviation);
}

TEST(SphereInBox, PiecesOfAnyCutAddUpToTheWhole) {
    Random random(13, 1);
    double worst = 0;
    for (int k = 0; k < 20000; ++k) {
        // Cuts crowd where it is delicate: through the centre, at the pole, along the surface.
        Vec3 cut = random.inBox({-1, -1, -1}, {1, 1, 1});
        if (k % 4 == 1) cut = normalized(cut);
        if (k % 4 == 2) cut.x = 0;
        if (k % 4 == 3) cut.z = 1 - 1e-9 * random.uniform();
        double sum = 0;
        for (int part = 0; part < 8; ++part) {
            Vec3 low{-far, -far, -far}, high{far, far, far};
            for (int axis = 0; axis < 3; ++axis) ((part >> axis) & 1 ? low : high)[axis] = cut[axis];
            const double piece = sphereInBox({0, 0, 0}, 1, low, high);
            ASSERT_GE(piece, 0);
            sum += piece;
        }
        worst = std::max(worst, std::abs(sum - whole));
    }
    EXPECT_LT(worst, 1e-13);
}

TEST(SphereInBox, IsTheSumOfItsSlices) {
    // Every slice has the corner (a, b) of the box inside its circle, so its area is smooth in z and Simpson's rule
    // reaches round-off.
    Random random(14, 1);
    for (int k = 0; k < 50; ++k) {
        const double a = random.uniform(-0.6, 0.6), b = random.uniform(-0.6, 0.6);
        const double c = random.uniform(-0.4, 0.0), d = random.uniform(0.1, 0.4);
        constexpr int parts = 400;
        double sum = 0;
        for (int i = 0; i <= parts; ++i) {
            const double z = c + (d - c) * i / parts;
            const double weight = i == 0 || i == parts ? 1 : i % 2 == 1 ? 4 : 2;
            sum += weight * discInRectangle(0, 0, std::sqrt(1 - z * z), {a, b, far, far});
        }
        EXPECT_NEAR(sphereInBox({0, 0, 0}, 1, {a, b, c}, {far, far, d}), sum * (d - c) / (3 * parts), 1e-12);
    }
}

TEST(SphereInBox, GrowsByTheAreaOfItsFace) {
    // d volume / d (face position) = area of that face's part inside the sphere, itself in closed form.
    const Vec3 low{-0.3, -0.7, -0.2};
    const Vec3 high{0.4, 0.5, 0.6};
    const double step = 1e-5;
    const auto volume = [&](double x) { return sphereInBox({0, 0, 0}, 1, low, {x, high.y, high.z}); };
    const double slope = (volume(high.x + step) - volume(high.x - step)) / (2 * step);
    const double face = discInRectangle(0, 0, std::sqrt(1 - high.x * high.x), {low.y, low.z, high.y, high.z});
    EXPECT_NEAR(slope, face, 1e-9);
}

TEST(DiscInRectangle, IsASegmentAHalfAQuarterOrAWhole) {
    EXPECT_NEAR(discInRectangle(0, 0, 2, {0, -far, far, far}), 2 * pi, 1e-14);
    EXPECT_NEAR(discInRectangle(1, 1, 2, {1, 1, far, far}), pi, 1e-14);
    EXPECT_NEAR(discInRectangle(1, 1, 2, {-far, -far, far, far}), 4 * pi, 1e-14);
    const double d = 0.4;
    EXPECT_NEAR(discInRectangle(0, 0, 1, {d, -far, far, far}), std::acos(d) - d * std::sqrt(1 - d * d), 1e-14);
    EXPECT_NEAR(discInRectangle(0, 0, 1, {-0.1, -0.2, 0.3, 0.4}), 0.4 * 0.6, 1e-15);
}

TEST(Packing, OfASimpleCubicLatticeIsPiOverSix) {
    WorldState world = makeWorld();
    const Lattice lattice;
    addLattice(world, lattice);
    const MeasureBox cell{"", {}, lattice.edge()};
    EXPECT_NEAR(measurePacking(world, cell).fraction(), pi / 6, 1e-14);
    EXPECT_NEAR(measurePacking(world, cell).porosity(), 1 - pi / 6, 1e-14);
    EXPECT_NEAR(measurePacking(world, cell).voidRatio(), 6 / pi - 1, 1e-13);
}

TEST(Packing, OfWholeCellsIsTheSameWhereverTheRegionCutsGrainsOrBorders) {
    WorldState world = makeWorld();
    addLattice(world, {});
    const MeasureBox shifted{"", {-0.7, -1.3, 3.1}, {3.3, 2.7, 9.1}};  // 2 x 2 x 3 cells, across three borders
    EXPECT_NEAR(measurePacking(world, shifted).fraction(), pi / 6, 1e-13);
}

TEST(Packing, OfAPlanarSceneIsTheAreaOfDiscs) {
    WorldState world = makeWorld();
    addLattice(world, {.count = {4, 4, 1}, .periodic = {true, true, false}});
    world.linearFreedom = {1, 1, 0};
    const MeasureBox region{"", {0.3, 0.4, 5}, {4.3, 6.4, 5.1}};
    EXPECT_NEAR(measurePacking(world, region).fraction(), pi / 4, 1e-13);
    EXPECT_NEAR(measurePacking(world, region).total, 24, 1e-12);
}

TEST(Packing, OfAnEmptyRegionHasAnInfiniteVoidRatio) {
    EXPECT_TRUE(std::isinf(measurePacking(makeWorld(), {"", {0, 0, 0}, {1, 1, 1}}).voidRatio()));
}

TEST(Coordination, OfAPeriodicSimpleCubicLatticeIsSix) {
    WorldState world = makeWorld();
    addLattice(world, {.spacing = {1.99, 1.99, 1.99}});
    findContacts(world);
    const ContactCounts counts = countContacts(world, sampleContacts(world));
    const Coordination z = averageCoordination(world, counts);
    EXPECT_EQ(z.grains, 64u);
    EXPECT_EQ(z.mean(), 6);
    EXPECT_EQ(z.rattlers, 0u);
    EXPECT_EQ(z.meanWithoutRattlers(), 6);
}

TEST(Coordination, WithoutRattlersLeavesOutWhoeverLosesSupportInTurn) {
    // A chain of three grains hangs on a lattice: its end has 1 contact, then each next one is loose in turn.
    WorldState world = makeWorld({.friction = 0});
    addLattice(world, {.spacing = {1.99, 1.99, 1.99}});
    world.domain = {};
    const Vec3 corner = world.bodies.position[0];
    for (int k = 1; k <= 3; ++k) addSphere(world, corner - Vec3{0, 0, 1.99 * k}, 1);
    findContacts(world);
    const ContactCounts counts = countContacts(world, sampleContacts(world));
    const Coordination z = averageCoordination(world, counts);
    // By hand: the 4^3 block has 144 contacts; its 8 corners have 3 (one of them 4 with the chain), edges 4, faces 5.
    EXPECT_EQ(z.contacts, 2u * (144 + 3));
    // The chain falls link by link, then the corners, the edges next to them, and so on: a block of cubes with free
    // sides has no part in which everyone keeps 4 contacts.
    EXPECT_EQ(z.rattlers, z.grains);
    EXPECT_EQ(z.backboneContacts, 0u);
    EXPECT_EQ(z.meanWithoutRattlers(), 0);
}

TEST(Coordination, KeepsThePartThatHolds) {
    // One grain of a periodic lattice is too small for its place and touches one neighbour only.
    WorldState world = makeWorld({.friction = 0});
    addLattice(world, {.spacing = {1.99, 1.99, 1.99}});
    world.bodies.radius[0] = 0.9;
    world.bodies.position[0].x += 0.12;
    findContacts(world);
    const ContactCounts counts = countContacts(world, sampleContacts(world));
    EXPECT_EQ(counts.all[0], 1u);
    EXPECT_TRUE(counts.isRattler[0]);
    const Coordination z = averageCoordination(world, counts);
    EXPECT_EQ(z.rattlers, 1u);
    EXPECT_EQ(z.contacts, 64u * 6 - 2 * 5);
    EXPECT_EQ(z.backboneContacts, 64u * 6 - 2 * 6);
    EXPECT_DOUBLE_EQ(z.meanWithoutRattlers(), (64 * 6 - 12) / 63.0);
}

TEST(Coordination, CountsWallsAndFixedGrainsAsSupportButNotAsGrains) {
    WorldState world = makeWorld({.friction = 0});
    addSphere(world, {0, 0, 0.99}, 1);
    addSphere(world, {1.9, 0, 1}, 1, true);
    addSphere(world, {-1.9, 0, 1}, 1, true);
    addSphere(world, {0, 1.9, 1}, 1, true);
    addFloor(world, 0);
    findContacts(world);
    const Coordination z = averageCoordination(world, countContacts(world, sampleContacts(world)));
    EXPECT_EQ(z.grains, 1u);
    EXPECT_EQ(z.mean(), 4);
    EXPECT_EQ(z.rattlers, 0u);
}

TEST(Coordination, OfAPlanarSceneNeedsThreeContactsToHold) {
    WorldState world = makeWorld({.friction = 0});
    world.linearFreedom = {1, 1, 0};
    addSphere(world, {0, 0, 0}, 1);
    for (int k = 0; k < 3; ++k) {
        const double angle = 2 * pi * k / 3;
        addSphere(world, {1.9 * std::cos(angle), 1.9 * std::sin(angle), 0}, 1, true);
    }
    findContacts(world);
    EXPECT_EQ(averageCoordination(world, countContacts(world, sampleContacts(world))).rattlers, 0u);
    world.linearFreedom = {1, 1, 1};
    EXPECT_EQ(averageCoordination(world, countContacts(world, sampleContacts(world))).rattlers, 1u);
}

TEST(Coordination, CountsTheWeightAndFrictionAmongWhatHolds) {
    WorldState world = makeWorld({.friction = 0});
    EXPECT_EQ(contactsToHold(world), 4u);
    world.gravity = {0, 0, -9.81};
    EXPECT_EQ(contactsToHold(world), 3u);
    world.linearFreedom = {1, 0, 1};
    EXPECT_EQ(contactsToHold(world), 2u);
    world.gravity = {};
    EXPECT_EQ(contactsToHold(world), 3u);
    world.materials.laws[0].friction = 0.1;
    EXPECT_EQ(contactsToHold(world), 2u);
    world.materials.kinds.tangential = TangentialLaw::none;  // a coefficient without a law has no effect
    EXPECT_EQ(contactsToHold(world), 3u);
}

TEST(Coordination, OfAHeapUnderGravityKeepsTheTop) {
    // A ball on three fixed ones: its weight is the fourth force.
    WorldState world = makeWorld({.friction = 0});
    addSphere(world, {0, 0, 1.5}, 1);
    for (int k = 0; k < 3; ++k) {
        const double angle = 2 * pi * k / 3;
        addSphere(world, {1.2 * std::cos(angle), 1.2 * std::sin(angle), 0}, 1, true);
    }
    findContacts(world);
    EXPECT_EQ(averageCoordination(world, countContacts(world, sampleContacts(world))).rattlers, 1u);
    world.gravity = {0, 0, -9.81};
    EXPECT_EQ(averageCoordination(world, countContacts(world, sampleContacts(world))).rattlers, 0u);
}

TEST(Coordination, OfARegionIsTheMeanOverGrainsCentredInIt) {
    WorldState world = makeWorld();
    for (int k = 0; k < 4; ++k) addSphere(world, {1.9 * k, 0, 0}, 1);
    findContacts(world);
    const ContactCounts counts = countContacts(world, sampleContacts(world));
    const MeasureBox ends{"", {-1, -1, -1}, {2, 1, 1}};  // an end (1 contact) and its neighbour (2)
    EXPECT_EQ(averageCoordination(world, counts, ends).grains, 2u);
    EXPECT_EQ(averageCoordination(world, counts, ends).mean(), 1.5);
}

}  // namespace
}  // namespace talus
