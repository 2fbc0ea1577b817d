#include "measure/wall_force.hpp"

#include <algorithm>

#include "model/sleeve.hpp"

namespace talus {
namespace {

constexpr std::uint32_t notFixed = 0xFFFFFFFF;

// For each body its place among the loads, or notFixed.
std::vector<std::uint32_t> placeLoads(const WorldState& world, std::vector<BodyLoad>& loads) {
    const Bodies& b = world.bodies;
    std::vector<std::uint32_t> fixed;
    for (std::uint32_t i = 0; i < b.size(); ++i) {
        if (isBoundary(b, i)) fixed.push_back(i);
    }
    std::sort(fixed.begin(), fixed.end(), [&](auto i, auto j) { return b.id[i] < b.id[j]; });
    std::vector<std::uint32_t> place(b.size(), notFixed);
    for (const std::uint32_t i : fixed) {
        place[i] = static_cast<std::uint32_t>(loads.size());
        loads.push_back({.id = b.id[i],
                         .group = b.group[i],
                         .position = b.position[i],
                         .velocity = closesByForce(world, i) ? Vec3{} : b.velocity[i],
                         .moves = b.motion[i] != noMotion || b.inverseMass[i] != 0});
    }
    return place;
}

// Adds a force and couple that act on the body at `lever` from its position.
void addTo(BodyLoad& load, const Vec3& lever, const Vec3& force, const Vec3& couple) {
    ++load.contacts;
    load.force += force;
    load.torque += cross(lever, force) + couple;
}

}  // namespace

std::vector<BodyLoad> measureBodyLoads(const WorldState& world, const std::vector<ContactSample>& samples) {
    const Bodies& b = world.bodies;
    std::vector<BodyLoad> loads;
    const std::vector<std::uint32_t> place = placeLoads(world, loads);
    // One after the other in the order of the list, which is the same for any number of threads.
    for (const ContactSample& s : samples) {
        if (place[s.owner] != notFixed) {
            addTo(loads[place[s.owner]], s.point - b.position[s.owner], s.force, s.couple);
        }
        if (place[s.partner] == notFixed) continue;
        // The point is near the owner; a grain's centre is a branch away from there, a wall has one place only.
        const Vec3 centre = s.partner < b.grainCount ? b.position[s.owner] - s.branch : b.position[s.partner];
        addTo(loads[place[s.partner]], s.point - centre, -s.force, -s.couple);
    }
    return loads;
}

std::vector<std::uint16_t> findFixedGroups(const WorldState& world) {
    std::vector<char> has(world.groupNames.size(), 0);
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        if (isBoundary(world.bodies, i)) has[world.bodies.group[i]] = 1;
    }
    std::vector<std::uint16_t> groups;
    for (std::size_t g = 0; g < has.size(); ++g) {
        if (has[g]) groups.push_back(static_cast<std::uint16_t>(g));
    }
    return groups;
}

std::vector<GroupLoad> sumLoads(const std::vector<BodyLoad>& loads, const std::vector<std::uint16_t>& groups) {
    std::vector<GroupLoad> totals;
    for (const std::uint16_t group : groups) {
        GroupLoad total{.group = group};
        for (const BodyLoad& load : loads) {
            if (load.group != group) continue;
            ++total.bodies;
            total.position += load.position;
            total.velocity += load.velocity;
            total.moves = total.moves || load.moves;
        }
        if (total.bodies > 0) total.position = total.position / total.bodies;
        if (total.bodies > 0) total.velocity = total.velocity / total.bodies;
        for (const BodyLoad& load : loads) {
            if (load.group != group) continue;
            total.contacts += load.contacts;
            total.force += load.force;
            total.torque += load.torque + cross(load.position - total.position, load.force);
        }
        totals.push_back(total);
    }
    return totals;
}

std::vector<std::uint16_t> findMovingGroups(const WorldState& world) {
    const Bodies& b = world.bodies;
    std::vector<std::uint16_t> groups;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (isBoundary(b, i) && (b.motion[i] != noMotion || b.inverseMass[i] != 0)) groups.push_back(b.group[i]);
    }
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
}

namespace {

// N, by which a contact presses against one of its bodies, a wall or plate of the group.
double pressOn(const WorldState& world, std::size_t body, const ContactSample& s, const StressGroup& group) {
    if (group.area == 0) return pressOnFace(world, body, s.normal, s.force);
    const Vec3 direction =
        group.direction ? normalized(*group.direction) : rotate(world.bodies.orientation[body], {0, 0, 1});
    return dot(body == s.owner ? -s.force : s.force, direction);
}

}  // namespace

double measureWallStress(const WorldState& world, const std::vector<ContactSample>& samples, const StressGroup& group) {
    const Bodies& b = world.bodies;
    const auto isMember = [&](std::size_t i) { return b.group[i] == group.group && isBoundary(b, i); };
    double area = 0, force = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (isMember(i)) area += group.area > 0 ? group.area : mantleArea(world, i);
    }
    for (const ContactSample& s : samples) {
        for (const std::size_t body : {s.owner, s.partner}) {
            if (isMember(body)) force += pressOn(world, body, s, group);
        }
    }
    return area > 0 ? force / area : 0.0;
}

double meanDrumRadius(const WorldState& world, std::uint16_t group) {
    const Bodies& b = world.bodies;
    double sum = 0, count = 0;
    for (std::size_t i = b.grainCount; i < b.size(); ++i) {
        const double radius = wallNow(world, i).radius;
        if (radius == 0 || b.group[i] != group) continue;
        sum += radius;
        ++count;
    }
    return count > 0 ? sum / count : 0.0;
}

std::vector<RingState> measureRings(const WorldState& world, const std::vector<ContactSample>& samples,
                                    const StressGroup& group) {
    const Bodies& b = world.bodies;
    std::vector<std::size_t> walls;
    for (std::size_t i = b.grainCount; i < b.size(); ++i) {
        if (b.group[i] == group.group && wallNow(world, i).radius != 0) walls.push_back(i);
    }
    std::sort(walls.begin(), walls.end(), [&](std::size_t i, std::size_t j) { return b.id[i] < b.id[j]; });
    walls.resize(std::min<std::size_t>(walls.size(), group.rings));
    std::vector<RingState> rings(group.rings);
    for (std::size_t k = 0; k < walls.size(); ++k) {
        double force = 0;
        for (const ContactSample& s : samples) {
            if (s.partner == walls[k]) force += pressOn(world, walls[k], s, group);
        }
        const double area = mantleArea(world, walls[k]);
        rings[k] = {area > 0 ? force / area : 0.0, wallNow(world, walls[k]).radius};
    }
    return rings;
}

double measureVolume(const WorldState& world, std::uint16_t group) {
    double volume = 0;
    for (std::size_t i = world.bodies.grainCount; i < world.bodies.size(); ++i) {
        if (world.bodies.group[i] == group) volume += enclosedVolume(world, i);
    }
    return volume;
}

}  // namespace talus
