// A poly-ellipsoid: eight eighths of ellipsoids that meet smoothly (Peters, Hopkins, Kala and Wahl, Eng. Comput. 26,
// 2009). It has one semi-axis on each side of each axis, so that a grain can be blunt on one side and slender on the
// other.
//
// The farthest point in a direction d of the form's frame lies in the eighth with the signs of d, and is that of the
// ellipsoid there. Two eighths that meet share the tangent plane, and their curvatures differ.
#pragma once

#include "geometry/shape_facts.hpp"
#include "geometry/solids/ellipsoid.hpp"

namespace talus {

// Made by makeShape() (build/make_shape.hpp).
struct PolyEllipsoidShape {
    Vec3 low, high;       // m, semi-axes on the negative and on the positive side of each axis of the form
    Vec3 origin;          // m, of the form, in the frame of the shape
    Quat turn;            // from the form to that frame
    MassProperties mass;  // of the whole
    double radius = 0;    // m, of the ball about the centre of mass that holds it

    static constexpr ShapeFacts facts{.name = "poly-ellipsoid", .kind = ShapeKind::convex};

    Vec3 support(const Vec3& direction) const {
        const Vec3 d = rotateBack(turn, direction);
        return origin + rotate(turn, ellipsoidSupport(semiAxesAt(d), d));
    }
    double meanCurvature(const Vec3& normal) const {
        const Vec3 n = rotateBack(turn, normal);
        return ellipsoidCurvature(semiAxesAt(n), n);
    }
    MassProperties massProperties() const { return mass; }
    double boundingRadius() const { return radius; }

private:
    Vec3 semiAxesAt(const Vec3& v) const {
        return {v.x < 0 ? low.x : high.x, v.y < 0 ? low.y : high.y, v.z < 0 ? low.z : high.z};
    }
};

}  // namespace talus
