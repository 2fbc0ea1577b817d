// The nearest point of a triangle to a point, and on which part of the triangle it lies.
//
// By the regions of the triangle's plane: C. Ericson, Real-Time Collision Detection, 2005, section 5.1.5.
#pragma once

#include "talus/vec3.hpp"

namespace talus {

enum class TrianglePart { face, edge, corner };

struct NearestOnTriangle {
    Vec3 point;  // m
    TrianglePart part = TrianglePart::face;
    int number = 0;  // edge from corner k to k + 1, or corner k
};

inline NearestOnTriangle nearestOnTriangle(const Vec3& p, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, ap = p - a;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return {a, TrianglePart::corner, 0};
    const Vec3 bp = p - b;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return {b, TrianglePart::corner, 1};
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + (d1 / (d1 - d3)) * ab, TrianglePart::edge, 0};
    const Vec3 cp = p - c;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return {c, TrianglePart::corner, 2};
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + (d2 / (d2 - d6)) * ac, TrianglePart::edge, 2};
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 >= d3 && d5 >= d6) {
        return {b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b), TrianglePart::edge, 1};
    }
    const double inverse = 1.0 / (va + vb + vc);
    return {a + (vb * inverse) * ab + (vc * inverse) * ac, TrianglePart::face, 0};
}

}  // namespace talus
