// Narrow phase of bodies of any shape: the points where two bodies touch or are about to.
//
// Smooth convex pairs touch at one point; faces on faces at the corners of what they share; bodies that are not convex
// at several places. A point exists while its gap is below the margin, so contact dynamics sees contacts that are
// still open.
#pragma once

#include <cstdint>
#include <vector>

#include "shapes/shape.hpp"

namespace talus {

// A shape where a body has it. Of walls the scale means nothing.
struct ShapeInPlace {
    const Shape* shape = nullptr;
    double scale = 1;  // -, times the lengths of the shape
    Pose pose;
};

struct ContactPoint {
    Vec3 position;              // m, half way between the two surfaces
    Vec3 normal;                // unit, out of b towards a
    double gap = 0;             // m, along the normal; negative: overlap
    double radius = 0;          // m, effective: 1/(sum of the mean curvatures); of flat and sharp places curvature.hpp
    std::uint64_t feature = 0;  // which parts of the surfaces meet; stays the same while a contact slides or rolls
};

// Appends the points with a gap below the margin, ordered by feature, which is unique within the pair. b may be a wall,
// a may not.
void findContactPoints(const ShapeInPlace& a, const ShapeInPlace& b, double margin, std::vector<ContactPoint>& points);

// A distance the surfaces are apart at least, cheap: 0 if they may touch. For the broad phase.
double leastDistance(const ShapeInPlace& a, const ShapeInPlace& b);

}  // namespace talus
