// Rotation of a rigid body with three different principal moments of inertia.
//
// Angular momentum L is what the torque changes; the spin follows from it and the orientation. The orientation is
// advanced by the exponential map with the spin of mid step, found by fixed-point iteration, so that L of a
// torque-free body is kept to round-off and the method is of second order.
#pragma once

#include "state/bodies.hpp"
#include "talus/vec3.hpp"

namespace talus {

// R diag(d) R^T v: applies a matrix that is diagonal in the body frame to a vector of the world frame.
inline Vec3 applyInBodyFrame(const Quat& orientation, const Vec3& diagonal, const Vec3& v) {
    return rotate(orientation, hadamard(diagonal, rotateBack(orientation, v)));
}

inline Vec3 inverseOf(const Vec3& d) {
    return {d.x != 0 ? 1 / d.x : 0.0, d.y != 0 ? 1 / d.y : 0.0, d.z != 0 ? 1 / d.z : 0.0};
}

// Of a body with this spin, kg m^2/s; about axes without inertia none.
inline Vec3 angularMomentum(const Bodies& b, std::size_t i, const Vec3& spin) {
    return applyInBodyFrame(b.orientation[i], inverseOf(b.inverseInertia[i]), spin);
}

// Turns `orientation` by a step dt with constant angular momentum.
inline Quat driftOrientation(const Quat& orientation, const Vec3& momentum, const Vec3& inverseInertia, double dt) {
    Vec3 midSpin = applyInBodyFrame(orientation, inverseInertia, momentum);
    for (int iteration = 0; iteration < 6; ++iteration) {
        const Quat middle = rotationBy(0.5 * dt * midSpin) * orientation;
        const Vec3 next = applyInBodyFrame(middle, inverseInertia, momentum);
        if (next == midSpin) break;
        midSpin = next;
    }
    return normalized(rotationBy(dt * midSpin) * orientation);
}

}  // namespace talus
