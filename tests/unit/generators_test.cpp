// Generated spheres: lattices against their textbook neighbour counts and densities, piles by count, random fill by
// brute force.
#include <gtest/gtest.h>

#include <numbers>

#include "io/scene/build_world.hpp"
#include "io/scene/generators.hpp"
#include "talus/error.hpp"

namespace talus {
namespace {

constexpr double pi = std::numbers::pi;

Scene sceneOf(const std::string& rest) {
    return parseScene("materials: {glass: {}}\nrun: {time: 1 s}\n" + rest, "scene.yaml", ".");
}

// The largest number of others at the distance of nearest neighbours: that of a sphere deep inside.
int neighboursInside(const std::vector<Vec3>& centres, double spacing) {
    int most = 0;
    for (const Vec3& a : centres) {
        int count = 0;
        for (const Vec3& b : centres) {
            const double distance = norm(a - b);
            count += distance > 0 && distance < 1.001 * spacing;
        }
        most = std::max(most, count);
    }
    return most;
}

double smallestDistance(const std::vector<Vec3>& centres) {
    double smallest = 1e30;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) smallest = std::min(smallest, norm(centres[i] - centres[j]));
    }
    return smallest;
}

struct LatticeFact {
    Lattice lattice;
    int neighbours;
    double packing;  // volume fraction of touching spheres
};

const LatticeFact latticeFacts[] = {{Lattice::sc, 6, pi / 6},
                                    {Lattice::bcc, 8, std::sqrt(3.0) * pi / 8},
                                    {Lattice::fcc, 12, pi / std::sqrt(18.0)},
                                    {Lattice::hcp, 12, pi / std::sqrt(18.0)},
                                    {Lattice::triangular, 8, pi / std::sqrt(27.0)}};

TEST(Lattice, NearestNeighboursAreAsManyAsTheTextbookSays) {
    for (const LatticeFact& fact : latticeFacts) {
        LatticeBodies settings{.lattice = fact.lattice, .radius = 0.5, .count = std::array<std::uint64_t, 3>{4, 4, 4}};
        const std::vector<Vec3> centres = latticeCentres(settings, Planar::none);
        EXPECT_EQ(neighboursInside(centres, 1.0), fact.neighbours) << static_cast<int>(fact.lattice);
        EXPECT_NEAR(smallestDistance(centres), 1.0, 1e-12);
    }
}

TEST(Lattice, ALargeBlockHasTheTextbookDensity) {
    for (const LatticeFact& fact : latticeFacts) {
        const double edge = 40;
        LatticeBodies settings{
            .lattice = fact.lattice, .radius = 0.5, .region = BoxRegion{{0, 0, 0}, {edge, edge, edge}}};
        const double count = static_cast<double>(latticeCentres(settings, Planar::none).size());
        // Spheres must fit in whole, so up to one layer is missing at each side.
        EXPECT_NEAR(count * pi / 6 / (edge * edge * edge), fact.packing, 0.1 * fact.packing);
        EXPECT_LE(count, countLatticeSites(settings, Planar::none));
    }
}

TEST(Lattice, SpheresOfARegionAreWhollyInside) {
    LatticeBodies settings{
        .lattice = Lattice::fcc, .radius = 0.3, .spacing = 0.7, .region = BoxRegion{{-1, 0, 2}, {3, 2, 5}}};
    const std::vector<Vec3> centres = latticeCentres(settings, Planar::none);
    ASSERT_FALSE(centres.empty());
    for (const Vec3& c : centres) {
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_GE(c[axis] - 0.3, settings.region->low[axis] - 1e-9);
            EXPECT_LE(c[axis] + 0.3, settings.region->high[axis] + 1e-9);
        }
    }
}

TEST(Lattice, TheTriangularOneLiesInThePlaneOfAPlanarScene) {
    for (const Planar planar : {Planar::xy, Planar::xz, Planar::yz}) {
        LatticeBodies settings{
            .lattice = Lattice::triangular, .radius = 0.5, .count = std::array<std::uint64_t, 3>{5, 5, 5}};
        const std::vector<Vec3> centres = latticeCentres(settings, planar);
        EXPECT_EQ(centres.size(), 50u);
        EXPECT_EQ(neighboursInside(centres, 1.0), 6);
        for (const Vec3& c : centres) EXPECT_EQ(c[acrossAxis(planar)], 0.0);
    }
}

// 12 mm in steps of 2 mm are 6 - 1e-15 of them.
TEST(Lattice, FillsARegionThatItFitsExactly) {
    LatticeBodies settings{
        .lattice = Lattice::sc, .radius = 1e-3, .region = BoxRegion{{0, 0, -2e-3}, {20e-3, 12e-3, 0}}};
    EXPECT_EQ(latticeCentres(settings, Planar::none).size(), 60u);
    settings.region = BoxRegion{{0, 0, 24e-3}, {20e-3, 12e-3, 26e-3}};
    EXPECT_EQ(latticeCentres(settings, Planar::none).size(), 60u);
    for (int k = 1; k <= 1000; ++k) {  // any number of steps of any length, from anywhere
        const double step = 1e-3 * (1 + 0.37 * k), corner = 0.1 * k;
        settings.radius = 0.5 * step;
        settings.region = BoxRegion{{corner, 0, 0}, {corner + k * step, step, step}};
        ASSERT_EQ(latticeCentres(settings, Planar::none).size(), static_cast<std::size_t>(k));
    }
}

TEST(Lattice, ShakenAtRandomStaysInItsBox) {
    const WorldState world = buildWorld(sceneOf(R"(bodies:
  - {generate: lattice, lattice: hcp, radius: 5 mm, spacing: 10.4 mm, jitter: 0.05,
     region: {low: [0, -5 cm, 0], high: [10 cm, 5 cm, 6 cm]}}
  - {generate: lattice, lattice: sc, radius: 1 mm, spacing: 3 mm, jitter: 0.05, origin: [1, 1, 1], count: [3, 3, 3]}
)"));
    const Bodies& b = world.bodies;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        const bool counted = b.position[i].x > 0.5;
        const Vec3 low = counted ? Vec3{1, 1, 1} : Vec3{0, -0.05, 0};
        const Vec3 high = counted ? Vec3{1.008, 1.008, 1.008} : Vec3{0.1, 0.05, 0.06};
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_GE(b.position[i][axis] - b.radius[i], low[axis] - 1e-12);
            EXPECT_LE(b.position[i][axis] + b.radius[i], high[axis] + 1e-12);
        }
    }
}

TEST(Pyramid, HasTheSumOfSquaresAndEverySphereRestsOnFour) {
    const PyramidBodies pile{.base = 6, .radius = 0.5, .origin = {1, 2, 3}};
    const std::vector<Vec3> centres = pyramidCentres(pile);
    EXPECT_EQ(centres.size(), 6u * 7 * 13 / 6);
    EXPECT_NEAR(smallestDistance(centres), 1.0, 1e-12);
    EXPECT_EQ(centres.front(), (Vec3{1.5, 2.5, 3.5}));
    for (std::size_t i = 36; i < centres.size(); ++i) {
        int below = 0;
        for (const Vec3& other : centres) {
            below += other.z < centres[i].z - 0.1 && norm(other - centres[i]) < 1.0 + 1e-9;
        }
        EXPECT_EQ(below, 4);
    }
    EXPECT_NEAR(centres.back().x, 1 + 3.0, 1e-12);
    EXPECT_NEAR(centres.back().z, 3 + 0.5 + 5 * std::sqrt(0.5), 1e-12);
}

TEST(Pyramid, CanHoldItsBase) {
    const WorldState world = buildWorld(sceneOf("bodies: [{generate: pyramid, base: 3, radius: 1, fixed_base: true}]"));
    int fixed = 0;
    for (std::size_t i = 0; i < world.bodies.grainCount; ++i) fixed += world.bodies.inverseMass[i] == 0;
    EXPECT_EQ(fixed, 9);
    EXPECT_EQ(world.bodies.grainCount, 14u);
}

const char* periodicFill = R"(
domain: {low: [0, 0, 0], high: [1, 1, 1], periodic: [x, y, z]}
bodies:
  - {shape: sphere, radius: 0.2, position: [0.5, 0.5, 0.5]}
  - generate: random
    region: {low: [-0.0, 0, 0], high: [1, 1, 1]}
    radius: {distribution: uniform, low: 0.01, high: 0.06}
    volume_fraction: 0.25
)";

TEST(RandomFill, HasNoOverlapHitsItsVolumeAndStaysInside) {
    const WorldState world = buildWorld(sceneOf(periodicFill));
    const Bodies& b = world.bodies;
    double volume = 0;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        if (i > 0) volume += 4.0 / 3.0 * pi * std::pow(b.radius[i], 3);
        for (std::size_t j = 0; j < i; ++j) {
            const double distance = norm(nearestImage(b.position[i] - b.position[j], world.domain.period()));
            ASSERT_GE(distance, (b.radius[i] + b.radius[j]) * (1 - 1e-12)) << i << " " << j;
        }
    }
    EXPECT_NEAR(volume, 0.25, 4.0 / 3.0 * pi * std::pow(0.06, 3));
}

TEST(RandomFill, IsTheSameForTheSameSeedAndAnotherForAnother) {
    const std::string text = periodicFill;
    const std::uint64_t hash = stateHash(buildWorld(sceneOf(text)));
    EXPECT_EQ(stateHash(buildWorld(sceneOf(text))), hash);
    EXPECT_NE(stateHash(buildWorld(sceneOf("seed: 2\n" + text))), hash);
}

TEST(RandomFill, OfALyingCylinderStaysInsideAndClearOfWalls) {
    const WorldState world = buildWorld(sceneOf(R"(
bodies:
  - generate: random
    region: {centre: [1, 2, 3], axis: [1, 1, 0], radius: 1, length: 4}
    radius: 0.1
    count: 300
  - {shape: plane, point: [0, 0, 2.5]}
)"));
    ASSERT_EQ(world.bodies.grainCount, 300u);
    const Vec3 axis = normalized(Vec3{1, 1, 0});
    for (std::size_t i = 0; i < 300; ++i) {
        const Vec3 d = world.bodies.position[i] - Vec3{1, 2, 3};
        EXPECT_LE(std::abs(dot(d, axis)), 1.9 + 1e-12);
        EXPECT_LE(norm(d - dot(d, axis) * axis), 0.9 + 1e-12);
        EXPECT_GE(world.bodies.position[i].z, 2.6 - 1e-12);
    }
}

TEST(RandomFill, OfAPlanarSceneFillsAnArea) {
    const WorldState world = buildWorld(sceneOf(R"(
planar: xz
bodies: [{generate: random, region: {low: [0, 0, 0], high: [1, 0, 1]}, radius: 0.01, volume_fraction: 0.4}]
)"));
    EXPECT_NEAR(static_cast<double>(world.bodies.grainCount) * pi * 1e-4, 0.4, pi * 1e-4);
    EXPECT_EQ(world.linearFreedom, (Vec3{1, 0, 1}));
    EXPECT_EQ(world.angularFreedom, (Vec3{0, 1, 0}));
}

TEST(RandomFill, ReachesNearlyTheJammingDensityAndSaysSoBeyondIt) {
    const std::string region = "region: {low: [0, 0, 0], high: [1, 1, 1]}, radius: 0.04";
    try {
        buildWorld(sceneOf("bodies: [{generate: random, " + region + ", volume_fraction: 0.5}]"));
        FAIL() << "0.5 is beyond random addition";
    } catch (const InputError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(text.starts_with("scene.yaml:3: bodies[0]: only ")) << text;
        // Spheres must fit into the box whole, which costs a layer of about half a radius at each face.
        const double reached = std::stod(text.substr(text.find("fraction ") + 9));
        EXPECT_GT(reached, 0.31);
        EXPECT_LT(reached, 0.39);
    }
}

TEST(RandomFill, RefusesASphereLargerThanItsRegion) {
    EXPECT_THROW(buildWorld(sceneOf(
                     "bodies: [{generate: random, region: {low: [0, 0, 0], high: [1, 1, 1]}, radius: 0.6, count: 1}]")),
                 InputError);
}

struct Ball {
    Vec3 centre;
    double radius;
};

TEST(GrainGrid, FindsEveryOverlapThatBruteForceFinds) {
    Random random(7, 3);
    const Vec3 period{1, 1, std::numeric_limits<double>::infinity()};
    GrainGrid grid(period);
    std::vector<Ball> spheres;
    for (int k = 0; k < 400; ++k) {
        const Ball next{random.inBox({0, 0, -1}, {1, 1, 1}), std::exp(random.uniform(-7, -2))};
        int expected = 0;
        for (const Ball& other : spheres) {
            expected += norm(nearestImage(next.centre - other.centre, period)) < next.radius + other.radius;
        }
        std::vector<char> seen(spheres.size(), 0);
        grid.forOverlapping({next.centre, next.radius}, [&](std::uint32_t index, double) {
            seen[index] = 1;
            return true;
        });
        EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), expected);
        EXPECT_EQ(grid.isFree(next.centre, next.radius), expected == 0);
        grid.add(next.centre, next.radius);
        spheres.push_back(next);
    }
}

}  // namespace
}  // namespace talus
