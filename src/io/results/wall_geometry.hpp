// Walls as polygons and lines, for frames and pictures.
//
// Planes have no end: they are shown as large as the grains need. Hollow shapes are shown as they are, less their open
// faces. All points are in the world frame.
#pragma once

#include <cstdint>
#include <vector>

#include "model/world.hpp"

namespace talus {

// The box that holds every grain; a unit box about the origin if there are none.
struct Bounds {
    Vec3 low, high;  // m

    Vec3 centre() const { return 0.5 * (low + high); }
    double diagonal() const { return norm(high - low); }
};
Bounds boundsOfGrains(const WorldState& world);

struct WallPolygon {
    std::uint32_t wall = 0;  // index of the body
    std::uint16_t face = 0;
    std::vector<Vec3> corners;
};
std::vector<WallPolygon> wallPolygons(const WorldState& world, const Bounds& bounds);

struct Segment {
    Vec3 from, to;
};
// Edges of boxes, rims and four mantle lines of cylinders; planes have none.
std::vector<Segment> wallEdges(const WorldState& world);

}  // namespace talus
