// How the triangles of a surface hang together: neighbours, edges, and the plane patches they form.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "geometry/mass/polyhedron_mass.hpp"

namespace talus {

inline constexpr std::uint32_t nothing = 0xFFFFFFFF;  // no triangle, no edge

// Side k of a triangle, from its corner k to k + 1.
struct TriangleSide {
    std::uint32_t triangle;
    int side;
};

// The first places, in order of corners, at which a surface is not a simple one.
struct SurfaceFaults {
    std::optional<TriangleSide> open;    // no other triangle has this side
    std::optional<TriangleSide> shared;  // three or more triangles have it
    std::optional<TriangleSide> turned;  // the neighbour has it in the same direction: one of the two is turned over
};

// Triangle across each side, or `nothing`. Sides that more than two triangles share have no neighbour.
using Neighbours = std::vector<CornerTriple>;
Neighbours findNeighbours(const std::vector<CornerTriple>& triangles, SurfaceFaults& faults);

// Turns triangles over so that they agree with their neighbours, each connected part with its first triangle; at a seam
// of a surface with one side only they still disagree.
void orientAlike(std::vector<CornerTriple>& triangles, const Neighbours& neighbours);

// Twice the area of a triangle times its normal.
Vec3 areaVector(const std::vector<Vec3>& corners, const CornerTriple& triangle);

// Number of the patch of each triangle, from 0. A patch is connected, its corners lie within the tolerance (m) of the
// plane of its largest triangle, and its triangles look to the same side.
std::vector<std::uint32_t> findPlanePatches(const std::vector<Vec3>& corners,
                                            const std::vector<CornerTriple>& triangles, const Neighbours& neighbours,
                                            double tolerance);

}  // namespace talus
