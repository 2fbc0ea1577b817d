// Triangle meshes: mass properties, how their surface is described, nearest points, and what is refused.
#include "geometry/mesh/mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>
#include <set>

#include "base/random.hpp"
#include "geometry/mesh/mesh_topology.hpp"
#include "geometry/solids/hull.hpp"
#include "talus/error.hpp"
#include "unit/sample_meshes.hpp"

namespace talus {
namespace {

using EdgeForm = TriangleMesh::EdgeForm;

std::string messageOf(const MeshFile& file, MeshInPlace (*make)(const MeshFile&) = makeMesh) {
    try {
        make(file);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

void expectMessage(const MeshFile& file, const std::string& part) {
    EXPECT_NE(messageOf(file).find(part), std::string::npos) << messageOf(file);
}

std::size_t edgesOf(const TriangleMesh& mesh, EdgeForm form) {
    return static_cast<std::size_t>(
        std::count_if(mesh.edges.begin(), mesh.edges.end(), [&](const auto& edge) { return edge.form == form; }));
}

std::size_t distinct(const std::vector<std::uint32_t>& numbers) {
    return std::set<std::uint32_t>(numbers.begin(), numbers.end()).size();
}

TEST(Mesh, OfABoxHasItsMassAndFrame) {
    const MeshInPlace made = makeMesh(movedMesh(boxMesh({1, 2, 3}), {{5, 6, 7}, {}}));
    const TriangleMesh& mesh = *made.shape.mesh;
    EXPECT_NEAR(mesh.mass.volume, 48, 1e-12);
    EXPECT_NEAR(norm(mesh.mass.inertia - Vec3{16 * 13, 16 * 10, 16 * 5}), 0, 1e-11);
    EXPECT_NEAR(norm(made.pose.position - Vec3{5, 6, 7}), 0, 1e-14);
    EXPECT_EQ(made.pose.orientation, Quat{});
    EXPECT_NEAR(mesh.radius, std::sqrt(14.0), 1e-14);
    EXPECT_TRUE(mesh.closed);
}

TEST(Mesh, OfATurnedBoxFindsItsAxes) {
    const Pose pose{{100, 0, 0}, rotationBy({0.3, -0.2, 0.5})};
    const MeshInPlace made = makeMesh(movedMesh(boxMesh({1, 2, 3}), pose));
    EXPECT_NEAR(norm(made.shape.mesh->mass.inertia - Vec3{16 * 13, 16 * 10, 16 * 5}), 0, 1e-9);
    for (const Vec3& corner : made.shape.mesh->corners) {
        EXPECT_NEAR(std::abs(corner.x), 1, 1e-12);
        EXPECT_NEAR(std::abs(corner.y), 2, 1e-12);
        EXPECT_NEAR(std::abs(corner.z), 3, 1e-12);
    }
}

TEST(Mesh, OfABallComesToItsMassWithTheSquareOfTheEdge) {
    const double volume = 4.0 / 3 * std::numbers::pi;
    double last = 1;
    for (int n = 1; n < 6; ++n) {
        const TriangleMesh mesh = *makeMesh(ballMesh(n)).shape.mesh;
        const double error = 1 - mesh.mass.volume / volume;
        EXPECT_GT(error, 0);
        if (n > 2) {
            EXPECT_NEAR(last / error, 4, 0.2);
        }
        EXPECT_NEAR(mesh.mass.inertia.x / (0.4 * volume), 1, 2 * error);
        last = error;
    }
}

TEST(Mesh, OfAHullHasTheMassThatRandomPointsFind) {
    Random random(5, 0);
    std::vector<Vec3> points;
    for (int n = 0; n < 30; ++n) points.push_back(random.inBox({-1, -0.5, -0.7}, {1, 0.5, 0.7}));
    const HullInPlace hull = makeHull(points);
    MeshFile file{.name = "hull", .corners = hull.shape.hull->corners};
    for (const ConvexHull::Face& face : hull.shape.hull->faces) {
        for (std::size_t k = 2; k < face.corners.size(); ++k) {
            file.triangles.push_back({face.corners[0], face.corners[k - 1], face.corners[k]});
        }
    }
    const MeshInPlace made = makeMesh(file);
    // Moments within a box about the hull; the standard error of N points is below 1/sqrt(N) of the box's.
    constexpr int count = 200'000;
    const double r = hull.shape.hull->radius, box = 8 * r * r * r;
    double volume = 0;
    Vec3 inertia;
    for (int n = 0; n < count; ++n) {
        const Vec3 p = random.inBox({-r, -r, -r}, {r, r, r});
        const auto isInside = [&](const ConvexHull::Face& face) { return dot(face.normal, p) <= face.distance; };
        if (!std::all_of(hull.shape.hull->faces.begin(), hull.shape.hull->faces.end(), isInside)) continue;
        volume += box / count;
        inertia += box / count * Vec3{p.y * p.y + p.z * p.z, p.z * p.z + p.x * p.x, p.x * p.x + p.y * p.y};
    }
    const double error = 4 * box / std::sqrt(count);
    EXPECT_NEAR(made.shape.mesh->mass.volume, volume, error);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(made.shape.mesh->mass.inertia[k], inertia[k], error * r * r);
    EXPECT_NEAR(norm(made.pose.position), 0, 1e-12);
}

TEST(Mesh, OfAHollowBoxLeavesTheHollowOut) {
    MeshFile file = boxMesh({2, 2, 2});
    const MeshFile hollow = boxMesh({1, 1, 1});
    file.corners.insert(file.corners.end(), hollow.corners.begin(), hollow.corners.end());
    for (const Triple& t : hollow.triangles) file.triangles.push_back({t[0] + 8, t[2] + 8, t[1] + 8});
    EXPECT_NEAR(makeMesh(file).shape.mesh->mass.volume, 64 - 8, 1e-12);
}

TEST(Mesh, OfARefinedBoxHasSixPatchesTwelveLinesAndEightPoints) {
    MeshFile file = boxMesh({1, 1, 1});
    for (int n = 0; n < 3; ++n) file = refined(file, [](const Vec3& p) { return p; });
    const MeshInPlace made = makeMesh(movedMesh(file, {{3, 4, 5}, rotationBy({0.4, 0.5, 0.6})}));
    const TriangleMesh& mesh = *made.shape.mesh;
    EXPECT_EQ(mesh.triangles.size(), 12u * 64);
    EXPECT_EQ(distinct(mesh.patch), 6u);
    EXPECT_EQ(distinct(mesh.surface), 6u);
    EXPECT_EQ(edgesOf(mesh, EdgeForm::convex), 12u * 8);
    EXPECT_EQ(edgesOf(mesh, EdgeForm::concave) + edgesOf(mesh, EdgeForm::boundary), 0u);
    std::set<std::uint32_t> lines;
    for (const auto& edge : mesh.edges) {
        EXPECT_EQ(edge.line == TriangleMesh::noLine, edge.form == EdgeForm::flat);
        if (edge.line != TriangleMesh::noLine) lines.insert(edge.line);
    }
    EXPECT_EQ(lines.size(), 12u);
    EXPECT_EQ(std::count(mesh.cornerLine.begin(), mesh.cornerLine.end(), TriangleMesh::ownPoint), 8);
    EXPECT_EQ(std::count(mesh.pointed.begin(), mesh.pointed.end(), 1), 8);
    // Euler: corners - edges + triangles.
    EXPECT_EQ(mesh.corners.size() + mesh.triangles.size(), mesh.edges.size() + 2);
}

TEST(Mesh, OfABallIsOneSmoothSurfaceWithoutLines) {
    const MeshInPlace made = makeMesh(ballMesh(3));
    EXPECT_EQ(distinct(made.shape.mesh->surface), 1u);
    EXPECT_EQ(distinct(made.shape.mesh->patch), made.shape.mesh->triangles.size());
    for (const auto& edge : made.shape.mesh->edges) {
        EXPECT_EQ(edge.line, TriangleMesh::noLine);
        EXPECT_EQ(edge.form, EdgeForm::convex);
    }
}

TEST(Mesh, TellsHollowEdgesFromOutwardOnes) {
    // A gutter and a roof.
    const MeshInPlace gutter = makeSurface(sheetMesh(2, 1, [](double x, double) { return std::abs(x); }));
    const MeshInPlace roof = makeSurface(sheetMesh(2, 1, [](double x, double) { return -std::abs(x); }));
    EXPECT_EQ(edgesOf(*gutter.shape.mesh, EdgeForm::concave), 2u);
    EXPECT_EQ(edgesOf(*roof.shape.mesh, EdgeForm::convex), 2u);
    EXPECT_EQ(edgesOf(*roof.shape.mesh, EdgeForm::boundary), 8u);
    EXPECT_EQ(distinct(roof.shape.mesh->patch), 2u);
}

TEST(Mesh, WalksAroundEveryCorner) {
    for (const MeshInPlace& made : {makeMesh(ballMesh(2)), makeSurface(sheetMesh(4, 1))}) {
        const TriangleMesh& mesh = *made.shape.mesh;
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            for (int k = 0; k < 3; ++k) {
                std::vector<std::uint32_t> expected, found;
                for (std::uint32_t other = 0; other < mesh.triangles.size(); ++other) {
                    const Triple& o = mesh.triangles[other];
                    if (std::find(o.begin(), o.end(), mesh.triangles[t][k]) != o.end()) expected.push_back(other);
                }
                forEachAround(mesh, t, k, [&](std::uint32_t other) { found.push_back(other); });
                EXPECT_EQ(found.front(), t);
                std::sort(found.begin(), found.end());
                EXPECT_EQ(found, expected);
            }
        }
    }
}

TEST(Mesh, FindsTheNearestPointThatALookAtAllTrianglesFinds) {
    const MeshInPlace made = makeMesh(ballMesh(3));
    const TriangleMesh& mesh = *made.shape.mesh;
    Random random(11, 0);
    for (int n = 0; n < 300; ++n) {
        const Vec3 p = random.inBox({-2, -2, -2}, {2, 2, 2});
        double least = 1e9;
        for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
            least = std::min(least, norm(p - nearestOnTriangle(mesh, t, p).point));
        }
        EXPECT_EQ(nearestOnMesh(mesh, p, 10).distance, least);
        EXPECT_LE(leastDistanceTo(mesh.tree, p, 10), least);
        EXPECT_EQ(nearestOnMesh(mesh, p, 0.5 * least).triangle, TriangleMesh::noTriangle);
    }
}

TEST(Mesh, SurfaceIsCentredInItsBoxAndHasNoMass) {
    const MeshInPlace made = makeSurface(movedMesh(sheetMesh(3, 2), {{1, 2, 3}, {}}));
    EXPECT_EQ(made.pose.position, (Vec3{1, 2, 3}));
    EXPECT_EQ(made.shape.mesh->mass.volume, 0);
    EXPECT_FALSE(made.shape.mesh->closed);
    EXPECT_NEAR(made.shape.mesh->radius, std::sqrt(8.0), 1e-14);
}

TEST(Mesh, SurfaceWithTurnedTrianglesIsTheSameSurface) {
    MeshFile file = sheetMesh(4, 1);
    for (std::size_t t = 1; t < file.triangles.size(); t += 3) std::swap(file.triangles[t][0], file.triangles[t][1]);
    const MeshInPlace made = makeSurface(file);
    EXPECT_EQ(distinct(made.shape.mesh->patch), 1u);
    for (const Vec3& normal : made.shape.mesh->normals) EXPECT_EQ(normal, made.shape.mesh->normals.front());
}

TEST(Mesh, RefusesSurfacesThatBoundNoBody) {
    MeshFile open = boxMesh({1, 1, 1});
    open.triangles.pop_back();
    expectMessage(open, "has a hole");
    EXPECT_EQ(messageOf(open, makeSurface), "");

    MeshFile inverted = boxMesh({1, 1, 1});
    for (Triple& t : inverted.triangles) std::swap(t[0], t[1]);
    expectMessage(inverted, "inside out (its volume is -8 m^3)");

    MeshFile turned = boxMesh({1, 1, 1});
    std::swap(turned.triangles[4][0], turned.triangles[4][1]);
    expectMessage(turned, "turned over");

    MeshFile pillow = tetrahedronMesh();
    pillow.triangles = {{0, 1, 2}, {0, 2, 1}};
    expectMessage(pillow, "bounds no volume");
}

TEST(Mesh, RefusesTrianglesThatAreNone) {
    MeshFile degenerate = boxMesh({1, 1, 1});
    degenerate.triangles.push_back({0, 1, 1});
    expectMessage(degenerate, "box: triangle 13: it has no area");
    degenerate.corners.push_back({0, -1, -1});
    degenerate.triangles.back() = {0, 1, 8};
    expectMessage(degenerate, "triangle 13: it has no area");

    MeshFile outOfRange = boxMesh({1, 1, 1});
    outOfRange.triangles[3][1] = 8;
    expectMessage(outOfRange, "triangle 4: corner 9 does not exist: there are 8");

    MeshFile fin = boxMesh({1, 1, 1});
    fin.corners.push_back({3, 3, 3});
    fin.triangles.push_back({0, 1, 8});
    expectMessage(fin, "more than two triangles");
    EXPECT_NE(messageOf(fin, makeSurface).find("more than two triangles"), std::string::npos);

    MeshFile far = boxMesh({1, 1, 1});
    far.corners[2].y = 1e10;
    expectMessage(far, "is not within 1e+09 m");
    far.corners[2].y = NAN;
    expectMessage(far, "nan, -1] is not a number");

    expectMessage({.name = "nil"}, "nil: has no triangles");
}

}  // namespace
}  // namespace talus
