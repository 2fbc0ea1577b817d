// Rotation of a rigid body with three different principal moments of inertia.
//
// Angular momentum L is what the torque changes; the spin follows from it and the orientation. The orientation is
// advanced by the exponential map with the spin of mid step, found by fixed-point iteration, so that L of a
// torque-free body is kept to round-off and the method is of second order.
#pragma once

#include <algorithm>

#include "model/bodies.hpp"
#include "talus/vec3.hpp"

namespace talus {

// R diag(d) R^T v: applies a matrix that is diagonal in the body frame to a vector of the world frame.
inline Vec3 applyInBodyFrame(const Quat& orientation, const Vec3& diagonal, const Vec3& v) {
    return rotate(orientation, hadamard(diagonal, rotateBack(orientation, v)));
}

inline Vec3 inverseOf(const Vec3& d) {
    return {d.x != 0 ? 1 / d.x : 0.0, d.y != 0 ? 1 / d.y : 0.0, d.z != 0 ? 1 / d.z : 0.0};
}

// kg m^2/s, of a body with this spin; about axes without inertia none.
inline Vec3 angularMomentum(const Bodies& b, std::size_t i, const Vec3& spin) {
    return applyInBodyFrame(b.orientation[i], inverseOf(b.inverseInertia[i]), spin);
}

// rotationBy() for a turn that is mostly small, as in a step: by its series, which is then exact to round-off.
inline Quat smallRotationBy(const Vec3& r) {
    const double x = 0.25 * normSquared(r);  // square of half the angle
    if (x > 0.01) return rotationBy(r);
    const double xx = x * x;
    const double s = 0.5 * ((1 - (1.0 / 6) * x) + xx * ((1.0 / 120 - (1.0 / 5040) * x) + (1.0 / 362880) * xx));
    const double c = (1 - 0.5 * x) + xx * ((1.0 / 24 - (1.0 / 720) * x) + xx * (1.0 / 40320 - (1.0 / 3628800) * x));
    return {c, s * r.x, s * r.y, s * r.z};
}

// Turns `orientation` by a step dt with constant angular momentum. In the frame of the body as it is at the start,
// where the momentum seen from the body at mid step is that of the start turned back by half the turn. The iteration
// begins with that turn to first order.
inline Quat driftOrientation(const Quat& orientation, const Vec3& momentum, const Vec3& inverseInertia, double dt) {
    const Vec3 own = rotateBack(orientation, momentum), spin = hadamard(inverseInertia, own);
    Vec3 midSpin = hadamard(inverseInertia, own - (0.5 * dt) * cross(spin, own));
    // Each change is at most this share of the one before it; both are squared.
    const double softest = std::max({inverseInertia.x, inverseInertia.y, inverseInertia.z});
    const double share = 0.25 * dt * dt * softest * softest * normSquared(own);
    for (int iteration = 0; iteration < 6; ++iteration) {
        const Vec3 next = hadamard(inverseInertia, rotate(smallRotationBy(-0.5 * dt * midSpin), own));
        const double change = normSquared(next - midSpin);
        midSpin = next;
        // The angle of half the turn would change by round-off only.
        if (share * change * (0.25 * dt * dt) <= 1e-32) break;
    }
    return normalized(orientation * smallRotationBy(dt * midSpin));
}

}  // namespace talus
