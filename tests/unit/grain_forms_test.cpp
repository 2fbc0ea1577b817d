// Generated grains of any form: shares, sizes, turns, room.
#include "model/grain_forms.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <numbers>

#include "io/scene/build_world.hpp"
#include "step/population.hpp"
#include "talus/error.hpp"
#include "unit/output_samples.hpp"

namespace talus {
namespace {

using output_samples::TemporaryFolder;
using std::numbers::pi;

WorldState worldOf(const std::string& rest, const std::filesystem::path& folder = ".") {
    return buildWorld(parseScene("materials: {glass: {density: 1000}}\nrun: {time: 1}\n" + rest, "scene.yaml", folder));
}

double massOf(const WorldState& w, std::size_t i) { return 1 / w.bodies.inverseMass[i]; }

TEST(GrainForms, TakeTheirSharesOfALattice) {
    const WorldState w = worldOf(R"(
bodies:
  - generate: lattice
    grains: [{shape: box, size: [1, 1, 1], share: 1}, {shape: ellipsoid, semi_axes: [1, 1, 2], share: 3}]
    radius: 1 mm
    count: [12, 12, 12]
)");
    ASSERT_EQ(w.bodies.grainCount, 4u * 12 * 12 * 12);
    EXPECT_EQ(w.shapes.size(), 3u);
    double boxes = 0;
    for (std::size_t i = 0; i < w.bodies.grainCount; ++i) {
        boxes += std::holds_alternative<BoxShape>(w.shapes[w.bodies.shape[i]]);
        // All have the volume of a ball of the radius asked for, whatever their form.
        ASSERT_NEAR(massOf(w, i), 1000 * 4.0 / 3.0 * pi * 1e-9, 1e-15);
    }
    // Four standard deviations of a binomial.
    const double count = static_cast<double>(w.bodies.grainCount);
    EXPECT_NEAR(boxes / count, 0.25, 4 * std::sqrt(0.25 * 0.75 / count));
}

TEST(GrainForms, WithoutARadiusHaveTheSizeTheyAreGivenIn) {
    const WorldState w = worldOf(R"(
bodies:
  - generate: lattice
    grains: [{shape: cylinder, radius: 1 mm, length: 8 mm}, {shape: sphere, radius: 2 mm}]
    count: [3, 3, 3]
)");
    // The lattice has room for the largest bounding sphere.
    const double reach = std::hypot(1e-3, 4e-3);
    EXPECT_NEAR(norm(w.bodies.position[1] - w.bodies.position[0]), 2 * reach, 1e-12);
    for (std::size_t i = 0; i < w.bodies.grainCount; ++i) {
        const bool isSphere = w.bodies.shape[i] == 0;
        EXPECT_NEAR(w.bodies.radius[i], isSphere ? 2e-3 : reach, 1e-15);
        EXPECT_NEAR(massOf(w, i), 1000 * pi * (isSphere ? 4.0 / 3.0 * 8e-9 : 8e-9), 1e-15);
    }
}

TEST(GrainForms, AreTurnedUniformly) {
    WorldState w;
    w.shapes.add(BoxShape{{1, 1, 1}, 0});
    Random random(3, 5);
    constexpr int count = 20000;
    Vec3 mean;
    double square = 0, angle = 0;
    for (int k = 0; k < count; ++k) {
        const Quat q = drawOrientation(w, 1, random);
        EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, 1e-12);
        const Vec3 axis = rotate(q, {0, 0, 1});
        mean += axis / count;
        square += axis.x * axis.x / count;
        angle += 2 * std::acos(std::min(1.0, std::abs(q.w))) / count;
    }
    // Of a uniform direction each square is a third; of a uniform turn the mean angle is pi/2 + 2/pi.
    EXPECT_LT(norm(mean), 4 / std::sqrt(static_cast<double>(count)));
    EXPECT_NEAR(square, 1.0 / 3.0, 0.01);
    EXPECT_NEAR(angle, pi / 2 + 2 / pi, 0.02);
}

TEST(GrainForms, OfPlanarScenesAreTurnedInTheirPlane) {
    const WorldState w = worldOf(R"(
planar: xz
bodies:
  - generate: random
    grains: [{shape: polygon, corners: [[0, 0], [2, 0], [2, 1], [0, 1]]}]
    region: {low: [0, 0, 0], high: [1, 0, 1]}
    radius: 1 cm
    volume_fraction: 0.2
)");
    double area = 0, turned = 0;
    for (std::size_t i = 0; i < w.bodies.grainCount; ++i) {
        area += massOf(w, i) / 1000;
        EXPECT_NEAR(rotate(w.bodies.orientation[i], {0, 0, 1}).y, -1, 1e-12);
        turned += rotate(w.bodies.orientation[i], {1, 0, 0}).x < 0;
    }
    EXPECT_NEAR(area, 0.2, pi * 1e-4);
    EXPECT_NEAR(turned / static_cast<double>(w.bodies.grainCount), 0.5, 0.1);
}

TEST(GrainForms, FillTheShareOfAVolumeThatIsAskedForWithoutOverlap) {
    const WorldState w = worldOf(R"(
bodies:
  - generate: random
    grains: [{shape: capsule, radius: 1, length: 1}, {shape: superquadric, semi_axes: [1, 1, 1], equator: 4, meridian: 4}]
    region: {low: [0, 0, 0], high: [1, 1, 1]}
    radius: {distribution: uniform, low: 0.03, high: 0.06}
    volume_fraction: 0.12
)");
    double volume = 0;
    const Bodies& b = w.bodies;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        volume += massOf(w, i) / 1000;
        for (std::size_t j = 0; j < i; ++j) {
            ASSERT_GE(norm(b.position[i] - b.position[j]), (b.radius[i] + b.radius[j]) * (1 - 1e-12));
        }
    }
    EXPECT_NEAR(volume, 0.12, 4.0 / 3.0 * pi * std::pow(0.06, 3));
}

TEST(GrainForms, AreTheSameForTheSameSeed) {
    const std::string text = R"(
bodies:
  - generate: random
    grains: [{shape: box, size: [1, 2, 3]}, {shape: sphere, radius: 1}]
    region: {low: [0, 0, 0], high: [1, 1, 1]}
    radius: 5 cm
    count: 40
)";
    EXPECT_EQ(stateHash(worldOf(text)), stateHash(worldOf(text)));
    EXPECT_NE(stateHash(worldOf(text)), stateHash(worldOf("seed: 2\n" + text)));
}

TEST(GrainForms, FindRoomBesideAPlateThatTheirRegionHolds) {
    // The bounding sphere of the plate fills the whole region; the plate leaves nearly all of it free.
    const WorldState w = worldOf(R"(
bodies:
  - {shape: box, size: [2, 2, 0.01], position: [0.5, 0.5, 0.5], fixed: true}
  - generate: random
    region: {low: [0, 0, 0], high: [1, 1, 1]}
    radius: 5 cm
    count: 100
)");
    ASSERT_EQ(w.bodies.grainCount, 101u);
    int above = 0;
    for (std::size_t i = 0; i < w.bodies.grainCount; ++i) {
        if (w.bodies.inverseMass[i] == 0) continue;
        const double height = w.bodies.position[i].z - 0.5;
        EXPECT_GE(std::abs(height), 0.055);
        above += height > 0;
    }
    EXPECT_GT(above, 20);
    EXPECT_LT(above, 80);
}

TEST(GrainForms, ComeFromSourcesTurnedAndClearOfEachOther) {
    WorldState w = worldOf(R"(
gravity: [0, 0, 0]
sources:
  - region: {low: [0, 0, 0], high: [1, 1, 1]}
    grains: [{shape: box, size: [1, 1, 3]}]
    radius: 3 cm
    rate: 1000
    limit: 30
)");
    w.time = 1;
    updatePopulation(w);
    ASSERT_EQ(w.bodies.grainCount, 30u);
    const Bodies& b = w.bodies;
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        EXPECT_EQ(b.shape[i], 1);
        EXPECT_NEAR(massOf(w, i), 1000 * 4.0 / 3.0 * pi * 2.7e-5, 1e-9);
        for (std::size_t j = 0; j < i; ++j) {
            EXPECT_NE(b.orientation[i], b.orientation[j]);
            EXPECT_GE(norm(b.position[i] - b.position[j]), b.radius[i] + b.radius[j]);
        }
    }
}

TEST(GrainForms, OfATableHaveTheirOrientationAndSize) {
    const TemporaryFolder folder;
    std::ofstream(folder / "a.csv") << "x,y,z,radius,shape,qw,qx,qy,qz\n0,0,0,1,1,1,0,1,0\n9,0,0,1,0,1,0,0,0\n";
    const WorldState w = worldOf(R"(
bodies:
  - {generate: csv, file: a.csv, grains: [{shape: sphere, radius: 7}, {shape: box, size: [1, 1, 3]}]}
)",
                                 folder.path());
    ASSERT_EQ(w.bodies.grainCount, 2u);
    EXPECT_EQ(w.bodies.shape[1], 0);
    EXPECT_EQ(w.bodies.radius[1], 1);
    EXPECT_NEAR(massOf(w, 0), 1000 * 4.0 / 3.0 * pi, 1e-9);
    EXPECT_NEAR(rotate(w.bodies.orientation[0], {0, 0, 1}).x, 1, 1e-12);
}

TEST(GrainForms, NeedASizeAndAShare) {
    const auto errorOf = [](const std::string& grains) -> std::string {
        try {
            worldOf("bodies:\n  - {generate: lattice, count: [2, 2, 2]" + grains + "}");
        } catch (const InputError& error) {
            return error.what();
        }
        return "accepted";
    };
    EXPECT_EQ(errorOf(""), "scene.yaml:4: bodies[0]: the key 'radius' is missing");
    EXPECT_EQ(errorOf(", grains: [{shape: sphere, radius: 1, share: 0}]"),
              "scene.yaml:4: bodies[0].grains: the shares must not all be zero");
    EXPECT_EQ(errorOf(", grains: [{shape: disc, radius: 1}]"),
              "scene.yaml:4: bodies[0].grains[0].shape: a disc needs a planar scene: set planar to xy, xz or yz");
    EXPECT_EQ(errorOf(", grains: [{shape: box, size: [1, 1, 1]}]"), "accepted");
}

}  // namespace
}  // namespace talus
