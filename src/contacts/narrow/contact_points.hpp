// Narrow phase of bodies of any shape: the points where two bodies touch or are about to.
//
// Smooth convex pairs touch at one point; faces on faces at the corners of what they share; bodies that are not convex
// at several places. A point exists while its gap is below the margin, so contact dynamics sees contacts that are
// still open.
#pragma once

#include <limits>
#include <vector>

#include "geometry/contact_point.hpp"
#include "geometry/shape.hpp"

namespace talus {

// A shape where a body has it.
struct ShapeInPlace {
    const Shape* shape = nullptr;
    double scale = 1;  // -, times the lengths of the shape; means nothing for walls
    Pose pose;
    double mantle = 0;  // m, WallNow::radius

    WallNow wall() const { return {shape, mantle}; }
};

// Which places of outlines are contacts: those nearest to the other body, or also guards, which knots beside these are
// (outline_contacts.hpp). Guards are for moves so large that other places meet than those nearest before.
enum class OutlinePlaces { nearest, guarded };

// Appends the points with a gap below the margin, ordered by feature, which is unique within the pair. b may be a wall,
// a may not.
void findContactPoints(const ShapeInPlace& a, const ShapeInPlace& b, double margin, std::vector<ContactPoint>& points,
                       OutlinePlaces places = OutlinePlaces::nearest);

// A distance the surfaces are apart at least, cheap: 0 if they may touch. For the broad phase. Beyond the limit it need
// not be told how far they are apart.
double leastDistance(const ShapeInPlace& a, const ShapeInPlace& b,
                     double limit = std::numeric_limits<double>::infinity());

}  // namespace talus
