#include "step/known_speed.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "model/joint_geometry.hpp"
#include "model/load.hpp"
#include "model/prescribed_motion.hpp"
#include "step/joint_time.hpp"

namespace talus {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

// m, of a body and to either side of its place along a unit vector. Planes have none.
double reachAlong(const WorldState& w, std::size_t i, const Vec3& direction) {
    const Shape& shape = w.shapes[w.bodies.shape[i]];
    const Vec3 local = rotateBack(w.bodies.orientation[i], direction);
    if (const auto* box = std::get_if<BoxWall>(&shape)) {
        return dot({std::abs(local.x), std::abs(local.y), std::abs(local.z)}, box->halfSize);
    }
    if (const auto drum = drumOf(w, i)) {
        const double along = std::abs(local.z);
        return along * drum->halfLength + std::sqrt(std::max(0.0, 1 - along * along)) * drum->radius;
    }
    return w.bodies.radius[i];
}

// m, of grains and bounded walls along a unit vector.
double extentAlong(const WorldState& w, const Vec3& direction) {
    double low = never, high = -never;
    const auto include = [&](double at, double reach) {
        low = std::min(low, at - reach);
        high = std::max(high, at + reach);
    };
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
        include(dot(w.bodies.position[i], direction), reachAlong(w, i, direction));
    }
    for (const Source& source : w.sources) {
        include(dot(source.low, direction), 0);
        include(dot(source.high, direction), 0);
    }
    return high > low ? high - low : 0;
}

double fallHeight(const WorldState& w) {
    const double g = norm(w.gravity);
    return g > 0 ? extentAlong(w, w.gravity / g) : 0;
}

// Largest speed of a motion, sampled over a time that shows it.
double motionSpeed(const Motion& motion) {
    if (const auto* sine = std::get_if<SineMotion>(&motion.law)) {
        return 2 * std::numbers::pi * sine->frequency * norm(sine->amplitude);
    }
    if (const auto* table = std::get_if<TableMotion>(&motion.law)) {
        double fastest = 0;
        for (const Vec3& v : table->velocity) fastest = std::max(fastest, norm(v));
        return fastest;
    }
    if (const auto* servo = std::get_if<ServoMotion>(&motion.law)) return servo->maxSpeed;
    if (const auto* servo = std::get_if<RadialServoMotion>(&motion.law)) return servo->maxSpeed;
    return norm(evaluateMotion(motion, 0.0).velocity);
}

double largestOf(const TimedValue& value) {
    double largest = std::abs(value.constant.value_or(0.0));
    for (const double v : value.value) largest = std::max(largest, std::abs(v));
    return largest;
}

// Of the fastest point of what a joint's drives move at a given speed.
double drivenSpeed(const WorldState& w, const Joint& joint, const JointIndices& bodies) {
    double speed = joint.slide.drive == DriveKind::speed ? largestOf(joint.slide.target) : 0.0;
    if (joint.turn.drive != DriveKind::speed) return speed;
    double reach = 0;
    for (std::size_t k = 0; k < 2; ++k) {
        const std::uint32_t i = bodies[k];
        if (i == theWorld || w.bodies.inverseMass[i] == 0) continue;
        const JointFrame& frame = k == 0 ? joint.onFirst : joint.onSecond;
        reach = std::max(reach, norm(frame.point) + reachOf(w, i));
    }
    return speed + reach * largestOf(joint.turn.target);
}

// --- forces on bodies

// The largest force of a law, and the sum of its sizes over time (N s): infinite if it does not end.
struct Push {
    Vec3 force;  // N
    double impulse = never;
};

Push strongestOf(const ForceLaw& law) {
    if (const auto* constant = std::get_if<ConstantForce>(&law)) {
        return {constant->force, normSquared(constant->force) > 0 ? never : 0.0};
    }
    const TableForce& table = std::get<TableForce>(law);
    Push push{.force = {}, .impulse = table.force.back() == Vec3{} ? 0.0 : never};
    for (std::size_t k = 0; k < table.force.size(); ++k) {
        if (norm(table.force[k]) > norm(push.force)) push.force = table.force[k];
        if (k == 0) continue;
        push.impulse += 0.5 * (norm(table.force[k - 1]) + norm(table.force[k])) * (table.time[k] - table.time[k - 1]);
    }
    return push;
}

// m, until a ball at this place touches a face; infinite if it moves away from it or past it.
double wayToFace(const FaceDistance& face, const Vec3& direction, double radius) {
    constexpr double grazing = 1e-3;
    const double closing = -dot(face.normal, direction);
    return closing > grazing ? std::max(0.0, face.distance - radius) / closing : never;
}

double wayToWall(const WorldState& w, std::size_t i, std::size_t wall, const Vec3& direction) {
    const Bodies& b = w.bodies;
    const WallNow now = wallNow(w, wall);
    const Vec3 at = rotateBack(b.orientation[wall], b.position[i] - b.position[wall]);
    const Vec3 along = rotateBack(b.orientation[wall], direction);
    double way = never;
    for (int face = 0; face < faceCount(*now.shape); ++face) {
        if (isOpen(*now.shape, face)) continue;
        way = std::min(way, wayToFace(distanceToFace(now, face, at), along, b.radius[i]));
    }
    return way;
}

// m, until the balls about two bodies touch; of a wall that moves, until its front is at the ball.
double wayToBody(const WorldState& w, std::size_t i, std::size_t other, const Vec3& direction) {
    const Bodies& b = w.bodies;
    const Vec3 apart = b.position[other] - b.position[i];
    const double along = dot(apart, direction);
    if (along <= 0) return never;
    if (i >= b.grainCount) return std::max(0.0, along - b.radius[other] - reachAlong(w, i, direction));
    const double reach = b.radius[i] + b.radius[other], aside = normSquared(apart) - along * along;
    return aside < reach * reach ? std::max(0.0, along - std::sqrt(reach * reach - aside)) : never;
}

// m, to the nearest thing ahead of a body that the same load does not push; infinite if there is none.
double wayAhead(const WorldState& w, std::size_t i, const Vec3& direction) {
    const Bodies& b = w.bodies;
    double way = never;
    for (std::size_t j = 0; j < b.size(); ++j) {
        if (j == i || b.load[j] == b.load[i]) continue;
        if (j < b.grainCount) way = std::min(way, wayToBody(w, i, j, direction));
        if (j >= b.grainCount && i < b.grainCount) way = std::min(way, wayToWall(w, i, j, direction));
    }
    return way;
}

// A load on more bodies than these is like gravity: they may go as far as the scene is long.
constexpr std::size_t fewBodies = 16;

// m/s, that a load may give to a body before it meets something.
double speedByLoad(const WorldState& w, std::size_t load, const std::vector<std::uint32_t>& pushed) {
    const Push push = strongestOf(w.loads[load]);
    const double force = norm(push.force);
    if (!(force > 0)) return 0;
    const Vec3 direction = push.force / force;
    const double length = pushed.size() > fewBodies ? extentAlong(w, direction) : 0.0;
    double fastest = 0;
    for (const std::uint32_t i : pushed) {
        const double inverseMass = w.bodies.inverseMass[i];
        const double way = pushed.size() > fewBodies ? length : wayAhead(w, i, direction);
        // What flies away from all others meets nothing.
        if (!std::isfinite(way)) continue;
        fastest = std::max(fastest, std::min(std::sqrt(2 * force * inverseMass * way), push.impulse * inverseMass));
    }
    return fastest;
}

std::vector<std::vector<std::uint32_t>> bodiesOfLoads(const WorldState& w) {
    const Bodies& b = w.bodies;
    std::vector<std::vector<std::uint32_t>> pushed(w.loads.size());
    for (std::size_t i = 0; i < b.size() && !pushed.empty(); ++i) {
        if (b.load[i] != noLoad && b.inverseMass[i] > 0) pushed[b.load[i]].push_back(static_cast<std::uint32_t>(i));
    }
    return pushed;
}

double speedByLoads(const WorldState& w) {
    const std::vector<std::vector<std::uint32_t>> pushed = bodiesOfLoads(w);
    double fastest = 0;
    for (std::size_t k = 0; k < pushed.size(); ++k) fastest = std::max(fastest, speedByLoad(w, k, pushed[k]));
    return fastest;
}

}  // namespace

double prescribedSpeed(const WorldState& w) {
    double fastest = 0;
    for (std::size_t i = 0; i < w.bodies.size(); ++i) {
        if (w.bodies.motion[i] == noMotion) continue;
        const Motion& motion = w.motions[w.bodies.motion[i]];
        const double turning = norm(evaluateMotion(motion, 0.0).spin) * reachOf(w, i);
        fastest = std::max(fastest, motionSpeed(motion) + turning);
    }
    std::vector<JointIndices> bodies;
    findJointBodies(w, bodies);
    for (std::size_t j = 0; j < bodies.size(); ++j) {
        fastest = std::max(fastest, drivenSpeed(w, w.joints.list[j], bodies[j]));
    }
    return fastest;
}

double expectedSpeed(const WorldState& w) {
    // A row of joined bodies falls at most from above what it hangs on to below it.
    const double height = std::max(fallHeight(w), 2 * expectedJointMotion(w).reach);
    const double falling = std::hypot(std::sqrt(2 * norm(w.gravity) * height), speedByLoads(w));
    double grains = 0;
    for (const Vec3& v : w.bodies.velocity) grains = std::max(grains, norm(v));
    for (const Source& source : w.sources) grains = std::max(grains, norm(source.velocity));
    return std::max(falling, 2 * grains) + prescribedSpeed(w);
}

double largestKnownAcceleration(const WorldState& w) {
    double largest = largestOuterAcceleration(w);
    for (std::size_t i = 0; i < w.bodies.size() && !w.loads.empty(); ++i) {
        if (w.bodies.load[i] == noLoad || w.bodies.inverseMass[i] == 0) continue;
        const Vec3 force = strongestOf(w.loads[w.bodies.load[i]]).force;
        const Vec3 all = w.gravity + w.bodies.inverseMass[i] * force;
        largest = std::max(largest, norm(hadamard(linearFreedomOf(w, i), all)));
    }
    return largest;
}

}  // namespace talus
