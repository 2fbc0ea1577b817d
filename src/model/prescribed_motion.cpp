#include "model/prescribed_motion.hpp"

#include <algorithm>
#include <numbers>

namespace talus {
namespace {

MotionState evaluate(const ConstantMotion& m, const Pose& start, double t) {
    return {{start.position + t * m.velocity, rotationBy(t * m.spin) * start.orientation}, m.velocity, m.spin};
}

MotionState evaluate(const SineMotion& m, const Pose& start, double t) {
    const double omega = 2 * std::numbers::pi * m.frequency;
    const double shift = std::sin(omega * t + m.phase) - std::sin(m.phase);
    return {{start.position + shift * m.amplitude, start.orientation},
            (omega * std::cos(omega * t + m.phase)) * m.amplitude,
            {}};
}

MotionState evaluate(const RotationMotion& m, const Pose& start, double t) {
    const Vec3 spin = m.rate * normalized(m.axis);
    const Quat turn = rotationBy(t * spin);
    const Vec3 arm = rotate(turn, start.position - m.point);
    return {{m.point + arm, normalized(turn * start.orientation)}, cross(spin, arm), spin};
}

// Velocity is linear between the points, so displacement is the sum of trapezoids.
MotionState evaluate(const TableMotion& m, const Pose& start, double t) {
    const auto velocityAt = [&](std::size_t k, double at) {
        const double share = (at - m.time[k]) / (m.time[k + 1] - m.time[k]);
        return m.velocity[k] + share * (m.velocity[k + 1] - m.velocity[k]);
    };
    Vec3 position = start.position + std::min(t, std::max(0.0, m.time.front())) * m.velocity.front();
    Vec3 velocity = m.velocity.front();
    for (std::size_t k = 0; k + 1 < m.time.size(); ++k) {
        const double from = std::max(0.0, m.time[k]), to = std::min(t, m.time[k + 1]);
        if (to <= from) continue;
        velocity = velocityAt(k, to);
        position += 0.5 * (to - from) * (velocityAt(k, from) + velocity);
    }
    if (t > m.time.back()) {
        velocity = m.velocity.back();
        position += (t - std::max(0.0, m.time.back())) * velocity;
    }
    return {{position, start.orientation}, velocity, {}};
}

MotionState evaluate(const ServoMotion& m, const Motion& motion, double time) {
    const Vec3 direction = directionOf(m, motion);
    return {{motion.start.position + motion.servo.wayAt(time) * direction, motion.start.orientation},
            motion.servo.speed * direction,
            {}};
}

MotionState evaluate(const RadialServoMotion&, const Motion& motion, double) { return {motion.start, {}, {}}; }

// Bodies that a servo moves by force have a mass, and find their way without us.
template <class Body>
void forEachPrescribed(const WorldState& world, Body&& body) {
    if (world.motions.empty()) return;
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        if (world.bodies.motion[i] != noMotion && world.bodies.inverseMass[i] == 0) body(i);
    }
}

void setRadius(WorldState& world, std::size_t body, const Motion& motion, double time) {
    if (!isRadialServo(motion)) return;
    world.mantles[body - world.bodies.grainCount].radius = motion.servo.radius - motion.servo.wayAt(time);
}

}  // namespace

MotionState evaluateMotion(const Motion& motion, double time) {
    return std::visit(
        [&](const auto& law) {
            if constexpr (requires { evaluate(law, motion, time); }) {
                return evaluate(law, motion, time);
            } else {
                return evaluate(law, motion.start, time - motion.startTime);
            }
        },
        motion.law);
}

std::uint16_t startMotion(WorldState& world, std::uint16_t law, const Pose& start) {
    world.motions.push_back({world.motionLaws[law], start, world.time, law, {.since = world.time}});
    return static_cast<std::uint16_t>(world.motions.size() - 1);
}

void movePrescribed(WorldState& world, double time, double dt) {
    Bodies& b = world.bodies;
    forEachPrescribed(world, [&](std::size_t i) {
        Motion& motion = world.motions[b.motion[i]];
        motion.servo.midSpeed = motion.servo.speed;
        const MotionState now = evaluateMotion(motion, time);
        const MotionState middle = evaluateMotion(motion, time - 0.5 * dt);
        b.position[i] = i < b.grainCount ? world.domain.wrapped(now.pose.position) : now.pose.position;
        b.orientation[i] = now.pose.orientation;
        b.velocity[i] = now.velocity;
        b.spin[i] = now.spin;
        b.midVelocity[i] = middle.velocity;
        b.midSpin[i] = middle.spin;
        setRadius(world, i, motion, time);
    });
}

void predictMotions(WorldState& world, double time, double dt) {
    Bodies& b = world.bodies;
    forEachPrescribed(world, [&](std::size_t i) {
        Motion& motion = world.motions[b.motion[i]];
        motion.servo.midSpeed = motion.servo.speed;
        const MotionState middle = evaluateMotion(motion, time + 0.5 * dt);
        const Vec3 way = evaluateMotion(motion, time + dt).pose.position - evaluateMotion(motion, time).pose.position;
        b.midVelocity[i] = way / dt;
        b.midSpin[i] = middle.spin;
    });
}

void addWallWork(WorldState& world, double duration) {
    const Bodies& b = world.bodies;
    double power = 0;
    forEachPrescribed(world, [&](std::size_t i) {
        power -= dot(b.force[i], b.midVelocity[i]) + dot(b.torque[i], b.midSpin[i]);
        const Motion& motion = world.motions[b.motion[i]];
        if (isRadialServo(motion)) power += world.facePush[i - b.grainCount] * motion.servo.midSpeed;
    });
    world.ledger.wallWork += duration * power;
}

}  // namespace talus
