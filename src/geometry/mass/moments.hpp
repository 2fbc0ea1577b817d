// Integrals of 1, x and x x^T over a solid, of which mass, centre and inertia are made.
#pragma once

#include <span>

#include "base/matrix3.hpp"
#include "geometry/shape.hpp"

namespace talus {

struct SolidMoments {
    double volume = 0;  // m^3
    Vec3 first;         // m^4, integral of x
    Mat3 second;        // m^5, integral of x x^T

    Vec3 centre() const { return first / volume; }
    // About the origin, for unit density.
    Mat3 inertia() const { return trace(second) * identity3() - second; }
    // As seen from another origin.
    SolidMoments about(const Vec3& origin) const;
};

// A hull with a ball of radius `rounding` added, exact: the hull, a prism on each face, a wedge of a cylinder at each
// edge and a sector of the ball at each corner. A rounding moves the centre of mass and turns the principal axes of
// hulls without symmetry: who places such a hull in its frame takes these moments, not those of the hull alone.
SolidMoments momentsOf(const ConvexHull& hull, double rounding);

// Frustum between z = low and z = high with rounding, about the z axis.
SolidMoments momentsOf(const ConeShape& cone);

// Polygon with rounding in its plane, of thickness 1 m about z = 0.
SolidMoments momentsOf(const PolygonShape& polygon);

}  // namespace talus
