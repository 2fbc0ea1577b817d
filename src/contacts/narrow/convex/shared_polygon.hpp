// What two convex polygons in a plane share, with the parts of them that each corner of it comes from.
#pragma once

#include <array>

namespace talus {

struct PlanePoint {
    double x, y;  // m
};

struct PlanePolygon {
    static constexpr int mostCorners = 64;
    int count = 0;
    std::array<PlanePoint, mostCorners> corners;  // against the clock
};

// A corner of what is shared: where edges meet. An edge or corner of the first polygon, of the second, or of both.
struct SharedCorner {
    enum class From { first, second, crossing };
    PlanePoint at;
    From from;
    int first, second;  // number of the corner, or of the two edges at a crossing
};

struct SharedPolygon {
    int count = 0;
    std::array<SharedCorner, PlanePolygon::mostCorners> corners;
};

// Corners of the first that lie outside of the second by no more than `slack` (m) count as inside, so that a body that
// ends flush with another keeps its corners as contacts. The first may be a segment (two corners).
void findSharedPolygon(const PlanePolygon& first, const PlanePolygon& second, double slack, SharedPolygon& shared);

}  // namespace talus
