#include "step/integrate.hpp"

#include "base/parallel.hpp"
#include "model/sleeve.hpp"
#include "step/rotation.hpp"
#include "step/theta_rotation.hpp"

// Within the loop over all bodies, which calls it from one place: a call would cost as much as what it does.
#define TALUS_IN_LOOP [[gnu::always_inline]] inline

namespace talus {
namespace {

// Acceleration of a free body by contacts, gravity and applied forces, in the directions it can go.
TALUS_IN_LOOP Vec3 acceleration(const WorldState& w, std::size_t i) {
    const Vec3 applied = appliedForce(w, i);
    return hadamard(linearFreedomOf(w, i), w.bodies.inverseMass[i] * (w.bodies.force[i] + applied) + w.gravity);
}

// For a body with one moment of inertia. Spheres, 1/I = 2.5/(m r^2): from numbers that are at hand anyway, to spare
// memory traffic.
TALUS_IN_LOOP Vec3 roundSpinRate(const WorldState& w, std::size_t i) {
    const double radius = w.bodies.radius[i];
    const double inverseInertia =
        isSphere(w.bodies, i) ? 2.5 * w.bodies.inverseMass[i] / (radius * radius) : w.bodies.inverseInertia[i].x;
    return hadamard(angularFreedomOf(w, i), inverseInertia * torqueOn(w, i));
}

void driftRound(WorldState& w, std::size_t i, double dt, SphereOrientation orientation) {
    Bodies& b = w.bodies;
    const Vec3 halfTurn = (0.5 * dt) * roundSpinRate(w, i);
    b.midSpin[i] = b.spin[i] + halfTurn;
    b.spin[i] = b.midSpin[i] + halfTurn;
    if (orientation == SphereOrientation::tracked) {
        b.orientation[i] = normalized(rotationBy(dt * b.midSpin[i]) * b.orientation[i]);
    }
}

// midSpin is the mid-step angular momentum seen through the new orientation, so that kick() is the same for all.
void driftGeneral(WorldState& w, std::size_t i, double dt) {
    Bodies& b = w.bodies;
    const Vec3 halfImpulse = (0.5 * dt) * hadamard(w.angularFreedom, torqueOn(w, i));
    const Vec3 momentum = applyInBodyFrame(b.orientation[i], inverseOf(b.inverseInertia[i]), b.spin[i]) + halfImpulse;
    b.orientation[i] = driftOrientation(b.orientation[i], momentum, b.inverseInertia[i], dt);
    b.midSpin[i] = applyInBodyFrame(b.orientation[i], b.inverseInertia[i], momentum);
    b.spin[i] = b.midSpin[i] + applyInBodyFrame(b.orientation[i], b.inverseInertia[i], halfImpulse);
}

// The theta method: spin holds the mean one of the step, to which `rest` of the angular acceleration is still to come.
void turnRound(WorldState& w, std::size_t i, double dt, double rest, SphereOrientation orientation) {
    Bodies& b = w.bodies;
    b.midSpin[i] = b.spin[i];
    if (rest != 0) b.spin[i] += rest * roundSpinRate(w, i);
    if (orientation == SphereOrientation::tracked) {
        b.orientation[i] = normalized(rotationBy(dt * b.midSpin[i]) * b.orientation[i]);
    }
}

// With theta = 1: the angular momentum is that of the end of the step already, and stays.
void turnByMomentum(WorldState& w, std::size_t i, double dt) {
    Bodies& b = w.bodies;
    const Vec3 momentum = angularMomentum(b, i, b.spin[i]);
    b.midSpin[i] = b.spin[i];
    b.orientation[i] = driftOrientation(b.orientation[i], momentum, b.inverseInertia[i], dt);
    b.spin[i] = applyInBodyFrame(b.orientation[i], b.inverseInertia[i], momentum);
}

// With gyroscopic forces, from the spin of the start of the step.
void turnGeneral(WorldState& w, std::size_t i, const TimeScheme& time) {
    if (time.theta == 1) return turnByMomentum(w, i, time.dt);
    Bodies& b = w.bodies;
    const Vec3 torque = hadamard(w.angularFreedom, torqueOn(w, i));
    const Vec3 change = time.impulseTime() * applyInBodyFrame(b.orientation[i], b.inverseInertia[i], torque);
    const RotationStep turned = rotateByTheta(b.orientation[i], b.spin[i] - hadamard(w.angularFreedom, change),
                                              inverseOf(b.inverseInertia[i]), torque, time.dt, time.theta);
    b.orientation[i] = turned.orientation;
    b.spin[i] = turned.spin;
    b.midSpin[i] = turned.meanSpin;
}

// One moment of inertia: spheres, walls, which have one for all axes, and what a guide keeps from turning by itself.
bool isRound(const WorldState& w, std::size_t i) {
    if (isSphere(w.bodies, i) || i >= w.bodies.grainCount) return true;
    return isGuided(w, i) && angularFreedomOf(w, i) != w.angularFreedom;
}

SphereOrientation orientationOf(const Bodies& b, std::size_t i, SphereOrientation ofSpheres) {
    return isSphere(b, i) ? ofSpheres : SphereOrientation::tracked;
}

void kickAndDriftBody(WorldState& w, std::size_t i, double dt, SphereOrientation orientation) {
    Bodies& b = w.bodies;
    const Vec3 halfKick = (0.5 * dt) * acceleration(w, i);
    b.midVelocity[i] = b.velocity[i] + halfKick;
    b.position[i] += dt * b.midVelocity[i];
    b.velocity[i] = b.midVelocity[i] + halfKick;
    if (isRound(w, i)) {
        driftRound(w, i, dt, orientationOf(b, i, orientation));
    } else {
        driftGeneral(w, i, dt);
    }
}

void integrateBody(WorldState& w, std::size_t i, const TimeScheme& time, SphereOrientation orientation) {
    Bodies& b = w.bodies;
    const double rest = (1 - time.theta) * time.dt;  // v = w + rest a, as w = v0 + theta dt a
    b.midVelocity[i] = b.velocity[i];
    if (closesByForce(w, i)) {
        w.mantles[i - b.grainCount].radius -= time.dt * b.velocity[i].x;
    } else {
        b.position[i] += time.dt * b.velocity[i];
    }
    if (rest != 0) b.velocity[i] += rest * acceleration(w, i);
    if (isRound(w, i)) {
        turnRound(w, i, time.dt, rest, orientationOf(b, i, orientation));
    } else {
        turnGeneral(w, i, time);
    }
}

void kickBody(WorldState& w, std::size_t i, double dt) {
    Bodies& b = w.bodies;
    b.velocity[i] = b.midVelocity[i] + (0.5 * dt) * acceleration(w, i);
    const Vec3 spinRate = isRound(w, i) ? roundSpinRate(w, i)
                                        : applyInBodyFrame(b.orientation[i], b.inverseInertia[i],
                                                           hadamard(w.angularFreedom, torqueOn(w, i)));
    b.spin[i] = b.midSpin[i] + (0.5 * dt) * spinRate;
}

// kickBody() and then kickAndDriftBody(), which see the same force.
TALUS_IN_LOOP void kickKickAndDriftBody(WorldState& w, std::size_t i, double dt, SphereOrientation orientation) {
    if (!isSphere(w.bodies, i)) {
        kickBody(w, i, dt);
        kickAndDriftBody(w, i, dt, orientation);
        return;
    }
    Bodies& b = w.bodies;
    const Vec3 halfKick = (0.5 * dt) * acceleration(w, i), halfTurn = (0.5 * dt) * roundSpinRate(w, i);
    const Vec3 midVelocity = (b.midVelocity[i] + halfKick) + halfKick, midSpin = (b.midSpin[i] + halfTurn) + halfTurn;
    b.midVelocity[i] = midVelocity;
    b.position[i] += dt * midVelocity;
    b.velocity[i] = midVelocity + halfKick;
    b.midSpin[i] = midSpin;
    b.spin[i] = midSpin + halfTurn;
    if (orientation == SphereOrientation::tracked) {
        b.orientation[i] = normalized(rotationBy(dt * midSpin) * b.orientation[i]);
    }
}

bool isInside(const Domain& d, const Vec3& p) {
    return p.x >= d.low.x && p.x < d.high.x && p.y >= d.low.y && p.y < d.high.y && p.z >= d.low.z && p.z < d.high.z;
}

// Walls have no periodic images: where there are any, a grain near the border stays on its side until the lists are
// built, which know the walls there.
bool wrapsPositions(const WorldState& w) { return w.domain.anyPeriodic() && w.bodies.wallCount() == 0; }

// Moves every free body, walls after grains, and finds the largest speed of a point of a grain.
template <class Move>
double moveBodies(WorldState& w, Move&& move) {
    Bodies& b = w.bodies;
    const bool wraps = wrapsPositions(w);
    const double squared = parallelMax(b.grainCount, [&](std::size_t i) {
        if (b.inverseMass[i] == 0) return 0.0;
        move(i);
        if (wraps && !isInside(w.domain, b.position[i])) b.position[i] = w.domain.wrapped(b.position[i]);
        if (isSphere(b, i)) return normSquared(b.midVelocity[i]);
        const double speed = norm(b.midVelocity[i]) + b.radius[i] * norm(b.midSpin[i]);
        return speed * speed;
    });
    forEachFreeWall(b, move);
    return std::sqrt(squared);
}

}  // namespace

double kickAndDrift(WorldState& w, double dt, SphereOrientation orientation) {
    return dt * moveBodies(w, [&](std::size_t i) { kickAndDriftBody(w, i, dt, orientation); });
}

double kickKickAndDrift(WorldState& w, double dt, SphereOrientation orientation) {
    return dt * moveBodies(w, [&](std::size_t i) { kickKickAndDriftBody(w, i, dt, orientation); });
}

double integratePositions(WorldState& w, const TimeScheme& time, SphereOrientation orientation) {
    return time.dt * moveBodies(w, [&](std::size_t i) { integrateBody(w, i, time, orientation); });
}

Quat orientationAfter(const WorldState& w, std::size_t i, const Vec3& spin, double dt) {
    const Bodies& b = w.bodies;
    if (isRound(w, i)) return normalized(rotationBy(dt * spin) * b.orientation[i]);
    return driftOrientation(b.orientation[i], angularMomentum(b, i, spin), b.inverseInertia[i], dt);
}

void kick(WorldState& w, double dt) {
    parallelFor(w.bodies.grainCount, [&](std::size_t i) {
        if (w.bodies.inverseMass[i] != 0) kickBody(w, i, dt);
    });
    forEachFreeWall(w.bodies, [&](std::size_t i) { kickBody(w, i, dt); });
}

}  // namespace talus
