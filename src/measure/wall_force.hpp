// Forces and torques that grains put on walls, free or not, and on fixed, prescribed or guided bodies: isBoundary().
//
// The force is that ON the body: the sum of the contact forces on it, without its weight. Torques are about the
// body's own position; those of a group about the mean position of its bodies. A load acts at the contact points, so
// a drum feels the friction of the grains it carries, and couples of rolling resistance are included.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "measure/contact_sample.hpp"
#include "model/world.hpp"

namespace talus {

struct BodyLoad {
    std::uint32_t id = 0;     // of the body
    std::uint16_t group = 0;  // index into WorldState::groupNames
    Vec3 position, velocity;  // m, about which the torque is taken; m/s
    bool moves = false;       // freely or as prescribed
    std::uint32_t contacts = 0;
    Vec3 force;   // N
    Vec3 torque;  // N m
};

// One entry for each wall and each fixed, prescribed or guided body, in order of id; zero where nothing touches.
std::vector<BodyLoad> measureBodyLoads(const WorldState& world, const std::vector<ContactSample>& samples);

struct GroupLoad {
    std::uint16_t group = 0;
    std::uint32_t bodies = 0, contacts = 0;
    Vec3 position, velocity;  // m, m/s, mean of the bodies
    bool moves = false;       // one of them does
    Vec3 force;               // N
    Vec3 torque;              // N m, about `position`
};

// The groups that have such bodies, in rising order.
std::vector<std::uint16_t> findFixedGroups(const WorldState& world);

// Totals of the given groups, in their order; a group without such bodies (any more) is zero. Free bodies of the same
// group do not count.
std::vector<GroupLoad> sumLoads(const std::vector<BodyLoad>& loads, const std::vector<std::uint16_t>& groups);

// Those in which one of them moves, freely or as prescribed; in rising order.
std::vector<std::uint16_t> findMovingGroups(const WorldState& world);

// A group of walls or plates whose area is known.
struct StressGroup {
    std::uint16_t group = 0;
    double area = 0;                // m^2; 0: the mantles of drums, whose area follows from their radius
    std::optional<Vec3> direction;  // in which a wall pushes, any length; of planes their normal if not set
    std::uint64_t rings = 0;        // of a sleeve, each with its own columns
    bool operator==(const StressGroup&) const = default;
};

// Pa, mean of the walls of the group: the force of the grains against the direction of each (outwards on mantles) over
// its area.
double measureWallStress(const WorldState& world, const std::vector<ContactSample>& samples, const StressGroup& group);

// m, mean radius of the drums of a group; 0 without.
double meanDrumRadius(const WorldState& world, std::uint16_t group);

// What a ring of a sleeve bears and how wide it is; zero where it is not there (yet).
struct RingState {
    double stress = 0, radius = 0;  // Pa, m
};
// One per drum or ring of a group, in order of id, and as many as the group has.
std::vector<RingState> measureRings(const WorldState& world, const std::vector<ContactSample>& samples,
                                    const StressGroup& group);

// m^3, that the drums and rings of a group enclose between their ends.
double measureVolume(const WorldState& world, std::uint16_t group);

}  // namespace talus
