// Arches of dry stones: hulls whose faces coincide to round-off.
//
// A semicircular arch of constant thickness stands under its own weight if that is at least 0.1075 of its middle
// radius, as long as stones do not slide (Couplet 1730; the number of Milankovitch 1907). Joints are where it can open,
// so fewer of them, wherever they are, do not make it weaker.
#include <gtest/gtest.h>

#include <vector>

#include "analytic/solid_world.hpp"
#include "base/random.hpp"
#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

using namespace analytic;

// Radius 1 m in the middle, standing on the plane z = 0 and turned about the vertical.
struct Arch {
    std::vector<double> joints;  // rad, from the springing on the right, 0, to the one on the left, pi
    double thickness;            // m
    double turn;                 // rad

    std::vector<Vec3> stone(std::size_t k) const {
        std::vector<Vec3> points;
        for (const double angle : {joints[k], joints[k + 1]}) {
            for (const double r : {1 - 0.5 * thickness, 1 + 0.5 * thickness}) {
                for (const double y : {-0.2, 0.2}) {
                    points.push_back(rotate(rotationBy({0, 0, turn}), {r * std::cos(angle), y, r * std::sin(angle)}));
                }
            }
        }
        return points;
    }
    std::size_t stones() const { return joints.size() - 1; }
};

// 5 to 15 stones, equal or not, 0.118 to 0.25 thick.
Arch someArch(Random& random) {
    const auto stones = std::size_t(random.uniform(5, 16));
    const double unequal = random.uniform() < 0.5 ? 0 : 0.6;
    std::vector<double> joints{0};
    for (std::size_t k = 0; k < stones; ++k) joints.push_back(joints.back() + 1 + unequal * random.uniform(-1, 1));
    for (double& joint : joints) joint *= M_PI / joints.back();
    return {joints, random.uniform(0.118, 0.25), random.uniform() < 0.5 ? 0 : random.uniform(0, M_PI)};
}

TEST(Arch, OfDryStonesStandsIfItIsThickEnoughHoweverItIsCut) {
    Random random(3, 1);
    for (int number = 0; number < 24; ++number) {
        const Arch arch = someArch(random);
        WorldState world = makeWorld(wood(0.8, 0));
        world.gravity = {0, 0, -gravity};
        std::vector<Vec3> places;
        for (std::size_t k = 0; k < arch.stones(); ++k) {
            const HullInPlace stone = makeHull(arch.stone(k));
            places.push_back(stone.pose.position);
            addSolid(world, stone.shape, stone.pose.position, stone.pose.orientation);
        }
        addFloor(world);
        Trial trial(std::move(world), 1e-3, ContactDynamicsSettings{.tolerance = 1e-8});
        trial.advance(0.08);
        for (std::size_t k = 0; k < arch.stones(); ++k) {
            EXPECT_LT(norm(trial.position(std::uint32_t(k)) - places[k]), 1e-6) << "arch " << number << ", stone " << k;
        }
    }
}

}  // namespace
}  // namespace talus
