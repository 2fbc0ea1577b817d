#include "model/joint_geometry.hpp"

#include <fmt/format.h>

#include <numbers>

#include "talus/error.hpp"

namespace talus {
namespace {

Vec3 axisOf(const Quat& axes, int k) {
    Vec3 unit;
    unit[k] = 1;
    return rotate(axes, unit);
}

// Off along each axis of the world.
HeldRows alongWorldAxes(const Vec3& error) {
    HeldRows rows{.count = 3};
    for (int k = 0; k < 3; ++k) {
        rows.direction[static_cast<std::size_t>(k)][k] = 1;
        rows.error[static_cast<std::size_t>(k)] = error[k];
    }
    return rows;
}

// Off along the two axes across that of the joint.
HeldRows acrossAxis(const JointPlace& place, const Vec3& error) {
    HeldRows rows{.count = 2};
    for (std::size_t k = 0; k < 2; ++k) {
        rows.direction[k] = axisOf(place.secondAxes, static_cast<int>(k) + 1);
        rows.error[k] = dot(rows.direction[k], error);
    }
    return rows;
}

HeldRows alongAxis(const JointPlace& place, double error) {
    HeldRows rows{.count = 1};
    rows.direction[0] = place.axis;
    rows.error[0] = error;
    return rows;
}

// Axis times angle, for small angles, of the rotation from the second frame to the first.
Vec3 smallTurn(const JointPlace& place) {
    const Quat q = place.firstAxes * conjugate(place.secondAxes);
    return (q.w < 0 ? -2.0 : 2.0) * Vec3{q.x, q.y, q.z};
}

}  // namespace

JointEnd endOf(const Bodies& b, std::size_t i) { return {b.position[i], b.orientation[i], b.velocity[i], b.spin[i]}; }

JointEnd movedOn(const JointEnd& end, double time) {
    return {end.position + time * end.velocity, normalized(rotationBy(time * end.spin) * end.orientation), end.velocity,
            end.spin};
}

JointPlace placeOf(const Joint& j, const JointEnd& first, const JointEnd& second, const Vec3& period) {
    const Vec3 onFirst = rotate(first.orientation, j.onFirst.point);
    const Vec3 onSecond = rotate(second.orientation, j.onSecond.point);
    JointPlace place;
    place.offset = nearestImage((first.position + onFirst) - (second.position + onSecond), period);
    place.firstArm = onFirst;
    place.secondArm = onSecond + place.offset;
    place.firstAxes = first.orientation * j.onFirst.axes;
    place.secondAxes = second.orientation * j.onSecond.axes;
    place.axis = j.kind == JointKind::distance ? normalized(place.offset) : axisOf(place.secondAxes, 0);
    return place;
}

HeldRows heldDirections(const Joint& j, const JointPlace& place) {
    switch (j.kind) {
        case JointKind::fixed:
        case JointKind::spherical:
        case JointKind::revolute:
            return alongWorldAxes(place.offset);
        case JointKind::prismatic:
        case JointKind::cylindrical:
            return acrossAxis(place, place.offset);
        case JointKind::planar:
            return alongAxis(place, dot(place.axis, place.offset));
        case JointKind::distance:
            return j.isRod ? alongAxis(place, norm(place.offset) - j.length) : HeldRows{};
    }
    return {};
}

HeldRows heldTurns(const Joint& j, const JointPlace& place) {
    switch (j.kind) {
        case JointKind::fixed:
        case JointKind::prismatic:
            return alongWorldAxes(smallTurn(place));
        case JointKind::revolute:
        case JointKind::cylindrical:
        case JointKind::planar:
            return acrossAxis(place, cross(place.axis, axisOf(place.firstAxes, 0)));
        case JointKind::spherical:
        case JointKind::distance:
            return {};
    }
    return {};
}

double slideOf(const Joint& j, const JointPlace& place) {
    return j.kind == JointKind::distance ? norm(place.offset) : dot(place.axis, place.offset);
}

double turnOf(const JointPlace& place, double last) {
    const Quat q = conjugate(place.secondAxes) * place.firstAxes;
    const double turn = 2 * std::atan2(q.x, q.w), whole = 2 * std::numbers::pi;
    return turn + whole * std::round((last - turn) / whole);
}

double speedAlong(const Vec3& direction, const JointPlace& place, const JointEnd& first, const JointEnd& second) {
    const Vec3 ofFirst = first.velocity + cross(first.spin, place.firstArm);
    return dot(direction, ofFirst - second.velocity - cross(second.spin, place.secondArm));
}

void findJointBodies(const WorldState& world, std::vector<JointIndices>& indices) {
    const Bodies& b = world.bodies;
    indices.resize(world.joints.size(), {theWorld, theWorld});
    const auto find = [&](const Joint& joint, std::uint32_t id, std::uint32_t& index) {
        if (id == theWorld || (index < b.size() && b.id[index] == id)) return;
        index = static_cast<std::uint32_t>(indexOf(b, id));
        if (index < b.size()) return;
        throw RunError(
            fmt::format("joint '{}': its body {} is gone; keep the bodies of joints out of sinks", joint.name, id));
    };
    for (std::size_t j = 0; j < world.joints.size(); ++j) {
        const Joint& joint = world.joints.list[j];
        find(joint, joint.first, indices[j][0]);
        find(joint, joint.second, indices[j][1]);
    }
}

JointCoordinates coordinatesOf(const WorldState& world, std::size_t joint, const JointIndices& indices) {
    const Joint& j = world.joints.list[joint];
    const auto end = [&](std::uint32_t index) { return index == theWorld ? JointEnd{} : endOf(world.bodies, index); };
    const JointEnd first = end(indices[0]), second = end(indices[1]);
    const JointPlace place = placeOf(j, first, second, world.domain.period());
    JointCoordinates c;
    if (canSlide(j)) {
        c.slide = slideOf(j, place);
        c.slideSpeed = speedAlong(place.axis, place, first, second);
    }
    if (canTurn(j)) {
        c.turn = turnOf(place, world.joints.turn[joint]);
        c.turnSpeed = speedAbout(place.axis, first, second);
    }
    return c;
}

}  // namespace talus
