// One span by span part of a NURBS surface as a rational Bezier patch in homogeneous coordinates.
//
// The patch lies in the convex hull of its control points: bounds of where it is come from this. s and t go from 0 to 1
// along the two directions.
#pragma once

#include <array>
#include <utility>

#include "geometry/nurbs/bezier_arc.hpp"
#include "talus/vec3.hpp"

namespace talus {

// (w x, w y, w z, w)
struct Homogeneous {
    Vec3 p;
    double w = 0;

    Vec3 point() const { return p / w; }
    Homogeneous& operator+=(const Homogeneous& b) { return p += b.p, w += b.w, *this; }
};
inline Homogeneous operator+(Homogeneous a, const Homogeneous& b) { return a += b; }
inline Homogeneous operator*(double s, const Homogeneous& a) { return {s * a.p, s * a.w}; }

// Position and derivatives by the two parameters.
struct SurfacePoint {
    Vec3 position, du, dv, duu, duv, dvv;
};

struct BezierPatch {
    int degreeU = 1, degreeV = 1;
    double beginU = 0, endU = 1, beginV = 0, endV = 1;  // parameters of the surface at the ends
    std::array<Homogeneous, (highestDegree + 1) * (highestDegree + 1)> control{};

    Homogeneous& at(int i, int j) { return control[static_cast<std::size_t>(j * (highestDegree + 1) + i)]; }
    const Homogeneous& at(int i, int j) const { return control[static_cast<std::size_t>(j * (highestDegree + 1) + i)]; }
};

// Derivatives by s and t.
SurfacePoint evaluate(const BezierPatch& patch, double s, double t);
Vec3 positionAt(const BezierPatch& patch, double s, double t);

// The parts before and after the middle.
std::pair<BezierPatch, BezierPatch> halvesAlongU(const BezierPatch& patch);
std::pair<BezierPatch, BezierPatch> halvesAlongV(const BezierPatch& patch);

// Calls visit(point) for every control point in space.
template <class Visit>
void forEachControlPoint(const BezierPatch& patch, Visit&& visit) {
    for (int j = 0; j <= patch.degreeV; ++j) {
        for (int i = 0; i <= patch.degreeU; ++i) visit(patch.at(i, j).point());
    }
}

}  // namespace talus
