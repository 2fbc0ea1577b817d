#include "step/joint_time.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "model/joint_geometry.hpp"
#include "step/known_speed.hpp"

namespace talus {
namespace {

constexpr double whileFalling = 3;  // -, weights that a pendulum pulls with at its lowest point

// Bodies of which each is joined to another of them, by the first of them.
class Groups {
public:
    explicit Groups(std::size_t bodies) : first_(bodies) { std::iota(first_.begin(), first_.end(), std::size_t{0}); }
    std::size_t of(std::size_t body) const {
        while (first_[body] != body) body = first_[body];
        return body;
    }
    void join(std::size_t a, std::size_t b) {
        const auto [low, high] = std::minmax({of(a), of(b)});
        first_[high] = low;
    }

private:
    std::vector<std::size_t> first_;
};

// One side of a joint.
struct Side {
    std::uint32_t body = theWorld;
    bool isFree = false;
    double arm = 0;  // m
};

struct Link {
    const Joint* joint;
    std::array<Side, 2> side;
    double length = 0;  // m, of the joint itself
};

std::vector<Link> linksOf(const WorldState& world) {
    std::vector<JointIndices> indices;
    findJointBodies(world, indices);
    std::vector<Link> links;
    for (std::size_t j = 0; j < indices.size(); ++j) {
        const Joint& joint = world.joints.list[j];
        Link link{.joint = &joint};
        for (std::size_t k = 0; k < 2; ++k) {
            const std::uint32_t i = indices[j][k];
            const JointFrame& frame = k == 0 ? joint.onFirst : joint.onSecond;
            const bool isFree = i != theWorld && world.bodies.inverseMass[i] > 0;
            link.side[k] = {i, isFree, i == theWorld ? 0.0 : norm(frame.point)};
        }
        if (joint.kind == JointKind::distance) {
            const auto end = [&](std::uint32_t i) { return i == theWorld ? JointEnd{} : endOf(world.bodies, i); };
            link.length = norm(placeOf(joint, end(indices[j][0]), end(indices[j][1]), world.domain.period()).offset);
        }
        links.push_back(link);
    }
    return links;
}

// What a group of joined bodies pulls with.
struct Load {
    double mass = 0, reach = 0, speed = 0;  // kg, m, m/s
    bool hangs = false;
    double force(double gravity) const {
        const double turning = reach > 0 ? mass * speed * speed / reach : 0.0;
        return (hangs ? whileFalling : 1.0) * mass * gravity + turning;
    }
};

std::vector<Load> loadsOf(const WorldState& world, const std::vector<Link>& links, const Groups& groups) {
    const Bodies& b = world.bodies;
    std::vector<Load> loads(b.size());
    std::vector<char> joined(b.size());
    for (const Link& link : links) {
        for (const Side& side : link.side) {
            if (!side.isFree) continue;
            Load& load = loads[groups.of(side.body)];
            load.reach += side.arm;
            if (&side == &link.side[0]) load.reach += link.length;
            load.hangs = load.hangs || !(link.side[0].isFree && link.side[1].isFree);
            if (joined[side.body]++ > 0) continue;
            load.mass += 1 / b.inverseMass[side.body];
            load.speed = std::max(load.speed, norm(b.velocity[side.body]) + side.arm * norm(b.spin[side.body]));
        }
    }
    return loads;
}

double largest(const Vec3& v) { return std::max({v.x, v.y, v.z}); }

// 1/(kg m^2), at most, of turning a body with what follows the end of its arm.
double turningMobility(const Bodies& b, const Side& side, const Side& other) {
    const double alone = largest(b.inverseInertia[side.body]);
    if (alone == 0) return 0;
    double follows = b.inverseMass[side.body];
    if (other.isFree) {
        follows += b.inverseMass[other.body] + other.arm * other.arm * largest(b.inverseInertia[other.body]);
    }
    return 1 / (1 / alone + side.arm * side.arm / follows);
}

bool locksTurning(const Joint& joint) { return joint.kind == JointKind::fixed || joint.kind == JointKind::prismatic; }

}  // namespace

JointMotion expectedJointMotion(const WorldState& world) {
    JointMotion motion{.swing = std::numeric_limits<double>::infinity()};
    if (world.joints.empty()) return motion;
    const Bodies& b = world.bodies;
    const std::vector<Link> links = linksOf(world);
    Groups groups(b.size()), turning(b.size());
    std::vector<char> locked(b.size());
    for (const Link& link : links) {
        const auto& [first, second] = link.side;
        const bool both = first.isFree && second.isFree, locks = locksTurning(*link.joint);
        if (both) groups.join(first.body, second.body);
        if (both && locks) turning.join(first.body, second.body);
        if (locks && first.isFree != second.isFree) locked[first.isFree ? first.body : second.body] = 1;
    }
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (locked[i] != 0) locked[turning.of(i)] = 1;
    }
    const std::vector<Load> loads = loadsOf(world, links, groups);
    const double gravity = largestKnownAcceleration(world);
    double fastest = 0;  // 1/s^2
    for (const Link& link : links) {
        double mobility = 0, force = 0;
        for (std::size_t k = 0; k < 2; ++k) {
            const Side& side = link.side[k];
            if (!side.isFree) continue;
            const Load& load = loads[groups.of(side.body)];
            if (load.hangs) motion.reach = std::max(motion.reach, load.reach);
            force = load.force(gravity);
            mobility += b.inverseMass[side.body];
            if (locked[turning.of(side.body)] != 0) continue;
            fastest = std::max(fastest, force * side.arm * turningMobility(b, side, link.side[1 - k]));
        }
        if (link.length > 0) fastest = std::max(fastest, force * mobility / link.length);
    }
    if (fastest > 0) motion.swing = 1 / std::sqrt(fastest);
    return motion;
}

}  // namespace talus
