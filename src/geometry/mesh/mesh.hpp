// Triangle meshes: surfaces of bodies and of walls, with what contact search needs.
//
// Contacts must not feel how a surface was cut into triangles, so the mesh knows more than its triangles: plane patches
// (triangles in a common plane), smooth surfaces (patches joined at small angles), creases between them, and straight
// or gently bent lines of creases.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "geometry/mesh/bounding_tree.hpp"
#include "geometry/mesh/triangle.hpp"
#include "geometry/shape.hpp"
#include "talus/vec3.hpp"

namespace talus {

struct TriangleMesh {
    static constexpr std::uint32_t noTriangle = 0xFFFFFFFF;

    std::vector<Vec3> corners;                             // m
    std::vector<std::array<std::uint32_t, 3>> triangles;   // against the clock seen from outside
    std::vector<std::array<std::uint32_t, 3>> neighbours;  // across the edge from corner k to k + 1, or noTriangle
    bool closed = false;                                   // bounds a volume, on whose outside others are
    double radius = 0;                                     // m, of the smallest ball about the origin that holds it
    MassProperties mass;                                   // of unit density; zero for open meshes

    // Filled by describeSurface(), one entry per triangle, edge or corner.
    enum class EdgeForm : std::uint8_t { flat, convex, concave, boundary };
    struct Edge {
        std::uint32_t from, to;     // corners, lower number first
        std::uint32_t left, right;  // triangles; right is noTriangle at the boundary
        EdgeForm form;
        std::uint32_t line;  // number of the line of creases it belongs to; noLine where the surface is smooth
    };
    static constexpr std::uint32_t noLine = 0xFFFFFFFF;    // within a smooth surface
    static constexpr std::uint32_t ownPoint = 0xFFFFFFFE;  // corners at which lines end or meet

    std::vector<Vec3> normals;  // unit, outward
    std::vector<Edge> edges;
    std::vector<std::array<std::uint32_t, 3>> triangleEdges;  // the edge from corner k to k + 1
    std::vector<std::uint32_t> patch;                         // of each triangle: number of its plane patch
    std::vector<std::uint32_t> surface;                       // of each triangle: number of its smooth surface
    std::vector<std::uint32_t> cornerLine;                    // of each corner: line, noLine or ownPoint
    std::vector<char> pointed;  // of each corner: 1 if the hull of its surroundings may have a corner there

    BoundingTree tree;  // of the triangles
};

// A surface as a file gives it.
struct MeshFile {
    std::string name;                                     // for messages
    std::vector<Vec3> corners;                            // m
    std::vector<std::array<std::uint32_t, 3>> triangles;  // numbers of corners
    std::vector<std::uint32_t> lines;  // where in the file each triangle is; empty if that is no text
};

// Triangles whose corners lie within this part of the largest extent of a common plane form one patch.
inline constexpr double patchTolerance = 2.5e-7;

// rad; edges that bend less belong to a smooth surface.
inline constexpr double creaseAngle = 0.52;

// m; corners farther from the origin along an axis are refused, and such as are no numbers.
inline constexpr double farthestCorner = 1e9;
bool isUsable(const Vec3& corner);
std::string farAway(const Vec3& corner);  // the message

struct MeshInPlace {
    MeshShape shape;
    Pose pose;  // of the shape's frame in the frame of the file
};

// A closed surface around a body; the frame has its origin at the centre of mass and the principal axes. Throws
// InputError naming file and triangle if the surface is open, inverted, not simple or degenerate.
MeshInPlace makeMesh(const MeshFile& file);

// A surface without an inside that acts on both sides: hoppers, chutes, plates. The frame has the axes of the file and
// its origin in the middle of the surface's box. A closed surface is a container to what is within it.
MeshInPlace makeSurface(const MeshFile& file);

// The nearest point of a mesh, if it is nearer than `within`.
struct NearestOnMesh {
    std::uint32_t triangle = TriangleMesh::noTriangle;
    NearestOnTriangle place;
    double distance = 0;  // m
};
NearestOnMesh nearestOnMesh(const TriangleMesh& mesh, const Vec3& point, double within);

inline NearestOnTriangle nearestOnTriangle(const TriangleMesh& mesh, std::uint32_t triangle, const Vec3& point) {
    const auto& t = mesh.triangles[triangle];
    return nearestOnTriangle(point, mesh.corners[t[0]], mesh.corners[t[1]], mesh.corners[t[2]]);
}

// Calls visit(triangle) for the triangles around a corner of a triangle, that one first, as far as neighbours lead.
template <class Visit>
void forEachAround(const TriangleMesh& mesh, std::uint32_t triangle, int corner, Visit&& visit) {
    const std::uint32_t centre = mesh.triangles[triangle][corner];
    visit(triangle);
    // First over the side that begins at the corner; where the surface ends, the other way round.
    for (const int start : {corner, (corner + 2) % 3}) {
        std::uint32_t now = triangle, next = mesh.neighbours[triangle][start];
        while (next != TriangleMesh::noTriangle && next != triangle) {
            visit(next);
            const auto& t = mesh.triangles[next];
            const int k = t[0] == centre ? 0 : t[1] == centre ? 1 : 2;
            const std::uint32_t ahead = mesh.neighbours[next][k], behind = mesh.neighbours[next][(k + 2) % 3];
            const std::uint32_t onward = ahead == now ? behind : ahead;
            now = next;
            next = onward;
        }
        if (next == triangle) return;
    }
}

}  // namespace talus
