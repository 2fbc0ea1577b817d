#include "dynamics/integrate.hpp"

#include "base/parallel.hpp"
#include "dynamics/rotation.hpp"
#include "dynamics/theta_rotation.hpp"

namespace talus {
namespace {

// Acceleration of a free body by contacts and gravity, in the directions the scene allows.
Vec3 acceleration(const World& w, std::size_t i) {
    return hadamard(w.linearFreedom, w.bodies.inverseMass[i] * w.bodies.force[i] + w.gravity);
}

// 1/I = 2.5/(m r^2): from numbers that are at hand anyway, to spare memory traffic.
Vec3 sphereSpinRate(const World& w, std::size_t i) {
    const double radius = w.bodies.radius[i];
    const double inverseInertia = 2.5 * w.bodies.inverseMass[i] / (radius * radius);
    return hadamard(w.angularFreedom, inverseInertia * w.bodies.torque[i]);
}

void driftSphere(World& w, std::size_t i, double dt, SphereOrientation orientation) {
    Bodies& b = w.bodies;
    const Vec3 halfTurn = (0.5 * dt) * sphereSpinRate(w, i);
    b.midSpin[i] = b.spin[i] + halfTurn;
    b.spin[i] = b.midSpin[i] + halfTurn;
    if (orientation == SphereOrientation::tracked) {
        b.orientation[i] = normalized(rotationBy(dt * b.midSpin[i]) * b.orientation[i]);
    }
}

// midSpin is the mid-step angular momentum seen through the new orientation, so that kick() is the same for all.
void driftGeneral(World& w, std::size_t i, double dt) {
    Bodies& b = w.bodies;
    const Vec3 halfImpulse = (0.5 * dt) * hadamard(w.angularFreedom, b.torque[i]);
    const Vec3 momentum = applyInBodyFrame(b.orientation[i], inverseOf(b.inverseInertia[i]), b.spin[i]) + halfImpulse;
    b.orientation[i] = driftOrientation(b.orientation[i], momentum, b.inverseInertia[i], dt);
    b.midSpin[i] = applyInBodyFrame(b.orientation[i], b.inverseInertia[i], momentum);
    b.spin[i] = applyInBodyFrame(b.orientation[i], b.inverseInertia[i], momentum + halfImpulse);
}

// The theta method: spin holds the mean one of the step, to which `rest` of the angular acceleration is still to come.
void turnSphere(World& w, std::size_t i, double dt, double rest, SphereOrientation orientation) {
    Bodies& b = w.bodies;
    b.midSpin[i] = b.spin[i];
    if (rest != 0) b.spin[i] += rest * sphereSpinRate(w, i);
    if (orientation == SphereOrientation::tracked) {
        b.orientation[i] = normalized(rotationBy(dt * b.midSpin[i]) * b.orientation[i]);
    }
}

// The same with gyroscopic forces; spin holds that of the start of the step.
void turnGeneral(World& w, std::size_t i, const TimeScheme& time) {
    Bodies& b = w.bodies;
    const RotationStep turned = rotateByTheta(b.orientation[i], b.spin[i], inverseOf(b.inverseInertia[i]),
                                              hadamard(w.angularFreedom, b.torque[i]), time.dt, time.theta);
    b.orientation[i] = turned.orientation;
    b.spin[i] = turned.spin;
    b.midSpin[i] = turned.meanSpin;
}

}  // namespace

double kickAndDrift(World& w, double dt, SphereOrientation orientation) {
    Bodies& b = w.bodies;
    return dt * std::sqrt(parallelMax(b.grainCount, [&](std::size_t i) {
               if (b.inverseMass[i] == 0) return 0.0;
               const Vec3 halfKick = (0.5 * dt) * acceleration(w, i);
               b.midVelocity[i] = b.velocity[i] + halfKick;
               b.position[i] += dt * b.midVelocity[i];
               b.velocity[i] = b.midVelocity[i] + halfKick;
               if (isSphere(b, i)) {
                   driftSphere(w, i, dt, orientation);
               } else {
                   driftGeneral(w, i, dt);
               }
               return normSquared(b.midVelocity[i]);
           }));
}

double integratePositions(World& w, const TimeScheme& time, SphereOrientation orientation) {
    Bodies& b = w.bodies;
    const double rest = (1 - time.theta) * time.dt;  // v = w + rest a, as w = v0 + theta dt a
    return time.dt * std::sqrt(parallelMax(b.grainCount, [&](std::size_t i) {
               if (b.inverseMass[i] == 0) return 0.0;
               b.midVelocity[i] = b.velocity[i];
               b.position[i] += time.dt * b.velocity[i];
               if (rest != 0) b.velocity[i] += rest * acceleration(w, i);
               if (isSphere(b, i)) {
                   turnSphere(w, i, time.dt, rest, orientation);
               } else {
                   turnGeneral(w, i, time);
               }
               return normSquared(b.midVelocity[i]);
           }));
}

void kick(World& w, double dt) {
    Bodies& b = w.bodies;
    parallelFor(b.grainCount, [&](std::size_t i) {
        if (b.inverseMass[i] == 0) return;
        b.velocity[i] = b.midVelocity[i] + (0.5 * dt) * acceleration(w, i);
        const Vec3 spinRate = isSphere(b, i) ? sphereSpinRate(w, i)
                                             : applyInBodyFrame(b.orientation[i], b.inverseInertia[i],
                                                                hadamard(w.angularFreedom, b.torque[i]));
        b.spin[i] = b.midSpin[i] + (0.5 * dt) * spinRate;
    });
}

}  // namespace talus
