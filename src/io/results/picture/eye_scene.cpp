#include "io/results/picture/eye_scene.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/mesh/mesh.hpp"

namespace talus {
namespace {

constexpr double smoothCosine = 0.6;  // neighbours at less than 53 degrees belong to one round surface

std::vector<EyeSphere> spheresOf(const WorldState& world, const Camera& camera) {
    std::vector<EyeSphere> spheres(world.bodies.grainCount);
    for (std::size_t i = 0; i < spheres.size(); ++i) {
        const double radius = hasSurface(world, i) ? 0 : world.bodies.radius[i];
        spheres[i] = {camera.toEye(world.bodies.position[i]), radius};
    }
    return spheres;
}

// A disc of each plane under the grains.
std::vector<EyeGround> groundsOf(const WorldState& world, const Camera& camera, const Bounds& bounds) {
    std::vector<EyeGround> grounds;
    const Bodies& b = world.bodies;
    for (std::size_t i = b.grainCount; i < b.size(); ++i) {
        if (!std::holds_alternative<PlaneWall>(world.shapes[b.shape[i]])) continue;
        const Vec3 normal = rotate(b.orientation[i], {0, 0, 1});
        const Vec3 foot = bounds.centre() - dot(bounds.centre() - b.position[i], normal) * normal;
        grounds.push_back({camera.toEye(foot), camera.turnToEye(normal), 1.1 * bounds.diagonal()});
    }
    return grounds;
}

// Twice the area times the unit normal of each triangle.
std::vector<Vec3> areaNormals(const std::vector<Vec3>& corners,
                              const std::vector<std::array<std::uint32_t, 3>>& triangles) {
    std::vector<Vec3> normals;
    for (const auto& [a, b, c] : triangles) {
        normals.push_back(cross(corners[b] - corners[a], corners[c] - corners[a]));
    }
    return normals;
}

// For each corner the triangles that have it, in one list cut by `first`.
struct CornerTriangles {
    std::vector<std::uint32_t> first, list;

    explicit CornerTriangles(const BodySurfaces& s) : first(s.corners.size() + 1, 0), list(3 * s.triangles.size()) {
        for (const auto& triangle : s.triangles) {
            for (const std::uint32_t corner : triangle) ++first[corner + 1];
        }
        for (std::size_t k = 1; k < first.size(); ++k) first[k] += first[k - 1];
        std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
        for (std::uint32_t t = 0; t < s.triangles.size(); ++t) {
            for (const std::uint32_t corner : s.triangles[t]) list[next[corner]++] = t;
        }
    }
};

// True if the plane of the triangle stands between the eye and the point.
bool hides(const EyeTriangle& triangle, const Vec3& point, const Camera& camera) {
    const Vec3 normal = cross(triangle.corners[1] - triangle.corners[0], triangle.corners[2] - triangle.corners[0]);
    const Vec3 toEye = camera.isPerspective() ? -triangle.corners[0] : Vec3{0, 0, -1};
    return dot(normal, toEye) * dot(normal, point - triangle.corners[0]) < 0;
}

bool isOpenSurface(const WorldState& world, std::uint32_t body) {
    const auto* mesh = std::get_if<MeshShape>(&world.shapes[world.bodies.shape[body]]);
    return mesh != nullptr && !mesh->mesh->closed;
}

std::vector<EyeTriangle> trianglesOf(const WorldState& world, const BodySurfaces& surfaces, const Camera& camera) {
    std::vector<Vec3> corners;
    for (const Vec3& corner : surfaces.corners) corners.push_back(camera.toEye(corner));
    const std::vector<Vec3> normals = areaNormals(corners, surfaces.triangles);
    const CornerTriangles around(surfaces);
    std::vector<EyeTriangle> triangles;
    for (std::size_t t = 0; t < surfaces.triangles.size(); ++t) {
        if (norm(normals[t]) == 0) continue;
        EyeTriangle triangle{.grain = surfaces.body[t]};
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t corner = surfaces.triangles[t][k];
            triangle.corners[k] = corners[corner];
            // The mean over the triangles there that go on smoothly from this one.
            for (std::uint32_t n = around.first[corner]; n < around.first[corner + 1]; ++n) {
                const Vec3& other = normals[around.list[n]];
                if (dot(other, normals[t]) >= smoothCosine * norm(other) * norm(normals[t]))
                    triangle.normals[k] += other;
            }
        }
        if (isOpenSurface(world, triangle.grain) &&
            hides(triangle, camera.toEye(world.bodies.position[triangle.grain]), camera))
            continue;
        triangles.push_back(triangle);
    }
    return triangles;
}

double usualRadius(const WorldState& world) {
    std::vector<double> radii(world.bodies.radius.begin(),
                              world.bodies.radius.begin() + static_cast<std::ptrdiff_t>(world.bodies.grainCount));
    if (radii.empty()) return 1;
    const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
    std::nth_element(radii.begin(), middle, radii.end());
    return *middle;
}

}  // namespace

EyeScene makeEyeScene(const WorldState& world, const Camera& camera, const Bounds& bounds,
                      const BodySurfaces& surfaces) {
    return {spheresOf(world, camera), groundsOf(world, camera, bounds), trianglesOf(world, surfaces, camera),
            usualRadius(world)};
}

std::vector<Segment> rimsOf(const BodySurfaces& surfaces) {
    using Edge = std::array<std::uint32_t, 2>;
    std::vector<Edge> edges;  // smaller corner first
    for (const auto& triangle : surfaces.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = triangle[k], b = triangle[(k + 1) % 3];
            edges.push_back({std::min(a, b), std::max(a, b)});
        }
    }
    std::sort(edges.begin(), edges.end());
    std::vector<Segment> rims;
    for (std::size_t k = 0; k < edges.size();) {
        std::size_t end = k + 1;
        while (end < edges.size() && edges[end] == edges[k]) ++end;
        if (end == k + 1) rims.push_back({surfaces.corners[edges[k][0]], surfaces.corners[edges[k][1]]});
        k = end;
    }
    return rims;
}

}  // namespace talus
