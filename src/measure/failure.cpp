#include "measure/failure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "contacts/narrow/wall_contacts.hpp"
#include "measure/overlap.hpp"

namespace talus {
namespace {

constexpr std::size_t nobody = static_cast<std::size_t>(-1);

std::string asText(const Vec3& v) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", v.x, v.y, v.z); }

std::string nameOf(const WorldState& world, std::size_t i) {
    return fmt::format("body {} (group '{}')", world.bodies.id[i], world.groupNames[world.bodies.group[i]]);
}

std::string whenAndWhere(const WorldState& world, std::size_t i) {
    return fmt::format("at t = {:.6g} s, position {} m", world.time, asText(world.bodies.position[i]));
}

// The step itself is not part of the state; its mean tells the user where to start.
std::string reduceStep(const WorldState& world) {
    if (world.step == 0 || !(world.time > 0)) return "reduce run.step";
    return fmt::format("reduce run.step (now {:.3g} s on average)", world.time / static_cast<double>(world.step));
}

// The grain with the lowest id for which isBad(i), or nobody.
template <class Test>
std::size_t findFirst(const Bodies& b, std::size_t count, Test&& isBad) {
    const int bad = parallelSum(count, 0, [&](std::size_t i) { return isBad(i) ? 1 : 0; });
    std::size_t found = nobody;
    for (std::size_t i = 0; bad > 0 && i < count; ++i) {
        if (isBad(i) && (found == nobody || b.id[i] < b.id[found])) found = i;
    }
    return found;
}

struct NamedVector {
    const char* name;
    const Vec3* value;
};

std::array<NamedVector, 5> vectorsOf(const Bodies& b, std::size_t i) {
    return {{{"position", &b.position[i]},
             {"velocity", &b.velocity[i]},
             {"spin", &b.spin[i]},
             {"force", &b.force[i]},
             {"torque", &b.torque[i]}}};
}

std::optional<std::string> findBadNumber(const WorldState& world) {
    const Bodies& b = world.bodies;
    const std::size_t i = findFirst(b, b.size(), [&](std::size_t k) {
        for (const NamedVector& v : vectorsOf(b, k)) {
            if (!isFinite(*v.value)) return true;
        }
        return false;
    });
    if (i == nobody) return std::nullopt;
    for (const NamedVector& v : vectorsOf(b, i)) {
        if (isFinite(*v.value)) continue;
        return fmt::format(
            "{} has a {} that is not finite, {}, {}: the run has become unstable; {}, or look for bodies that start "
            "deep inside each other",
            nameOf(world, i), v.name, asText(*v.value), whenAndWhere(world, i), reduceStep(world));
    }
    return std::nullopt;
}

bool isOutside(const Domain& domain, const Vec3& p) {
    for (int axis = 0; axis < 3; ++axis) {
        if (!domain.periodic[axis] && (p[axis] < domain.low[axis] || p[axis] > domain.high[axis])) return true;
    }
    return false;
}

std::optional<std::string> findLostGrain(const WorldState& world) {
    const Bodies& b = world.bodies;
    const std::size_t i = findFirst(
        b, b.grainCount, [&](std::size_t k) { return b.inverseMass[k] > 0 && isOutside(world.domain, b.position[k]); });
    if (i == nobody) return std::nullopt;
    return fmt::format(
        "{} left the domain {} to {} m {}, velocity {} m/s: close the walls, enlarge the domain, put a sink where "
        "grains may leave, or, if it was pushed through a wall, {}",
        nameOf(world, i), asText(world.domain.low), asText(world.domain.high), whenAndWhere(world, i),
        asText(b.velocity[i]), reduceStep(world));
}

// A drive of a joint that pushes with whatever force it takes squeezes bodies without end: the one that pushes most.
std::string limitDrives(const WorldState& world) {
    const Joints& joints = world.joints;
    std::string hint;
    double most = 0;
    const auto consider = [&](std::size_t j, const CoordinateLaw& law, double force, const char* unit,
                              const char* limit) {
        const bool moves = law.drive == DriveKind::speed || law.drive == DriveKind::position;
        if (!moves || std::isfinite(law.mostForce) || !(std::abs(force) > most)) return;
        most = std::abs(force);
        hint =
            fmt::format(", give the drive of joint '{}' (now {:.3g} {}) a {}", joints.list[j].name, most, unit, limit);
    };
    for (std::size_t j = 0; j < joints.size(); ++j) {
        consider(j, joints.list[j].slide, joints.slideForce[j].z, "N", "max_force");
        consider(j, joints.list[j].turn, joints.turnCouple[j].z, "N m", "max_torque");
    }
    return hint;
}

// What else than a shorter step may help. By Newton's rule bodies bounce once they have closed: until then nothing
// stops them, and they go into each other by their way in a step.
std::string adviceOnContact(const WorldState& world, const DeepestOverlap& deepest) {
    if (!world.contacts.areRigid()) return "make the material stiffer (youngs_modulus or stiffness)";
    const std::vector<std::uint16_t>& material = world.bodies.material;
    const PairLaw& law = world.materials.between(material[deepest.owner], material[deepest.partner]);
    return fmt::format("{}lower contact_dynamics.tolerance or raise max_iterations",
                       law.restitution > 0
                           ? "set contact_dynamics.restitution: none where bodies need not bounce (those "
                             "that do overlap first, by their way in a step), "
                           : "");
}

std::optional<std::string> findDeepContact(const WorldState& world, double maxOverlapFraction) {
    const DeepestOverlap deepest = findDeepestOverlap(world);
    if (!(deepest.fraction > maxOverlapFraction)) return std::nullopt;
    return fmt::format(
        "{} overlaps {} by {:.3g} of the smaller radius (allowed: {:.3g}) {}: {}, {}{}, or lower the load or speed",
        nameOf(world, deepest.owner), nameOf(world, deepest.partner), deepest.fraction, maxOverlapFraction,
        whenAndWhere(world, deepest.owner), reduceStep(world), adviceOnContact(world, deepest), limitDrives(world));
}

}  // namespace

bool isAllFinite(const WorldState& world) { return !findBadNumber(world); }

namespace {

// m, on which the fastest point of a free body went in a step of length dt.
double wayOf(const Bodies& b, std::size_t i, double dt) {
    if (b.inverseMass[i] == 0) return 0;
    return dt * (norm(b.midVelocity[i]) + (isSphere(b, i) ? 0.0 : b.radius[i] * norm(b.midSpin[i])));
}

// Whether the ball around body i came near the ball around body j in the last step, seen from j.
bool cameNear(const WorldState& w, std::size_t i, std::size_t j, double dt) {
    const Bodies& b = w.bodies;
    const Vec3 way = dt * (b.midVelocity[i] - b.midVelocity[j]);
    const Vec3 end = nearestImage(b.position[i] - b.position[j], w.domain.period());
    const double squared = normSquared(way);
    const double back = squared > 0 ? std::clamp(dot(end, way) / squared, 0.0, 1.0) : 0.0;
    return norm(end - back * way) < b.radius[i] + b.radius[j];
}

// Whether there was anything that body i could have missed in the last step.
bool metAnything(const WorldState& w, std::size_t i, double dt) {
    const Bodies& b = w.bodies;
    for (std::size_t j = 0; j < b.grainCount; ++j) {
        if (j != i && cameNear(w, i, j, dt)) return true;
    }
    for (std::size_t j = b.grainCount; j < b.size(); ++j) {
        const double reach = b.radius[i] + wayOf(b, i, dt) + dt * norm(b.midVelocity[j]);
        const Pose pose{b.position[j], b.orientation[j]};
        if (distanceToWall(wallNow(w, j), pose, b.position[i]) < reach) return true;
    }
    return false;
}

}  // namespace

std::optional<std::string> findLeap(const WorldState& world, double dt, double halfWidth, double share) {
    const Bodies& b = world.bodies;
    const std::size_t i = findFirst(b, b.grainCount, [&](std::size_t k) {
        return wayOf(b, k, dt) > share * halfWidth && metAnything(world, k, dt);
    });
    if (i == nobody) return std::nullopt;
    const double way = wayOf(b, i, dt);
    return fmt::format(
        "{} moves at {:.3g} m/s {}: in one step of {:.3g} s that is {:.2g} of the smallest half width of a body "
        "({:.3g} m), and from {:.2g} on bodies can pass through each other, or through thin walls, unseen; set "
        "run.step to {:.2g} s or less, or, if it fell out of the scene, close the walls, put a sink where grains may "
        "leave, or give a domain",
        nameOf(world, i), way / dt, whenAndWhere(world, i), dt, way / halfWidth, halfWidth, share,
        0.5 * share * halfWidth / (way / dt));
}

std::optional<std::string> findTrouble(const WorldState& world, double maxOverlapFraction) {
    if (auto trouble = findBadNumber(world)) return trouble;
    if (auto trouble = findLostGrain(world)) return trouble;
    return findDeepContact(world, maxOverlapFraction);
}

}  // namespace talus
