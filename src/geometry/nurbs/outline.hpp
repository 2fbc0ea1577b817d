// Bodies of planar scenes with a closed NURBS curve as outline, convex or not, smooth or with corners.
//
// Contact is sought from the knots of one outline, fixed places on its curve (lim2014, section 3.2), and found at the
// places between them where the gap to the other body is least (contacts/narrow/nurbs/gap_minima.hpp). Knots are at
// every corner and at both ends of every straight stretch. Between those they are so dense that the knots alone would
// know the gap to within `gapTolerance`: where the curvature is c, they are 2 sqrt(gapTolerance / c) apart. Why that is
// enough: at the nearest places of two bodies, moving along the one by d opens the gap by d^2 (c_a + c_b) / 2; the
// nearest knot of the more curved body is no farther than sqrt(gapTolerance / c), which makes no more than gapTolerance
// of it.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/nurbs/closest_point.hpp"
#include "geometry/shape.hpp"

namespace talus {

struct OutlineBody {
    struct Knot {
        double parameter = 0;
        Vec2 position;         // m
        Vec2 before, after;    // unit tangents; they differ at corners only
        double curvature = 0;  // 1/m, positive where convex; of a smooth end the larger one; 0 at a corner
        bool corner = false;
        bool end = false;           // a corner, or a smooth end of a straight stretch
        bool straight = false;      // from here to the next knot
        std::uint32_t stretch = 0;  // the knot at which the stretch between ends begins; 0 if there are no ends
    };
    // Circles around parts of the curve in a binary tree, root first.
    struct Group {
        Vec2 centre;                        // m
        double radius = 0;                  // m
        std::uint32_t first = 0, last = 0;  // from knot `first` to knot `last`, which may be the first one again
        std::uint32_t child = 0;            // children are child and child + 1; 0: a leaf
    };

    NurbsCurve curve;  // centroid at the origin
    CurveTree tree;
    std::vector<Knot> knots;  // in order along the curve
    std::vector<Group> groups;
    AreaMoments moments;          // centroid at the origin
    double gapTolerance = 0;      // m
    double largestSag = 0;        // m, of the curve over the segments between knots
    double radius = 0;            // m, of a circle about the origin that holds it, to 1e-6 the smallest
    double equivalentRadius = 0;  // m, of the disc of the same area
};

struct OutlineSettings {
    double gapTolerance = 0;      // m; 0: 0.4 % of the radius of the disc of the same area, 50 knots on a disc
    std::uint64_t mostKnots = 0;  // if > 0 the tolerance is the least that asks for no more knots
};

// Moves the centroid to the origin. Throws InputError under `path` if the curve can be no outline.
OutlineBody makeOutline(const NurbsDefinition& definition, const OutlineSettings& settings = {},
                        std::string_view path = "outline");

// The shape of a body, and where its centroid is in the frame of the definition.
struct OutlineInFrame {
    OutlineShape shape;
    Vec2 centroid;  // m
};
OutlineInFrame makeOutlineShape(const NurbsDefinition& definition, const OutlineSettings& settings = {},
                                std::string_view path = "outline");

// The body is 1 m thick and of unit density. The frame is that of the curve, not of its principal axes: planar
// scenes turn about z only.
MassProperties massProperties(const OutlineBody& outline);

}  // namespace talus
