// The point of a closed curve that is nearest to a given point, its outward normal and the signed gap.
//
// No branch is missed. On a piece of the curve, the squared distance to x has its extrema where
//
//   g(t) = (C - x) . C' times w^3 = G0(t) - x . G1(t),
//   G0 = A . (A' w - A w'),  G1 = w (A' w - A w'),  C = A / w,
//
// a polynomial in t that is linear in x, so the Bernstein coefficients of G0 and G1 are kept and g costs a few
// products. Its coefficients change sign at least as often as g does: none means that an end is nearest, one that there
// is a single root, which safeguarded Newton steps find; more than one, and the piece is halved (de Casteljau), as
// often as needed. Pieces and boxes of a binary tree that are farther than the best point so far are left out.
//
// A hint, a parameter that may be near the answer, only saves time: the answer is the same with any hint and none.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "geometry/nurbs/nurbs_curve.hpp"

namespace talus {

struct ClosestPoint {
    double gap = 0;        // m, distance, negative inside
    double parameter = 0;  // of the curve
    Vec2 point;            // m, on the curve
    Vec2 normal;           // unit, outward; at a corner away from or towards the given point
    bool atCorner = false;
};

class CurveTree {
public:
    static constexpr double noHint = std::numeric_limits<double>::quiet_NaN();

    CurveTree() = default;
    explicit CurveTree(const NurbsCurve& curve);

    // Where points are equally near, the one with the smallest parameter.
    ClosestPoint closestPoint(const Vec2& x, double hint = noHint) const;

private:
    friend class ClosestSearch;

    // A part of a span that is nearly straight.
    struct Piece {
        BezierArc arc;
        Vec2 from, to;                            // m, ends; `to` is exactly `from` of the next
        double thickness = 0;                     // m, the piece is this near the segment between them
        Vec2 firstTangent, lastTangent;           // unit
        std::uint32_t slope = 0, slopeCount = 0;  // range of slopes_
    };
    // Box in a binary tree, root first; the children of an inner node are `child` and `child` + 1.
    struct Node {
        Vec2 low, high;                         // m
        std::uint32_t child = 0, piece = none;  // piece of a leaf
        static constexpr std::uint32_t none = 0xFFFFFFFF;
    };

    void addPieces(const BezierArc& arc, double finest);
    void addSlopes(Piece& piece);
    void build(std::uint32_t node, std::uint32_t first, std::uint32_t last);

    std::vector<Piece> pieces_;
    std::vector<Vec3> slopes_;  // Bernstein coefficients of (G0, G1), about `from` of the piece
    std::vector<Node> nodes_;
    double size_ = 0;  // m
};

}  // namespace talus
