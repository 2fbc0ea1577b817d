// Joints: what they are, as the scene says, and what changes during a run, one array per quantity.
//
// A joint knows its bodies by id, since indices change when grains are sorted. Its frame is fixed to each of the two
// bodies; the first axis of the frame is the axis of the joint (include/talus/joint.hpp). Where things are follows from
// the poses of the bodies (joint_geometry.hpp).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "talus/joint.hpp"
#include "talus/vec3.hpp"

namespace talus {

inline constexpr std::uint32_t theWorld = 0xFFFFFFFF;  // in place of the id of a body

// A point and axes fixed to a body, in its frame; of the world, in the world's.
struct JointFrame {
    Vec3 point;  // m
    Quat axes;   // the first axis is that of the joint
};

enum class DriveKind { none, speed, position, force };

// What acts on a coordinate; lengths in m and forces in N for a slide, rad and N m for a turn.
struct CoordinateLaw {
    double lower = -std::numeric_limits<double>::infinity(), upper = std::numeric_limits<double>::infinity();
    double stiffness = 0, damping = 0, rest = 0;
    DriveKind drive = DriveKind::none;
    TimedValue target;
    double responseTime = 0;                                     // s, of position drives
    double mostForce = std::numeric_limits<double>::infinity();  // of speed and position drives

    bool hasSpring() const { return stiffness > 0 || damping > 0; }
};

struct Joint {
    std::string name;
    JointKind kind = JointKind::fixed;
    std::uint32_t first = 0, second = theWorld;  // ids of the bodies
    JointFrame onFirst, onSecond;
    CoordinateLaw slide, turn;
    bool isRod = false;  // a distance joint whose distance is held
    double length = 0;   // m, of a rod
};

inline bool canSlide(const Joint& j) {
    return j.kind == JointKind::prismatic || j.kind == JointKind::cylindrical ||
           (j.kind == JointKind::distance && !j.isRod);
}
inline bool canTurn(const Joint& j) { return j.kind == JointKind::revolute || j.kind == JointKind::cylindrical; }

struct Joints {
    std::vector<Joint> list;  // fixed by the scene

    // Forces of the last step (contact dynamics: their means), one entry per joint. Rows are those of
    // joint_geometry.hpp. (x, y, z) of what acts along a coordinate: stop, spring, drive.
    std::vector<Vec3> holdingForce;   // N
    std::vector<Vec3> holdingCouple;  // N m
    std::vector<Vec3> slideForce;     // N
    std::vector<Vec3> turnCouple;     // N m
    std::vector<Vec3> force, torque;  // N, N m at the joint's point, of all that on the first body; world frame
    std::vector<double> turn;         // rad, counted on over whole turns

    std::size_t size() const { return list.size(); }
    bool empty() const { return list.empty(); }
    void add(Joint joint);
};

// Calls visit(name, array) for every array that changes: the one list behind checkpoint and hash.
template <class JointsType, class Visitor>
void forEachJointArray(JointsType& joints, Visitor&& visit) {
    visit("holdingForce", joints.holdingForce);
    visit("holdingCouple", joints.holdingCouple);
    visit("slideForce", joints.slideForce);
    visit("turnCouple", joints.turnCouple);
    visit("force", joints.force);
    visit("torque", joints.torque);
    visit("turn", joints.turn);
}

// Bodies that do not touch each other, by id, the smaller first. Sorted.
using IgnoredPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
void ignorePair(IgnoredPairs& pairs, std::uint32_t a, std::uint32_t b);
bool isIgnored(const IgnoredPairs& pairs, std::uint32_t a, std::uint32_t b);

}  // namespace talus
