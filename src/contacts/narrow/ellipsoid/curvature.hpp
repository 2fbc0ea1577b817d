// How surfaces are curved at a contact, and the radius that contact laws make of it.
//
// The effective radius is 1/(sum of the mean curvatures) where at least one surface is round; flat places then count
// as curvature 0, so a ball meets a box as it meets a plane. Edges and corners without rounding, and flat places that
// meet flat or sharp ones, have no curvature of their own: there a body counts as the ball of its volume
// (equivalentRadius()). Contact stiffness thus grows with the size of the bodies and stays finite on flat faces.
#pragma once

#include "geometry/shape.hpp"
#include "geometry/solids/ellipsoid.hpp"

namespace talus {

struct Curvature {
    enum class Kind { round, flat, sharp };
    Kind kind = Kind::flat;
    double mean = 0;  // 1/m, if round
};

// 1/m, at scale 1, where the outward normal has this direction (unit, frame of the shape).
inline double meanCurvature(const EllipsoidShape& ellipsoid, const Vec3& normal) {
    return ellipsoidCurvature(ellipsoid.semiAxes, normal);
}

// m, at scale 1: the radius of the ball that a solid counts as where it is sharp or flat. Of hulls that of the core and
// the rounding, which is quicker than the exact volume of the rounded hull; of all others equivalentRadius().
double ballRadius(const Shape& solid);

// 1/m, at scale 1, at a point of the surface. Kept between 1/10 and 10 times the curvature of the ball of the same
// volume (1/m, at scale 1): exponents above 2 make flat places, others sharp ones.
double meanCurvature(const SuperquadricShape& superquadric, const Vec3& point, double ballCurvature);

// m; radii of the balls of the bodies' volumes are asked for only where they are needed. Walls have none (nullptr).
struct SizedShape {
    const Shape* shape = nullptr;
    double scale = 1;
    double ball = 0;  // m, that radius; 0 if it is not known yet
};
// 1/m, of that ball; 0 of walls.
double ballCurvature(const SizedShape& s);

double contactRadius(const Curvature& a, const SizedShape& shapeA, const Curvature& b, const SizedShape& shapeB);

}  // namespace talus
