// Meshes that show shapes: closed, facing outward, and of the volume of the shape in the limit of fine steps.
#include "geometry/solids/tessellation.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numbers>

#include "geometry/solids/compound.hpp"
#include "geometry/solids/hull.hpp"

namespace talus {
namespace {

using std::numbers::pi;

// Every edge is passed once in each direction.
bool isClosed(const SurfaceTriangles& surface) {
    std::map<std::array<std::uint32_t, 2>, int> passes;
    for (const auto& t : surface.triangles) {
        for (std::size_t k = 0; k < 3; ++k) ++passes[{t[k], t[(k + 1) % 3]}];
    }
    for (const auto& [edge, count] : passes) {
        const auto back = passes.find({edge[1], edge[0]});
        if (count != 1 || back == passes.end()) return false;
    }
    return !passes.empty();
}

// Inscribed meshes miss a share of the volume that falls with the square of the step.
void expectFills(const Shape& shape, double volume) {
    double last = 1e300;
    for (const int steps : {4, 8, 16, 32}) {
        const SurfaceTriangles surface = tessellate(shape, steps);
        EXPECT_TRUE(isClosed(surface)) << shapeName(shape) << ", steps " << steps;
        const double missing = 1 - enclosedVolume(surface) / volume;
        EXPECT_GT(missing, 0) << shapeName(shape);
        EXPECT_LT(missing, 0.35 * last) << shapeName(shape) << ", steps " << steps;
        last = missing;
    }
    EXPECT_LT(last, 2e-3) << shapeName(shape);
}

double steinerBox(const Vec3& edges, double r) {
    const double a = edges.x, b = edges.y, c = edges.z;
    return a * b * c + 2 * r * (a * b + b * c + c * a) + pi * r * r * (a + b + c) + 4.0 / 3.0 * pi * r * r * r;
}

// A box as a polyhedron: corner k has its bits as signs of x, y, z.
HullShape boxHull(const Vec3& half, double rounding) {
    ConvexHull hull;
    for (int k = 0; k < 8; ++k) {
        hull.corners.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    }
    const std::vector<std::vector<std::uint32_t>> faces{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    for (std::size_t f = 0; f < 6; ++f) {
        ConvexHull::Face face;
        face.normal[static_cast<int>(f / 2)] = f % 2 == 0 ? -1 : 1;
        face.distance = half[static_cast<int>(f / 2)];
        face.corners = faces[f];
        for (std::size_t k = 0; k < 4; ++k) {
            const std::uint32_t a = faces[f][k], b = faces[f][(k + 1) % 4];
            for (std::uint32_t g = 0; g < 6; ++g) {
                for (std::size_t j = 0; j < 4; ++j) {
                    if (faces[g][j] == b && faces[g][(j + 1) % 4] == a) face.neighbour.push_back(g);
                }
            }
        }
        hull.faces.push_back(face);
    }
    hull.radius = norm(half);
    return {std::make_shared<const ConvexHull>(hull), rounding};
}

TEST(Tessellation, OfASphereFillsIt) { expectFills(SphereShape{}, 4.0 / 3.0 * pi); }

TEST(Tessellation, OfAnEllipsoidFillsIt) { expectFills(EllipsoidShape{{0.3, 1, 2.5}}, 4.0 / 3.0 * pi * 0.3 * 1 * 2.5); }

TEST(Tessellation, OfABoxIsTheBoxAtAnyFineness) {
    for (const int steps : {1, 5}) {
        const SurfaceTriangles surface = tessellate(BoxShape{{1, 2, 0.5}, 0}, steps);
        EXPECT_TRUE(isClosed(surface));
        EXPECT_EQ(surface.triangles.size(), 12u);
        EXPECT_DOUBLE_EQ(enclosedVolume(surface), 8.0);
    }
}

TEST(Tessellation, OfARoundedBoxFillsItsSteinerVolume) {
    expectFills(BoxShape{{1, 2, 0.5}, 0.4}, steinerBox({2, 4, 1}, 0.4));
}

TEST(Tessellation, OfACylinderAndOfACapsuleFillThem) {
    expectFills(CylinderShape{.radius = 0.7, .halfLength = 1.5}, pi * 0.49 * 3);
    expectFills(CapsuleShape{.radius = 0.7, .halfLength = 1.5}, pi * 0.49 * 3 + 4.0 / 3.0 * pi * 0.343);
}

TEST(Tessellation, OfARoundedCylinderFillsItsSteinerVolume) {
    // V + S r + M r^2 + 4/3 pi r^3 with the integral of mean curvature M = pi L + pi^2 R of a cylinder.
    const double R = 0.7, L = 3, r = 0.2, surface = 2 * pi * R * L + 2 * pi * R * R, mean = pi * L + pi * pi * R;
    expectFills(CylinderShape{R, 0.5 * L, r}, pi * R * R * L + surface * r + mean * r * r + 4.0 / 3.0 * pi * r * r * r);
}

TEST(Tessellation, OfConesAndFrustumsFillThem) {
    expectFills(ConeShape{.lowRadius = 1, .highRadius = 0, .low = -0.5, .high = 1.5}, pi / 3 * 2);
    expectFills(ConeShape{.lowRadius = 0, .highRadius = 1, .low = -0.5, .high = 1.5}, pi / 3 * 2);
    expectFills(ConeShape{.lowRadius = 1, .highRadius = 0.5, .low = 0, .high = 2}, pi / 3 * 2 * (1 + 0.5 + 0.25));
}

TEST(Tessellation, OfARoundedConeFillsItsSteinerVolume) {
    // Mean curvature: pi L of the mantle, and the rim with the angle between the normals of base and mantle.
    const double R = 1, L = 2, r = 0.3, area = pi * R * R + pi * R * std::hypot(R, L);
    const double mean = pi * L + pi * R * (pi / 2 + std::atan2(R, L));
    const double volume = pi / 3 * R * R * L + area * r + mean * r * r + 4.0 / 3.0 * pi * r * r * r;
    expectFills(ConeShape{.lowRadius = R, .highRadius = 0, .low = -0.5, .high = 1.5, .rounding = r}, volume);
    expectFills(ConeShape{.lowRadius = 0, .highRadius = R, .low = -0.5, .high = 1.5, .rounding = r}, volume);
}

TEST(Tessellation, OfASuperquadricGoesFromTheEllipsoidToTheBox) {
    expectFills(SuperquadricShape{{1, 2, 0.5}, 2, 2}, 4.0 / 3.0 * pi);
    const double volume = enclosedVolume(tessellate(SuperquadricShape{{1, 2, 0.5}, 60, 60}, 16));
    EXPECT_GT(volume, 0.95 * 8);
    EXPECT_LT(volume, 8);
    // An octahedron: flat, so that its volume is exact.
    EXPECT_NEAR(enclosedVolume(tessellate(SuperquadricShape{{1, 2, 0.5}, 1, 1}, 8)), 4.0 / 3.0, 0.02);
}

TEST(Tessellation, OfAHullIsTheHullAndOfARoundedOneFillsItsSteinerVolume) {
    const SurfaceTriangles sharp = tessellate(boxHull({1, 2, 0.5}, 0), 4);
    EXPECT_TRUE(isClosed(sharp));
    EXPECT_DOUBLE_EQ(enclosedVolume(sharp), 8);
    expectFills(boxHull({1, 2, 0.5}, 0.4), steinerBox({2, 4, 1}, 0.4));
}

TEST(Tessellation, OfAPolygonIsFlatAndHasItsArea) {
    const auto area = [](const SurfaceTriangles& s) {
        double sum = 0;
        for (const auto& [a, b, c] : s.triangles) {
            const Vec3 twice = cross(s.corners[b] - s.corners[a], s.corners[c] - s.corners[a]);
            EXPECT_GE(twice.z, 0);
            EXPECT_EQ(twice.x, 0);
            sum += 0.5 * twice.z;
        }
        return sum;
    };
    EXPECT_DOUBLE_EQ(area(tessellate(PolygonShape{{{0, 0}, {2, 0}, {0, 1}}, 0}, 4)), 1);
    EXPECT_NEAR(area(tessellate(PolygonShape{{{0, 0}}, 0.5}, 64)), pi / 4, 1e-3);
    EXPECT_NEAR(area(tessellate(PolygonShape{{{0, 0}, {0, 3}}, 0.5}, 64)), pi / 4 + 3, 1e-3);
    EXPECT_NEAR(area(tessellate(PolygonShape{{{0, 0}, {2, 0}, {2, 1}, {0, 1}}, 0.5}, 64)), 2 + 3 + pi / 4, 1e-3);
}

TEST(Tessellation, OfACompoundIsThatOfItsPartsInPlace) {
    CompoundBody compound;
    compound.parts.push_back({BoxShape{{1, 1, 1}, 0}, 0.5, {{3, 0, 0}, {}}});
    compound.parts.push_back({BoxShape{{1, 2, 3}, 0}, 1, {{-3, 0, 0}, rotationBy({0, 0, pi / 2})}});
    const SurfaceTriangles surface = tessellate(CompoundShape{std::make_shared<const CompoundBody>(compound)}, 4);
    EXPECT_NEAR(enclosedVolume(surface), 1 + 48, 1e-12);
    double low = 0, high = 0;
    for (const Vec3& corner : surface.corners) {
        low = std::min(low, corner.x);
        high = std::max(high, corner.x);
    }
    EXPECT_NEAR(low, -5, 1e-12);
    EXPECT_NEAR(high, 3.5, 1e-12);
}

TEST(Tessellation, HasTheVolumeOfTheMassPropertiesInTheLimit) {
    const std::vector<Vec3> tetrahedron{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}};
    for (const Shape& shape : std::vector<Shape>{
             CylinderShape{0.7, 1.5, 0.2}, ConeShape{1, 0.3, -0.6, 1, 0.1}, SuperquadricShape{{1, 2, 0.5}, 3, 4},
             SuperquadricShape{{1, 1, 2}, 1.5, 2.5}, makeHull(tetrahedron, 0.4).shape}) {
        expectFills(shape, massProperties(shape).volume);
    }
}

TEST(Tessellation, OfAWallIsEmpty) { EXPECT_TRUE(tessellate(PlaneWall{}, 4).triangles.empty()); }

}  // namespace
}  // namespace talus
