// The part of a convex core that faces a direction: a face, an edge or a point.
//
// A face or edge counts as facing a direction if it is across it within a small angle, so that a body that stands on a
// face keeps all contacts while it rocks a little. Round rims of cylinders and cones are eight points: fixed to the
// body while the rim is as good as parallel to the other surface, but for the one nearest to the lowest place, which
// goes there; and else counted from the point that lies lowest.
#pragma once

#include <array>
#include <cstdint>

#include "contacts/narrow/convex/convex_core.hpp"
#include "contacts/narrow/ellipsoid/curvature.hpp"

namespace talus {

// Numbers of parts of a surface, unique within a shape.
using PartNumber = std::uint32_t;
inline constexpr PartNumber wholeSurface = 0;
inline PartNumber cornerPart(std::uint32_t number) { return 0x40000000u + number; }
inline PartNumber edgePart(std::uint32_t from, std::uint32_t to) {
    return 0x80000000u + (from < to ? from * 0x4000u + to : to * 0x4000u + from);
}
inline PartNumber facePart(std::uint32_t number) { return 0xC0000000u + number; }

struct SupportingPart {
    static constexpr int mostPoints = 32;
    int count = 0;                                 // 1: a point, 2: an edge, more: a face
    std::array<Vec3, mostPoints> points;           // m, world frame, of a face against the clock seen from outside
    std::array<std::uint32_t, mostPoints> corner;  // their numbers
    PartNumber number = wholeSurface;              // of the face; of the point if there is one only
    Vec3 normal;                                   // unit, of a face
    bool isCap = false;                            // round, with points along the rim
    Vec3 capCentre;                                // m, world frame
    Curvature curvature;

    void add(const Vec3& point, std::uint32_t number);
    PartNumber edge(int k) const { return edgePart(corner[k], corner[(k + 1) % count]); }
};

// The direction is a unit vector in the world frame, out of the core. Where the surface curves in all directions, the
// part is the point that the search found.
void findSupportingPart(const ConvexCore& core, const Vec3& direction, const Vec3& found, SupportingPart& part);

// The eight points of a rim, core frame, in the order of rising angle; `direction` is in that frame too.
struct Rim {
    double radius = 0, z = 0;  // m
    std::uint32_t first = 0;   // number of its first point
};
struct RimPoints {
    std::array<Vec3, 8> points;
    std::uint32_t first = 0;
};
RimPoints rimPoints(const Rim& rim, const Vec3& direction);

// The rims of cylinders and cones: at the low and at the high end.
std::array<Rim, 2> rimsOf(const CylinderShape& cylinder);
std::array<Rim, 2> rimsOf(const ConeShape& cone);

}  // namespace talus
