// Principal axes of bodies of any form: the frame in which their inertia is three numbers.
//
// Where the axes are not unique (a cube, a prism), those nearest to the axes of the given frame are taken, so that a
// body that was drawn along the axes keeps them and the choice does not hang on round-off.
#pragma once

#include "base/matrix3.hpp"
#include "geometry/shape.hpp"

namespace talus {

// Integrals over a body of unit density, about the origin of some frame.
struct MassMoments {
    double volume = 0;  // m^3
    Vec3 firstMoment;   // m^4, integral of x
    Mat3 secondMoment;  // m^5, integral of x x^T

    MassMoments& operator+=(const MassMoments& b);
};

// The moments of a solid with known mass properties, as seen from the frame in which it has the pose.
MassMoments momentsInPlace(const MassProperties& properties, const Pose& pose);

// The frame of the centre of mass and the principal axes, and the properties of the body in it. The volume is positive.
struct PrincipalFrame {
    Pose pose;  // of that frame in the frame of the moments
    MassProperties mass;
};
PrincipalFrame principalFrame(const MassMoments& moments);

// Eigenvalues of a symmetric matrix along the axes of a right-handed frame.
struct PrincipalAxes {
    Mat3 axes;  // columns are the axes
    Vec3 values;
};
PrincipalAxes principalAxes(const Mat3& symmetric);

// The rotation with the given columns, which are orthonormal and right-handed.
Quat rotationWithColumns(const Mat3& axes);

// A point of the outer frame as seen from the frame of the pose.
inline Vec3 intoFrame(const Pose& pose, const Vec3& point) {
    return rotateBack(pose.orientation, point - pose.position);
}
inline Vec3 outOfFrame(const Pose& pose, const Vec3& point) { return pose.position + rotate(pose.orientation, point); }

}  // namespace talus
