// Meshes whose faces, edges or corners coincide to round-off with those of a hull or another mesh.
#include <gtest/gtest.h>

#include "geometry/mesh/mesh.hpp"
#include "touching_errors.hpp"

namespace talus {
namespace {

using samples::TouchingPairs;

// The mesh of a hull, where the hull would be.
struct MeshOfHull {
    Shape shape;
    Pose pose;  // in the frame of the hull

    explicit MeshOfHull(const ConvexHull& hull) {
        MeshFile file{.name = "hull", .corners = hull.corners};
        for (const ConvexHull::Face& face : hull.faces) {
            for (std::size_t k = 1; k + 1 < face.corners.size(); ++k) {
                file.triangles.push_back({face.corners[0], face.corners[k], face.corners[k + 1]});
            }
        }
        const MeshInPlace mesh = makeMesh(file);
        shape = mesh.shape;
        pose = mesh.pose;
    }
    ShapeInPlace insteadOf(const ShapeInPlace& hull) const {
        return {&shape,
                hull.scale,
                {outOfFrame(hull.pose, hull.scale * pose.position), hull.pose.orientation * pose.orientation}};
    }
};

// Meshes tell ways out past each of their faces, so overlaps are deeper than the least. What is no overlap at all is
// none of any face.
TEST(TouchingMeshes, OverlapNowhereIfHullsOfTheirFormOnlyTouch) {
    Random random(5, 1);
    const auto hulls = samples::someHulls(random, 24);
    const TouchingPairs pairs{"hulls", hulls, hulls, TouchingPairs::Search::general, 9};
    const auto look = [&](std::uint64_t number) {
        const samples::TouchingPair pair = pairs.pair(number);
        const double size = pair.a.scale * boundingRadius(*pair.a.shape) + pair.b.scale * boundingRadius(*pair.b.shape);
        if (std::abs(pair.gap) > 1e-9 * size) return;
        const MeshOfHull first(*pair.first->hull), second(*pair.second->hull);
        for (const ShapeInPlace& a : {pair.a, first.insteadOf(pair.a)}) {
            std::vector<ContactPoint> points;
            findContactPoints(a, second.insteadOf(pair.b), 0, points);
            for (const ContactPoint& p : points) EXPECT_GT(p.gap, -1e-8 * size) << number;
        }
    };
    for (std::uint64_t number = 0; number < 2000; ++number) look(number);
    // Some that did, by one part of the search or another.
    for (const std::uint64_t number : {2661, 4239, 4252, 6910, 11866, 19577, 49633, 63138, 89400, 95996}) look(number);
}

}  // namespace
}  // namespace talus
