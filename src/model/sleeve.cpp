#include "model/sleeve.hpp"

#include <algorithm>
#include <numbers>

namespace talus {
namespace {

bool isAnEnd(const WorldState& world, const RadialServoMotion& servo, std::size_t body) {
    const bool plane = std::holds_alternative<PlaneWall>(world.shapes[world.bodies.shape[body]]);
    const std::string& group = world.groupNames[world.bodies.group[body]];
    return plane && std::find(servo.ends.begin(), servo.ends.end(), group) != servo.ends.end();
}

}  // namespace

const RadialServoMotion* radialServoOf(const WorldState& world, std::size_t body) {
    const std::uint16_t motion = world.bodies.motion[body];
    return motion == noMotion ? nullptr : std::get_if<RadialServoMotion>(&world.motions[motion].law);
}

bool closesByForce(const WorldState& world, std::size_t body) {
    return body >= world.bodies.grainCount && world.bodies.inverseMass[body] != 0 &&
           radialServoOf(world, body) != nullptr;
}

double closingSpeed(const WorldState& world, std::size_t wall) {
    if (closesByForce(world, wall)) return world.bodies.midVelocity[wall].x;
    return radialServoOf(world, wall) != nullptr ? world.motions[world.bodies.motion[wall]].servo.midSpeed : 0.0;
}

Vec3 closingAt(const WorldState& world, std::size_t wall, const Vec3& normal) {
    const Vec3 axis = rotate(world.bodies.orientation[wall], {0, 0, 1});
    const Vec3 inward = normal - dot(normal, axis) * axis;
    const double length = norm(inward);
    return length > 1e-9 ? inward / length : Vec3{};
}

double pressOnFace(const WorldState& world, std::size_t wall, const Vec3& normal, const Vec3& force) {
    const Shape& shape = world.shapes[world.bodies.shape[wall]];
    const Vec3 local = rotateBack(world.bodies.orientation[wall], normal);
    if (!isFirstFace(shape, local)) return 0;
    const auto* cylinder = std::get_if<CylinderWall>(&shape);
    const bool atRim = cylinder != nullptr && (cylinder->isRing || std::abs(local.z) > 1e-9);
    return dot(force, atRim ? closingAt(world, wall, normal) : normal);
}

double coveredLength(const WorldState& world, std::size_t wall) {
    const Bodies& b = world.bodies;
    const double half = std::get<CylinderWall>(world.shapes[b.shape[wall]]).halfLength;
    const RadialServoMotion* servo = radialServoOf(world, wall);
    if (servo == nullptr || servo->ends.empty()) return 2 * half;
    const Vec3 axis = rotate(b.orientation[wall], {0, 0, 1});
    double low = -half, high = half;
    for (std::size_t i = b.grainCount; i < b.size(); ++i) {
        if (!isAnEnd(world, *servo, i)) continue;
        const double place = dot(b.position[i] - b.position[wall], axis);
        const bool looksUp = dot(rotate(b.orientation[i], {0, 0, 1}), axis) > 0;
        (looksUp ? low : high) = looksUp ? std::max(low, place) : std::min(high, place);
    }
    return std::max(0.0, high - low);
}

double mantleArea(const WorldState& world, std::size_t wall) {
    const auto drum = drumOf(world, wall);
    return drum ? 2 * std::numbers::pi * drum->radius * coveredLength(world, wall) : 0.0;
}

double wholeMantleArea(const WorldState& world, std::size_t wall) {
    const auto drum = drumOf(world, wall);
    return drum ? 4 * std::numbers::pi * drum->radius * drum->halfLength : 0.0;
}

double enclosedVolume(const WorldState& world, std::size_t wall) {
    const auto drum = drumOf(world, wall);
    return drum ? std::numbers::pi * drum->radius * drum->radius * coveredLength(world, wall) : 0.0;
}

}  // namespace talus
