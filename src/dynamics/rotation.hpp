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

// rotationBy() for a turn that is mostly small, as in a step: by its series, which is then exact to round-off.
inline Quat smallRotationBy(const Vec3& r) {
    const double x = 0.25 * normSquared(r);  // square of half the angle
    if (x > 0.01) return rotationBy(r);
    constexpr double s1 = 1.0 / 6, s2 = 1.0 / 20, s3 = 1.0 / 42, s4 = 1.0 / 72;
    constexpr double c1 = 1.0 / 2, c2 = 1.0 / 12, c3 = 1.0 / 30, c4 = 1.0 / 56, c5 = 1.0 / 90;
    const double s = 0.5 * (1 - s1 * x * (1 - s2 * x * (1 - s3 * x * (1 - s4 * x))));
    const double c = 1 - c1 * x * (1 - c2 * x * (1 - c3 * x * (1 - c4 * x * (1 - c5 * x))));
    return {c, s * r.x, s * r.y, s * r.z};
}

// Turns `orientation` by a step dt with constant angular momentum. In the frame of the body as it is at the start,
// where the momentum seen from the body at mid step is that of the start turned back by half the turn.
inline Quat driftOrientation(const Quat& orientation, const Vec3& momentum, const Vec3& inverseInertia, double dt) {
    const Vec3 own = rotateBack(orientation, momentum);
    Vec3 midSpin = hadamard(inverseInertia, own);
    for (int iteration = 0; iteration < 6; ++iteration) {
        const Vec3 next = hadamard(inverseInertia, rotate(smallRotationBy(-0.5 * dt * midSpin), own));
        const double change = normSquared(next - midSpin);
        midSpin = next;
        // The angle of half the turn changed by round-off only.
        if (change * (0.25 * dt * dt) <= 1e-32) break;
    }
    return normalized(orientation * smallRotationBy(dt * midSpin));
}

}  // namespace talus
