#include "model/joint_state.hpp"

#include "base/check.hpp"
#include "model/joint_geometry.hpp"

namespace talus {
namespace {

// A rotation that takes the x axis into this direction.
Quat turnFromX(const Vec3& direction) {
    const Vec3 d = normalized(direction);
    if (d.x < -1 + 1e-12) return {0, 0, 0, 1};
    return normalized(Quat{1 + d.x, 0, -d.z, d.y});
}

JointEnd poseOf(const WorldState& world, std::uint32_t id) {
    if (id == theWorld) return {};
    const std::size_t index = indexOf(world.bodies, id);
    ENGINE_CHECK(index < world.bodies.size());
    return endOf(world.bodies, index);
}

JointFrame frameOn(const JointEnd& body, const Vec3& point, const Quat& axes) {
    return {rotateBack(body.orientation, point - body.position), conjugate(body.orientation) * axes};
}

template <class Limits>
void setLimits(const Limits& limits, CoordinateLaw& law) {
    law.lower = limits.lower.value_or(law.lower);
    law.upper = limits.upper.value_or(law.upper);
}

template <class Spring>
void setSpring(const Spring& spring, double start, CoordinateLaw& law) {
    law.stiffness = spring.stiffness;
    law.damping = spring.damping;
    law.rest = spring.rest.value_or(start);
}

void setDrive(const SpeedDrive& d, CoordinateLaw& law) {
    law.drive = DriveKind::speed;
    law.target = d.speed;
    law.mostForce = d.maxForce.value_or(law.mostForce);
}
void setDrive(const PositionDrive& d, CoordinateLaw& law) {
    law.drive = DriveKind::position;
    law.target = d.position;
    law.responseTime = d.responseTime;
    law.mostForce = d.maxForce.value_or(law.mostForce);
}
void setDrive(const ForceDrive& d, CoordinateLaw& law) {
    law.drive = DriveKind::force;
    law.target = d.force;
}
void setDrive(const SpinDrive& d, CoordinateLaw& law) { setDrive(SpeedDrive{d.rate, d.maxTorque}, law); }
void setDrive(const AngleDrive& d, CoordinateLaw& law) {
    setDrive(PositionDrive{d.angle, d.responseTime, d.maxTorque}, law);
}
void setDrive(const TorqueDrive& d, CoordinateLaw& law) { setDrive(ForceDrive{d.torque}, law); }

bool isForTurning(const DriveLaw& drive) { return drive.index() >= 3; }
static_assert(std::is_same_v<std::variant_alternative_t<3, DriveLaw>, SpinDrive>);

}  // namespace

bool isRod(const JointSettings& s) { return s.kind == JointKind::distance && !s.limits && !s.spring && !s.drive; }

void addJoint(WorldState& world, const JointSettings& s, std::uint32_t first, std::uint32_t second) {
    const JointEnd bodyA = poseOf(world, first), bodyB = poseOf(world, second);
    const Vec3 pointA = s.point.value_or(bodyA.position);
    const Vec3 pointB = s.kind == JointKind::distance ? s.point2.value_or(bodyB.position) : pointA;
    const Quat axes = turnFromX(s.axis);
    Joint joint{.name = s.name, .kind = s.kind, .first = first, .second = second};
    joint.onFirst = frameOn(bodyA, pointA, axes);
    joint.onSecond = frameOn(bodyB, pointB, axes);
    joint.isRod = isRod(s);
    const double distance = norm(nearestImage(pointA - pointB, world.domain.period()));
    if (s.kind == JointKind::distance) joint.length = distance;
    if (s.limits) setLimits(*s.limits, joint.slide);
    if (s.turnLimits) setLimits(*s.turnLimits, joint.turn);
    if (s.spring) setSpring(*s.spring, joint.length, joint.slide);
    if (s.torsionSpring) setSpring(*s.torsionSpring, 0.0, joint.turn);
    if (s.drive) {
        CoordinateLaw& law = isForTurning(*s.drive) ? joint.turn : joint.slide;
        std::visit([&](const auto& drive) { setDrive(drive, law); }, *s.drive);
    }
    world.joints.add(std::move(joint));
    if (!s.collide && second != theWorld) ignorePair(world.ignoredPairs, first, second);
    world.contacts.stale = true;
}

}  // namespace talus
