// The point of a closed NURBS surface that is nearest to a given point, its outward normal and the signed gap.
//
// The surface is cut into cells, parts of its Bezier patches, each in a box of its own direction around its control
// points. Boxes are so thin that they say where the surface is to within a tolerance. A search goes through a tree of
// them, nearest first. In each cell that a bound does not rule out, Newton steps on half the square of the distance
//
//   f(u, v) = (S - x) . (S - x) / 2,   f_u = (S - x) . S_u,   f_uu = S_u . S_u + (S - x) . S_uu, ...
//
// go downhill only and stay within the cell. Where the surface bends so much that a cell may hold several minima
// (seen from x the radius of curvature is nearer than the surface), they start from several places of the cell. So the
// branch is never wrong: no point of the surface is nearer than the answer by more than the thickness of a box, and in
// cells with one minimum by more than round-off.
//
// The inside is where the normal says so. At creases and tips, which several cells share, the sum of their normals
// decides, each weighed by the angle of its cell there. A hint, a cell that may be near, only saves time.
#pragma once

#include <cstdint>
#include <limits>

#include "geometry/mesh/bounding_tree.hpp"
#include "geometry/nurbs/nurbs_surface.hpp"

namespace talus {

// A part of the surface. Its middle is a knot: a fixed place on the surface that contact search starts from.
struct SurfaceCell {
    std::uint32_t patch = 0;
    double s0 = 0, s1 = 1, t0 = 0, t1 = 1;  // its range of the patch
    Vec3 middle, normal;                    // m, a point of it; unit, outward there
    double radius = 0;                      // m, the cell is within this distance of its middle
    Vec3 along, across;                     // unit, the directions of its box beside the normal
    Vec3 low, high;                         // m, its box along these three, from the middle
    double bulge = 0, hollow = 0;           // 1/m, largest curvature of either kind, about
};

struct SurfaceFoot {
    double gap = 0;  // m, distance, negative inside
    Vec3 point;      // m, on the surface
    Vec3 normal;     // unit, outward; at creases and tips away from or towards the given point
    std::uint32_t cell = 0;
    double s = 0, t = 0;  // of the patch of the cell
};

class SurfaceTree {
public:
    static constexpr std::uint32_t noCell = 0xFFFFFFFF;

    SurfaceTree() = default;
    // tolerance: m, cells are thinner than 0.6 of it; widest: m, and lie within this distance of their middles.
    SurfaceTree(NurbsSurface surface, double tolerance, double widest);
    // How many cells that takes; where it takes more than `most`, any number above that.
    static std::size_t cellsNeeded(const NurbsSurface& surface, double tolerance, double widest, std::size_t most);

    const NurbsSurface& surface() const { return surface_; }
    const std::vector<SurfaceCell>& cells() const { return cells_; }
    const BoundingTree& boxes() const { return boxes_; }  // of the cells

    SurfaceFoot closestPoint(const Vec3& x, std::uint32_t hint = noCell) const;

    // How the outward normal turns along the surface at a foot: the derivative of the normal, in 1/m, positive where
    // convex. At poles that of a place nearby.
    Mat3 bend(const SurfaceFoot& foot) const;

private:
    friend class NearestSearch;

    const BezierPatch& patchOf(const SurfaceCell& cell) const { return surface_.patches()[cell.patch]; }
    SurfaceCell cellOf(std::uint32_t patch, const BezierPatch& part) const;

    NurbsSurface surface_;
    std::vector<SurfaceCell> cells_;
    std::vector<SurfacePoint> middles_;  // of the cells: where each search starts
    BoundingTree boxes_;
};

}  // namespace talus
