#include "collision/narrow/mesh_convex.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <tuple>

#include "collision/narrow/features.hpp"
#include "collision/narrow/mesh_touches.hpp"
#include "shapes/principal_axes.hpp"

namespace talus {
namespace {

using EdgeForm = TriangleMesh::EdgeForm;

constexpr double coneSlack = 0.01;    // rad, by which a normal at an edge may lean into a face
constexpr double samePlace = 1e-6;    // -, of the solid's radius: contacts nearer to each other are one
constexpr double beyondInward = 0.2;  // -, of the solid's radius: how far a contact may lie beyond an inward edge

const Shape planeShape = PlaneWall{};

Quat turnZTo(const Vec3& direction) {
    // The shortest turn; of opposite directions about x.
    if (direction.z < -1 + 1e-12) return {0, 1, 0, 0};
    return normalized(Quat{1 + direction.z, -direction.y, direction.x, 0});
}

// A contact with its name among the parts of the mesh: its own, and that of the smooth surface or line it is on.
struct NamedContact {
    ContactPoint point;
    std::uint32_t own, smooth;
};

// All in the frame of the mesh at scale 1.
class ConvexOnMesh {
public:
    ConvexOnMesh(const ShapeInPlace& solid, const TriangleMesh& mesh, double margin)
        : solid_(solid), mesh_(mesh), margin_(margin), radius_(solid.scale * boundingRadius(*solid.shape)) {}

    void find(std::vector<NamedContact>& found) {
        thread_local std::vector<std::uint32_t> near;
        collectNear(near);
        addPatches(near, found);
        addEdges(near, found);
        dropDoubles(found);
    }

private:
    // Triangles near the solid, sorted by patch.
    void collectNear(std::vector<std::uint32_t>& near) const {
        near.clear();
        const double reach = radius_ + margin_;
        forEachItemWithin(mesh_.tree, solid_.pose.position, reach, [&](std::uint32_t t) {
            const Vec3 way = solid_.pose.position - nearestOnTriangle(mesh_, t, solid_.pose.position).point;
            if (normSquared(way) <= reach * reach) near.push_back(t);
        });
        std::sort(near.begin(), near.end(), [&](std::uint32_t a, std::uint32_t b) {
            return std::tie(mesh_.patch[a], a) < std::tie(mesh_.patch[b], b);
        });
    }

    void addPatches(const std::vector<std::uint32_t>& near, std::vector<NamedContact>& found) const {
        for (std::size_t first = 0, end; first < near.size(); first = end) {
            end = first + 1;
            while (end < near.size() && mesh_.patch[near[end]] == mesh_.patch[near[first]]) ++end;
            addPatch({near.data() + first, end - first}, found);
        }
    }

    void addPatch(std::span<const std::uint32_t> triangles, std::vector<NamedContact>& found) const {
        const std::uint32_t t = triangles.front();
        const Vec3& origin = mesh_.corners[mesh_.triangles[t][0]];
        const double height = dot(solid_.pose.position - origin, mesh_.normals[t]);
        if (mesh_.closed && height < 0) return;
        const Vec3 normal = height < 0 ? -mesh_.normals[t] : mesh_.normals[t];
        thread_local std::vector<ContactPoint> points;
        points.clear();
        findContactPoints(solid_, {&planeShape, 1, {origin, turnZTo(normal)}}, margin_, points);
        for (ContactPoint& point : points) {
            point.normal = normal;
            const Vec3 foot = point.position - (0.5 * point.gap) * normal;
            if (!holds(triangles, foot) || !isNearest(foot + point.gap * normal, point.gap)) continue;
            found.push_back(
                {point, partNumber(MeshPart::patch, mesh_.patch[t]), partNumber(MeshPart::surface, mesh_.surface[t])});
        }
    }

    // True if a point of the plane lies in the patch, or beyond an inward edge of it.
    bool holds(std::span<const std::uint32_t> triangles, const Vec3& foot) const {
        double least = beyondInward * radius_;
        bool isHeld = false;
        for (const std::uint32_t t : triangles) {
            const NearestOnTriangle near = nearestOnTriangle(mesh_, t, foot);
            const double distance = norm(foot - near.point);
            if (near.part == TrianglePart::face || distance <= samePlace * radius_) return true;
            if (distance >= least) continue;
            least = distance;
            isHeld = goesOnInward(t, near);
        }
        return isHeld;
    }

    bool goesOnInward(std::uint32_t t, const NearestOnTriangle& near) const {
        const auto isInward = [&](int side) {
            return mesh_.edges[mesh_.triangleEdges[t][side]].form == EdgeForm::concave;
        };
        if (near.part == TrianglePart::edge) return isInward(near.number);
        return isInward(near.number) || isInward((near.number + 2) % 3);
    }

    // True if no part of the surface is nearer to a point behind a patch than the patch itself.
    bool isNearest(const Vec3& point, double gap) const {
        if (gap >= 0) return true;
        const double within = -gap * (1 - 1e-6) - 1e-9 * radius_;
        return within <= 0 || nearestOnMesh(mesh_, point, within).triangle == TriangleMesh::noTriangle;
    }

    void addEdges(const std::vector<std::uint32_t>& near, std::vector<NamedContact>& found) const {
        for (const std::uint32_t t : near) {
            for (const std::uint32_t e : mesh_.triangleEdges[t]) {
                const TriangleMesh::Edge& edge = mesh_.edges[e];
                if (!isRidge(mesh_, edge)) continue;
                // Once, by the triangle that comes first among those that are near.
                const std::uint32_t other = edge.left == t ? edge.right : edge.left;
                const bool isOthers = other != TriangleMesh::noTriangle &&
                                      std::tie(mesh_.patch[other], other) < std::tie(mesh_.patch[t], t) &&
                                      isNear(other);
                if (!isOthers) addEdge(e, t, found);
            }
        }
    }

    bool isNear(std::uint32_t t) const {
        const double reach = radius_ + margin_;
        const Vec3 way = solid_.pose.position - nearestOnTriangle(mesh_, t, solid_.pose.position).point;
        return normSquared(way) <= reach * reach;
    }

    void addEdge(std::uint32_t e, std::uint32_t t, std::vector<NamedContact>& found) const {
        const TriangleMesh::Edge& edge = mesh_.edges[e];
        const Vec3 &from = mesh_.corners[edge.from], &to = mesh_.corners[edge.to];
        const double length = norm(to - from);
        const Shape segment = CapsuleShape{0, 0.5 * length};
        thread_local std::vector<ContactPoint> points;
        points.clear();
        findContactPoints(solid_, {&segment, 1, {0.5 * (from + to), turnZTo((to - from) / length)}}, margin_, points);
        for (const ContactPoint& point : points) {
            if (!leavesEdge(mesh_, edge, point.normal, coneSlack)) continue;
            const std::uint32_t smooth = edge.line == TriangleMesh::noLine
                                             ? partNumber(MeshPart::surface, mesh_.surface[t])
                                             : partNumber(MeshPart::line, edge.line);
            found.push_back({point, partNumber(MeshPart::edge, e), smooth});
        }
    }

    // Ends of edges are shared, and a corner of the solid above an edge is seen by both: the deepest stays.
    void dropDoubles(std::vector<NamedContact>& found) const {
        std::stable_sort(found.begin(), found.end(),
                         [](const NamedContact& a, const NamedContact& b) { return a.point.gap < b.point.gap; });
        std::size_t kept = 0;
        for (const NamedContact& next : found) {
            const bool isDouble = std::any_of(found.begin(), found.begin() + kept, [&](const NamedContact& other) {
                return norm(other.point.position - next.point.position) < samePlace * radius_ &&
                       dot(other.point.normal, next.point.normal) > 0.5;
            });
            if (!isDouble) found[kept++] = next;
        }
        found.resize(kept);
    }

    const ShapeInPlace solid_;
    const TriangleMesh& mesh_;
    double margin_, radius_;  // m
};

// The part of the solid, with that of the mesh: the smooth one if the solid's part touches it only once.
void nameContacts(std::vector<NamedContact>& found) {
    const auto solidPart = [](const NamedContact& c) { return c.point.feature >> 32; };
    thread_local std::vector<std::uint64_t> names;
    names.clear();
    for (const NamedContact& c : found) {
        const auto isRival = [&](const NamedContact& other) {
            return other.smooth == c.smooth && solidPart(other) == solidPart(c);
        };
        const bool isAlone = std::count_if(found.begin(), found.end(), isRival) == 1;
        names.push_back(isAlone ? joinedFeature(solidPart(c), c.smooth) : joinedFeature(c.point.feature, c.own));
    }
    for (std::size_t k = 0; k < found.size(); ++k) found[k].point.feature = names[k];
}

}  // namespace

void findConvexMeshContacts(const ShapeInPlace& solid, const ShapeInPlace& mesh, double margin,
                            std::vector<ContactPoint>& points) {
    thread_local std::vector<NamedContact> found;
    found.clear();
    const Pose pose{intoFrame(mesh.pose, solid.pose.position) / mesh.scale,
                    conjugate(mesh.pose.orientation) * solid.pose.orientation};
    const ShapeInPlace local{solid.shape, solid.scale / mesh.scale, pose};
    ConvexOnMesh(local, *std::get<MeshShape>(*mesh.shape).mesh, margin / mesh.scale).find(found);
    nameContacts(found);
    const std::size_t start = points.size();
    for (const NamedContact& c : found) {
        ContactPoint point = c.point;
        point.position = outOfFrame(mesh.pose, mesh.scale * c.point.position);
        point.normal = rotate(mesh.pose.orientation, c.point.normal);
        point.gap *= mesh.scale;
        point.radius *= mesh.scale;
        points.push_back(point);
    }
    orderByFeature(points, start);
}

}  // namespace talus
