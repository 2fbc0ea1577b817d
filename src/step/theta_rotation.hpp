// Rotation of a rigid body with three different principal moments of inertia, by the theta method.
//
// In the body frame, with the mean spin W = theta w + (1 - theta) w0 of the step and the torque t,
//
//     I (w - w0)/h + W x I W = t,      that is    I (W - W0) + theta h (W x I W - t) = 0,   W0 = w0
//
// solved for W by Newton's method, whose matrix is I + theta h ([W]x I - [I W]x). The orientation follows from the
// exponential map with h W. This is the appendix of Lim, Krabbenhoft and Andrade (Granul. Matter 16, 2014), with the
// gyroscopic term taken at the mean spin: theta = 1/2 then keeps the energy and the length of the angular momentum of a
// torque-free body to round-off. Its direction in the world is kept to second order for theta = 1/2, to first order
// otherwise; theta > 1/2 loses energy. (step/rotation.hpp keeps the direction and lets the energy vary.)
#pragma once

#include "base/matrix3.hpp"
#include "step/rotation.hpp"

namespace talus {

// WorldState frame.
struct RotationStep {
    Quat orientation;     // at the end
    Vec3 spin, meanSpin;  // rad/s, at the end and on average
};

inline Mat3 crossMatrix(const Vec3& v) { return {{0, -v.z, v.y, v.z, 0, -v.x, -v.y, v.x, 0}}; }

// Principal moments must be positive; the torque stays as it is in the world during the step.
inline RotationStep rotateByTheta(const Quat& start, const Vec3& spin, const Vec3& inertia, const Vec3& torque,
                                  double dt, double theta) {
    const double share = theta * dt;
    const Vec3 first = rotateBack(start, spin);
    Vec3 mean = first;
    for (int iteration = 0; iteration < 30; ++iteration) {
        const Vec3 bodyTorque = rotateBack(normalized(start * rotationBy(0.5 * dt * mean)), torque);
        const Vec3 momentum = hadamard(inertia, mean);
        const Vec3 residual = hadamard(inertia, mean - first) + share * (cross(mean, momentum) - bodyTorque);
        const Mat3 gyroscopic = crossMatrix(mean) * diagonal3(inertia) - crossMatrix(momentum);
        const Vec3 change = inverse(diagonal3(inertia) + share * gyroscopic) * residual;
        mean -= change;
        if (!(norm(change) > 1e-15 * norm(mean))) break;
    }
    const Quat end = normalized(start * rotationBy(dt * mean));
    return {end, rotate(end, first + (mean - first) / theta), rotate(start, mean)};
}

}  // namespace talus
