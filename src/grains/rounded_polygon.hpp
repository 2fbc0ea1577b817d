// Polygons whose corners are rounded by circular arcs, as exact NURBS curves of degree 2.
//
// The sides of the core polygon are moved outwards by `radius`, and each convex corner becomes the arc of that radius
// about the corner of the core: the sum of core and disc. Corners that are not convex get the largest fillet that fits,
// up to `fillet`. So the convex corners have one radius, that of the disc, and of a convex core the inscribed and the
// circumscribed radius grow by it.
#pragma once

#include <optional>
#include <vector>

#include "talus/nurbs.hpp"

namespace talus {

struct RoundedPolygon {
    std::vector<Vec2> core;  // m, corners against the clock
    double radius = 0;       // m, >= 0
    double fillet = 0;       // m
};

// Nothing if sides are too short for the radius.
std::optional<NurbsDefinition> outlineOf(const RoundedPolygon& polygon);

}  // namespace talus
