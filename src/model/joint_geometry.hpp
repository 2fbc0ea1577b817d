// Where the parts of a joint are, from the poses of its two bodies: errors of what it holds, coordinates of what it
// does not, and how fast both change.
//
// With p1, p2 the joint's point on either body, d = p1 - p2, and e a direction, a force along e acts on both bodies at
// p1, so that momentum and angular momentum are kept whatever d is, and the speed that belongs to it is
//
//     e.(v1 + w1 x a1 - v2 - w2 x a2),     a1, a2: from the centre of either body to p1
//
// which is the rate of e.d for an e that turns with the second body. Couples along e belong to the speed e.(w1 - w2).
#pragma once

#include <array>

#include "model/bodies.hpp"
#include "model/joints.hpp"
#include "model/world.hpp"

namespace talus {

// A body as a joint sees it; the world is at rest at the origin.
struct JointEnd {
    Vec3 position;  // m
    Quat orientation;
    Vec3 velocity, spin;  // m/s, rad/s
};

JointEnd endOf(const Bodies& bodies, std::size_t body);

// Where the body is after a time, if it goes on like that.
JointEnd movedOn(const JointEnd& end, double time);

struct JointPlace {
    Vec3 offset;               // m, d
    Vec3 firstArm, secondArm;  // m, a1 and a2
    Quat firstAxes, secondAxes;
    Vec3 axis;  // of the joint, as the second body has it; of distance joints along d
};

// In a periodic domain those images of the bodies are joined that are nearest to each other.
JointPlace placeOf(const Joint& joint, const JointEnd& first, const JointEnd& second, const Vec3& period);

// Directions along which, or about which, a joint lets nothing move, and how far off it is along them.
struct HeldRows {
    std::size_t count = 0;
    std::array<Vec3, 3> direction;  // unit vectors
    std::array<double, 3> error{};  // m or rad
};
HeldRows heldDirections(const Joint& joint, const JointPlace& place);
HeldRows heldTurns(const Joint& joint, const JointPlace& place);

// m. For joints that can slide.
double slideOf(const Joint& joint, const JointPlace& place);

// rad, of the turns that differ by whole ones the nearest to `last`. For joints that can turn.
double turnOf(const JointPlace& place, double last);

// m/s along a direction, rad/s about it.
double speedAlong(const Vec3& direction, const JointPlace& place, const JointEnd& first, const JointEnd& second);
inline double speedAbout(const Vec3& direction, const JointEnd& first, const JointEnd& second) {
    return dot(direction, first.spin - second.spin);
}

// Indices of the bodies of a joint in WorldState::bodies, or theWorld.
using JointIndices = std::array<std::uint32_t, 2>;

// Those of all joints, from the last ones where they still hold. RunError if a body is gone.
void findJointBodies(const WorldState& world, std::vector<JointIndices>& indices);

// Where a joint stands, and how fast that changes; 0 for coordinates it does not have.
struct JointCoordinates {
    double slide = 0, turn = 0;            // m, rad
    double slideSpeed = 0, turnSpeed = 0;  // m/s, rad/s
};
JointCoordinates coordinatesOf(const WorldState& world, std::size_t joint, const JointIndices& indices);

// J, of a spring.
inline double springEnergy(const CoordinateLaw& law, double value) {
    return 0.5 * law.stiffness * (value - law.rest) * (value - law.rest);
}

}  // namespace talus
