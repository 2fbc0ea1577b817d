#include "io/results/picture/eye_scene.hpp"

#include <algorithm>
#include <cmath>

namespace talus {
namespace {

constexpr double smoothCosine = 0.6;  // neighbours at less than 53 degrees belong to one round surface

std::vector<EyeSphere> spheresOf(const PictureScene& scene, const Camera& camera) {
    std::vector<EyeSphere> spheres(scene.centre.size());
    for (std::size_t i = 0; i < spheres.size(); ++i) spheres[i] = {camera.toEye(scene.centre[i]), scene.radius[i]};
    return spheres;
}

// A disc of each plane under the bodies.
std::vector<EyeGround> groundsOf(const PictureScene& scene, const Camera& camera) {
    std::vector<EyeGround> grounds;
    for (const Ground& g : scene.grounds)
        grounds.push_back({camera.toEye(g.foot), camera.turnToEye(g.normal), g.radius});
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
    return dot(normal, camera.toTheEye(triangle.corners[0])) * dot(normal, point - triangle.corners[0]) < 0;
}

using Edge = std::array<std::uint32_t, 2>;
using RimEdges = std::vector<std::pair<Edge, std::uint32_t>>;

// Edges that one triangle alone has, with its number.
RimEdges rimEdges(const BodySurfaces& surfaces) {
    RimEdges edges;  // smaller corner first
    for (std::uint32_t t = 0; t < surfaces.triangles.size(); ++t) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t a = surfaces.triangles[t][k], b = surfaces.triangles[t][(k + 1) % 3];
            edges.push_back({{std::min(a, b), std::max(a, b)}, t});
        }
    }
    std::sort(edges.begin(), edges.end());
    RimEdges rims;
    for (std::size_t k = 0; k < edges.size();) {
        std::size_t end = k + 1;
        while (end < edges.size() && edges[end].first == edges[k].first) ++end;
        if (end == k + 1) rims.push_back(edges[k]);
        k = end;
    }
    return rims;
}

std::vector<bool> openBodies(const PictureScene& scene, const RimEdges& rims) {
    std::vector<bool> isOpen(scene.centre.size(), false);
    for (const auto& [edge, triangle] : rims) isOpen[scene.surfaces.body[triangle]] = true;
    return isOpen;
}

std::vector<EyeTriangle> trianglesOf(const PictureScene& scene, const Camera& camera, const RimEdges& rims) {
    const BodySurfaces& surfaces = scene.surfaces;
    const std::vector<bool> isOpen = openBodies(scene, rims);
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
        if (isOpen[triangle.grain] && hides(triangle, camera.toEye(scene.centre[triangle.grain]), camera)) continue;
        triangles.push_back(triangle);
    }
    return triangles;
}

double usualRadius(const PictureScene& scene) {
    std::vector<double> radii;
    for (const double radius : scene.radius) {
        if (radius > 0) radii.push_back(radius);
    }
    const std::size_t bodies = std::max<std::size_t>(1, scene.centre.size());
    if (radii.empty()) return 0.5 * scene.bounds.diagonal() / std::cbrt(static_cast<double>(bodies));
    const auto middle = radii.begin() + static_cast<std::ptrdiff_t>(radii.size() / 2);
    std::nth_element(radii.begin(), middle, radii.end());
    return *middle;
}

// True if the eye sees one of the faces at the edge from the front and the other from the back.
bool isOutline(const WallEdge& edge, const Camera& camera) {
    const Vec3 toEye = camera.toTheEye(camera.toEye(edge.segment.from));
    return dot(camera.turnToEye(edge.firstNormal), toEye) * dot(camera.turnToEye(edge.secondNormal), toEye) < 0;
}

// Edges of walls that are drawn from there, rims of flat and open surfaces (what tells bodies of a planar scene apart),
// planes that are no grounds.
std::vector<Segment> linesOf(const PictureScene& scene, const Camera& camera, const RimEdges& rims) {
    std::vector<Segment> lines = scene.outlines;
    for (const WallEdge& edge : scene.edges) {
        if (edge.isAlwaysDrawn || isOutline(edge, camera)) lines.push_back(edge.segment);
    }
    const std::vector<Vec3>& corners = scene.surfaces.corners;
    for (const auto& [edge, triangle] : rims) lines.push_back({corners[edge[0]], corners[edge[1]]});
    for (Segment& line : lines) line = {camera.toEye(line.from), camera.toEye(line.to)};
    return lines;
}

}  // namespace

EyeScene makeEyeScene(const PictureScene& scene, const Camera& camera) {
    const RimEdges rims = rimEdges(scene.surfaces);
    return {spheresOf(scene, camera), groundsOf(scene, camera), trianglesOf(scene, camera, rims),
            linesOf(scene, camera, rims), usualRadius(scene)};
}

}  // namespace talus
