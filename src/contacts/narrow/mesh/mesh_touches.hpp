// Where a ball touches a triangle mesh, so that it does not feel how the surface was cut into triangles.
//
// A touch is a point of the surface at which the distance from the ball's centre has a local minimum: a point of a
// triangle that is the nearest of every triangle it belongs to. On a face that is the foot of the perpendicular; on an
// inner edge or at a corner it exists only where the normal lies between those of the adjacent faces, so a ball that
// rolls over an edge of a plane or convex surface gets no kick, and on a plane patch there is one touch, that of a
// plane.
//
// Closed meshes push out of their inside; a centre within the body is pushed out at the nearest point. Open ones push
// to the side on which the centre is.
//
// Parts: a touch is named after the smooth surface, or the line of creases, on which it is, so that its memory lives
// while a ball rolls from triangle to triangle. Where a ball touches the same surface more than once, the deepest touch
// bears that name and the others those of their patch, edge or corner; if their normals differ much, all do.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/mesh/mesh.hpp"

namespace talus {

struct MeshTouch {
    Vec3 point;           // m, of the surface
    Vec3 normal;          // unit, towards the free side
    double distance = 0;  // m, of the centre from the point, along the normal
    std::uint32_t part = 0;
    bool sharp = false;  // on a crease: an edge or corner that the surface really has
};

// Appends the touches nearer than `reach`, ordered by part; all in the frame of the mesh, scale 1.
void findTouches(const TriangleMesh& mesh, const Vec3& centre, double reach, std::vector<MeshTouch>& touches);

// The triangles near a place, kept while a ball moves about there, so that the tree is asked seldom.
struct NearTriangles {
    struct Entry {
        std::uint32_t triangle;
        double distance;  // m, when they were gathered
    };
    std::vector<Entry> entries;  // in the order of the tree's leaves
    double within = 0;           // m, all that were nearer than this are here
};
void gatherTriangles(const TriangleMesh& mesh, const Vec3& centre, double within, NearTriangles& near);

// Takes them from triangles that were gathered when the centre was no farther than `moved` from where it is now;
// reach + moved must not exceed what was gathered.
void findTouches(const TriangleMesh& mesh, const NearTriangles& near, double moved, const Vec3& centre, double reach,
                 std::vector<MeshTouch>& touches);

// True if a point lies within a closed mesh; near: its nearest place there, if that is known.
bool isInside(const TriangleMesh& mesh, const Vec3& point);
bool isInside(const TriangleMesh& mesh, const Vec3& point, const NearestOnMesh& near);

// Numbers of parts: what kind of thing it is and its number, unique within a mesh.
enum class MeshPart : std::uint32_t { surface, patch, line, edge, corner };
inline std::uint32_t partNumber(MeshPart kind, std::uint32_t number) {
    return (static_cast<std::uint32_t>(kind) << 29) + number;
}

// True for edges at which another convex body can touch: those that stand out, on either side of open surfaces.
bool isRidge(const TriangleMesh& mesh, const TriangleMesh::Edge& edge);

// True if the unit direction lies between the normals of the faces at an edge, or points beyond a rim: it leaves all
// faces of the edge, or goes into them by no more than `slack` (rad).
bool leavesEdge(const TriangleMesh& mesh, const TriangleMesh::Edge& edge, const Vec3& direction, double slack);

// Sum of the normals around a corner, each weighed by the angle of its triangle there: a point near the corner is
// outside if it lies to the side to which this points (Baerentzen, Aanaes, IEEE Trans. Vis. Comput. Graph. 11, 2005).
Vec3 cornerNormal(const TriangleMesh& mesh, std::uint32_t triangle, int corner);

}  // namespace talus
