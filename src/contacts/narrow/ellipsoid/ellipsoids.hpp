// Signed distance of two ellipsoids along their common normal.
//
// With E = R diag(a^2, b^2, c^2) R^T the support function is h(n) = sqrt(n.E n), and s(n) = n.d - h_A(n) - h_B(n), d
// from the centre of B to that of A. At its maximum over unit vectors the nearest points differ by s n:
//     d - E_A n/h_A - E_B n/h_B = s n.
// Newton's method on the sphere finds it; s rises in every step. It starts from n ~ (E_A/h_A + E_B/h_B)^-1 d, which
// repeated leads to the normal of the contact function of Perram and Wertheim (J. Comput. Phys. 58, 1985), the common
// normal of ellipsoids that touch. Of deep overlaps, where s has several maxima, it is the one reached from there.
// A pair that touched a step before begins at the normal it had then.
#pragma once

#include "contacts/narrow/convex/core_distance.hpp"
#include "contacts/narrow/ellipsoid/ellipsoid_search.hpp"

namespace talus {

// An ellipsoid where it is.
struct EllipsoidInPlace {
    SymmetricOf<double> matrix;  // m^2, E in the world frame
    double determinant = 0;      // m^6, of E
    Vec3 centre;                 // m
    double scale = 1;            // -

    EllipsoidInPlace() = default;
    explicit EllipsoidInPlace(const ConvexCore& body);
};

struct EllipsoidDistance : CoreDistance {
    double radius = 0;  // m, 1/(sum of the mean curvatures where they are nearest)
};

// Searches no further than `limit`: beyond, only distance > limit is sure. Begins at the normal `near`, if there is
// one; from the normal it found itself, it finds the same to the last bit.
EllipsoidDistance ellipsoidDistance(const EllipsoidInPlace& a, const EllipsoidInPlace& b, double limit,
                                    const Vec3* near);

}  // namespace talus
