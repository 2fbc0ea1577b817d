#include "geometry/mesh/mesh_surface.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "geometry/mesh/mesh_topology.hpp"

namespace talus {
namespace {

using EdgeForm = TriangleMesh::EdgeForm;

// Sets that are joined two by two; a set is named by its lowest member.
class JoinedSets {
public:
    explicit JoinedSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
    std::uint32_t find(std::uint32_t k) {
        while (parent_[k] != k) k = parent_[k] = parent_[parent_[k]];
        return k;
    }
    void join(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
    }

private:
    std::vector<std::uint32_t> parent_;
};

Vec3 across(const TriangleMesh& mesh, const TriangleMesh::Edge& edge, std::uint32_t triangle) {
    // Unit, in the plane of the triangle, from the edge into it.
    const auto& t = mesh.triangles[triangle];
    const std::uint32_t far = t[0] != edge.from && t[0] != edge.to   ? t[0]
                              : t[1] != edge.from && t[1] != edge.to ? t[1]
                                                                     : t[2];
    const Vec3 along = normalized(mesh.corners[edge.to] - mesh.corners[edge.from]);
    const Vec3 to = mesh.corners[far] - mesh.corners[edge.from];
    return normalized(to - dot(to, along) * along);
}

// Angle by which the surface bends at an inner edge, positive if convex; the orientation of the right triangle does not
// matter.
double bend(const TriangleMesh& mesh, const TriangleMesh::Edge& edge) {
    const Vec3 left = across(mesh, edge, edge.left), right = across(mesh, edge, edge.right);
    const double angle = std::atan2(norm(cross(left, right)), -dot(left, right));
    return dot(mesh.normals[edge.left], right) < 0 ? angle : -angle;
}

void findEdges(TriangleMesh& mesh) {
    mesh.triangleEdges.assign(mesh.triangles.size(), {0, 0, 0});
    mesh.edges.clear();
    for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t a = mesh.triangles[t][k], b = mesh.triangles[t][(k + 1) % 3];
            const std::uint32_t other = mesh.neighbours[t][k];
            if (other != TriangleMesh::noTriangle && other < t) {
                // Known from the other side. Two triangles can share more than one edge only if they are the same.
                for (int j = 0; j < 3; ++j) {
                    const std::uint32_t edge = mesh.triangleEdges[other][j];
                    if (mesh.edges[edge].from == std::min(a, b) && mesh.edges[edge].to == std::max(a, b)) {
                        mesh.triangleEdges[t][k] = edge;
                    }
                }
                continue;
            }
            mesh.triangleEdges[t][k] = static_cast<std::uint32_t>(mesh.edges.size());
            mesh.edges.push_back({std::min(a, b), std::max(a, b), t, other, EdgeForm::boundary, TriangleMesh::noLine});
        }
    }
}

EdgeForm formOf(const TriangleMesh& mesh, const TriangleMesh::Edge& edge, double angle) {
    if (edge.right == TriangleMesh::noTriangle) return EdgeForm::boundary;
    if (mesh.patch[edge.left] == mesh.patch[edge.right]) return EdgeForm::flat;
    return angle > 0 ? EdgeForm::convex : EdgeForm::concave;
}

// Numbers from 0 in the order of first appearance.
std::vector<std::uint32_t> numbered(JoinedSets& sets, std::size_t count) {
    std::vector<std::uint32_t> number(count), ofRoot(count, nothing);
    std::uint32_t next = 0;
    for (std::uint32_t k = 0; k < count; ++k) {
        std::uint32_t& name = ofRoot[sets.find(k)];
        if (name == nothing) name = next++;
        number[k] = name;
    }
    return number;
}

// Forms of the edges, and the smooth surfaces; returns which edges are creases.
std::vector<char> joinSmoothly(TriangleMesh& mesh) {
    std::vector<char> crease(mesh.edges.size(), 0);
    JoinedSets surfaces(mesh.triangles.size());
    for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
        TriangleMesh::Edge& edge = mesh.edges[e];
        const double angle = edge.right == TriangleMesh::noTriangle ? 0 : bend(mesh, edge);
        edge.form = formOf(mesh, edge, angle);
        const bool isBent = edge.form == EdgeForm::convex || edge.form == EdgeForm::concave;
        crease[e] = edge.form == EdgeForm::boundary || (isBent && std::abs(angle) > creaseAngle);
        if (!crease[e]) surfaces.join(edge.left, edge.right);
    }
    mesh.surface = numbered(surfaces, mesh.triangles.size());
    return crease;
}

Vec3 directionFrom(const TriangleMesh& mesh, const TriangleMesh::Edge& edge, std::uint32_t corner) {
    const Vec3 along = normalized(mesh.corners[edge.to] - mesh.corners[edge.from]);
    return corner == edge.from ? along : -along;
}

// Edges of a kind at each corner: their number, and the first two.
struct CornerEdges {
    std::uint32_t count = 0;
    std::array<std::uint32_t, 2> first{};
};
template <class IsMeant>
std::vector<CornerEdges> edgesAtCorners(const TriangleMesh& mesh, IsMeant&& isMeant) {
    std::vector<CornerEdges> found(mesh.corners.size());
    for (std::uint32_t e = 0; e < mesh.edges.size(); ++e) {
        if (!isMeant(e)) continue;
        for (const std::uint32_t corner : {mesh.edges[e].from, mesh.edges[e].to}) {
            CornerEdges& at = found[corner];
            if (at.count < 2) at.first[at.count] = e;
            ++at.count;
        }
    }
    return found;
}

// True if exactly two edges meet and the way from one to the other turns by less than the angle.
bool goesOn(const TriangleMesh& mesh, const CornerEdges& at, std::uint32_t corner, double angle) {
    if (at.count != 2) return false;
    const Vec3 a = directionFrom(mesh, mesh.edges[at.first[0]], corner);
    const Vec3 b = directionFrom(mesh, mesh.edges[at.first[1]], corner);
    return std::atan2(norm(cross(a, b)), -dot(a, b)) < angle;
}

void joinLines(TriangleMesh& mesh, const std::vector<char>& crease) {
    const std::vector<CornerEdges> at = edgesAtCorners(mesh, [&](std::uint32_t e) { return crease[e] != 0; });
    JoinedSets lines(mesh.edges.size());
    for (std::uint32_t c = 0; c < at.size(); ++c) {
        if (goesOn(mesh, at[c], c, creaseAngle)) lines.join(at[c].first[0], at[c].first[1]);
    }
    const std::vector<std::uint32_t> number = numbered(lines, mesh.edges.size());
    for (std::size_t e = 0; e < mesh.edges.size(); ++e) {
        if (crease[e]) mesh.edges[e].line = number[e];
    }
    mesh.cornerLine.assign(mesh.corners.size(), TriangleMesh::ownPoint);
    for (std::uint32_t c = 0; c < at.size(); ++c) {
        if (at[c].count == 0) mesh.cornerLine[c] = TriangleMesh::noLine;
        if (goesOn(mesh, at[c], c, creaseAngle)) mesh.cornerLine[c] = mesh.edges[at[c].first[0]].line;
    }
}

// Corners within a plane patch, or on a straight edge of one, are none of the body.
void findPointedCorners(TriangleMesh& mesh) {
    constexpr double straight = 1e-6;  // rad
    const std::vector<CornerEdges> at =
        edgesAtCorners(mesh, [&](std::uint32_t e) { return mesh.edges[e].form != EdgeForm::flat; });
    mesh.pointed.assign(mesh.corners.size(), 0);
    for (std::uint32_t c = 0; c < at.size(); ++c) {
        mesh.pointed[c] = at[c].count > 0 && !goesOn(mesh, at[c], c, straight);
    }
}

}  // namespace

void describeSurface(TriangleMesh& mesh, double tolerance) {
    mesh.normals.resize(mesh.triangles.size());
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
        mesh.normals[t] = normalized(areaVector(mesh.corners, mesh.triangles[t]));
    }
    mesh.patch = findPlanePatches(mesh.corners, mesh.triangles, mesh.neighbours, tolerance);
    findEdges(mesh);
    joinLines(mesh, joinSmoothly(mesh));
    findPointedCorners(mesh);
}

}  // namespace talus
