// Bodies with a closed NURBS surface, convex or not.
//
// Contact is sought from knots, fixed places on the surface (lim2014, section 3.2, in space): the middles of the cells
// of a SurfaceTree. Cells are so small where the surface is curved that a gap between two bodies that is known at knots
// only is known to within `gapTolerance`: where the largest curvature is c, no place is farther from a knot than about
// sqrt(gapTolerance / c), and moving by d from the nearest places of two bodies opens the gap by d^2 (c_a + c_b) / 2.
#pragma once

#include <memory>
#include <span>

#include "geometry/nurbs/surface_tree.hpp"
#include "geometry/shape.hpp"

namespace talus {

struct SurfaceBody {
    SurfaceTree tree;  // of the surface, in the frame of the centre of mass and the principal axes
    // Knots next to knot k: those of neighbour from neighbourStart[k] to neighbourStart[k + 1].
    std::vector<std::uint32_t> neighbourStart, neighbour;
    MassProperties mass;          // of unit density
    double radius = 0;            // m, of a ball about the origin that holds it
    double equivalentRadius = 0;  // m, of the ball of the same volume
    double gapTolerance = 0;      // m

    const std::vector<SurfaceCell>& knots() const { return tree.cells(); }
    std::span<const std::uint32_t> neighboursOf(std::uint32_t knot) const {
        return std::span(neighbour).subspan(neighbourStart[knot], neighbourStart[knot + 1] - neighbourStart[knot]);
    }
};

struct SurfaceSettings {
    double gapTolerance = 0;  // m; 0: 1 % of the radius of the ball of the same volume, some 1600 knots on a ball
    std::size_t mostKnots = 400'000;  // what would need more is refused
};

struct SurfaceBodyInPlace {
    std::shared_ptr<const SurfaceBody> body;
    Pose pose;  // of the body's frame in the frame of the surface as given
};

// Throws InputError under `path` if the surface can bound no body, or the tolerance asks for too many knots.
SurfaceBodyInPlace makeSurfaceBody(const SurfaceDefinition& definition, const SurfaceSettings& settings = {},
                                   std::string_view path = "surface");

}  // namespace talus
