#include "step/assembly/turning_places.hpp"

#include <algorithm>
#include <vector>

#include "base/parallel.hpp"
#include "contacts/table/shape_points.hpp"
#include "step/assembly/contact_search.hpp"
#include "step/integrate.hpp"
#include "step/rotation.hpp"

namespace talus {
namespace {

constexpr double leastTurn = 1e-6;  // rad in a step, below which slip changes by no more than that share of itself
constexpr double mostWay = 0.5;     // -, of an arm: a place that goes further in a step is not followed

// A body at the end of the step, if no force acts.
struct BodyOn {
    ShapeInPlace shape;
    Vec3 velocity, spin;  // m/s, rad/s
};

BodyOn goOn(const WorldState& world, std::uint32_t body, const ShapeInPlace& now, double dt) {
    const Bodies& b = world.bodies;
    BodyOn on{now, b.velocity[body], b.spin[body]};
    if (isPrescribed(b, body)) {
        on.velocity = b.midVelocity[body];
        on.spin = b.midSpin[body];
        on.shape.pose.orientation = normalized(rotationBy(dt * on.spin) * now.pose.orientation);
    } else {
        const Vec3 momentum = angularMomentum(b, body, on.spin);
        on.shape.pose.orientation = orientationAfter(world, body, on.spin, dt);
        // In a guide a body turns about fixed axes.
        if (!isGuided(world, body)) {
            on.spin = applyInBodyFrame(on.shape.pose.orientation, b.inverseInertia[body], momentum);
        }
    }
    on.shape.pose.position += dt * on.velocity;
    return on;
}

bool turns(const WorldState& world, const ShapePair& pair, double dt) {
    const Bodies& b = world.bodies;
    const auto turn = [&](std::uint32_t k) { return dt * norm(isPrescribed(b, k) ? b.midSpin[k] : b.spin[k]); };
    return std::max(turn(pair.a), turn(pair.b)) > leastTurn;
}

// Finds a place of the two surfaces again, if it is still there.
const ContactPoint* samePlace(const std::vector<ContactPoint>& points, const ContactPoint& place) {
    const auto found = std::find_if(points.begin(), points.end(), [&](const ContactPoint& p) {
        return p.feature == place.feature && dot(p.normal, place.normal) > 0.5;
    });
    return found == points.end() ? nullptr : &*found;
}

// k in the world frame, m/s.
Vec3 slipChange(const WorldState& world, const ContactPlace& now, const ContactPoint& point, const BodyOn& a,
                const BodyOn& b) {
    ContactPlace on = now;
    on.normal = point.normal;
    on.armA = point.position - a.shape.pose.position;
    on.armB = point.position - b.shape.pose.position;
    endArms(world, point.gap, on);
    if (norm(on.armA - now.armA) > mostWay * norm(now.armA)) return {};
    const Vec3 velocity = a.velocity + cross(a.spin, on.armA) - b.velocity - cross(b.spin, on.armB);
    return 0.5 * (velocity - relativeVelocity(world.bodies, now));
}

// Contacts of the problem between the bodies of a pair.
struct Range {
    std::size_t first, last;
};

void addTurningOf(const WorldState& world, double dt, double margin, const ShapePair& pair, const Range& contacts,
                  ProblemWorkspace& ws) {
    const Contacts& table = world.contacts;
    const auto held = [&](std::size_t k) {
        const std::uint32_t candidate = ws.candidates[k];
        const bool holdsOn = !ws.places[k].closes && table.isActive(candidate);
        return holdsOn ? &table.shapes.point[candidate - table.firstPoint()] : nullptr;
    };
    bool any = false;
    for (std::size_t k = contacts.first; k < contacts.last; ++k) any = any || held(k) != nullptr;
    if (!any || !turns(world, pair, dt)) return;

    const BodyOn a = goOn(world, pair.a, shapeInPlace(world, pair.a), dt);
    const BodyOn b = goOn(world, pair.b, shapeNear(world, pair.b, world.bodies.position[pair.a]), dt);
    static thread_local std::vector<ContactPoint> points;
    points.clear();
    findContactPoints(a.shape, b.shape, margin, points);
    for (std::size_t k = contacts.first; k < contacts.last; ++k) {
        const ContactPoint* now = held(k);
        const ContactPoint* on = now != nullptr ? samePlace(points, *now) : nullptr;
        if (on == nullptr) continue;
        const Vec3 change = contactFrame(ws.places[k].normal).toLocal(slipChange(world, ws.places[k], *on, a, b));
        ws.problem.offset[k] += Vec3{0, change.y, change.z};
    }
}

}  // namespace

void addTurning(const WorldState& world, const TimeScheme& time, double margin, ProblemWorkspace& ws) {
    if (!world.contacts.areRigid() || time.theta != 1) return;
    const std::size_t grains = world.bodies.grainCount;
    const std::vector<ShapePair>& pairs = world.contacts.shapes.pair;
    parallelFor(pairs.size(), [&](std::size_t p) {
        addTurningOf(world, time.dt, margin, pairs[p], {ws.rowStart[grains + p], ws.rowStart[grains + p + 1]}, ws);
    });
}

}  // namespace talus
