#include "step/assembly/rolling_entries.hpp"

#include <algorithm>

#include "step/assembly/contact_search.hpp"

namespace talus {
namespace {

// Axes of the world, the first one such that grains can turn about it (planar scenes have one).
std::array<int, 3> turningAxes(const WorldState& world) {
    int first = 0;
    while (first < 2 && world.angularFreedom[first] == 0) ++first;
    return {first, (first + 1) % 3, (first + 2) % 3};
}

bool isTurningGrain(const WorldState& world, std::uint32_t body) {
    const Bodies& b = world.bodies;
    return body < b.grainCount && !isPrescribed(b, body) && b.inverseInertia[body].x > 0;
}

Vec3 spinOf(const Bodies& b, std::uint32_t body) { return isPrescribed(b, body) ? b.midSpin[body] : b.spin[body]; }

JacobianBlock turningBlock(const std::array<int, 3>& axes, double lever) {
    JacobianBlock block{};
    for (std::size_t row = 0; row < 3; ++row) block[6 * row + 3 + static_cast<std::size_t>(axes[row])] = lever;
    return block;
}

BlockRow turningContact(const WorldState& world, const ContactPlace& c, double lever) {
    const std::array<int, 3> axes = turningAxes(world);
    BlockRow entry;
    if (!isPrescribed(world.bodies, c.a)) {
        entry.a = c.a;
        entry.blockA = turningBlock(axes, lever);
    }
    if (!isPrescribed(world.bodies, c.b)) {
        entry.b = c.b;
        entry.blockB = turningBlock(axes, -lever);
    }
    return entry;
}

}  // namespace

bool hasRolling(const WorldState& world) { return world.materials.kinds.rolling != RollingLaw::none; }

RollingResistance rollingResistance(const WorldState& world, const ContactPlace& c, const PairLaw& law, double radius,
                                    const Vec3& impulse) {
    if (!isTurningGrain(world, c.a) && !isTurningGrain(world, c.b)) return {};
    return {law.rollingFriction * std::max(0.0, dot(impulse, c.normal)), radius};
}

void addRollingEntries(const WorldState& world, ProblemWorkspace& ws) {
    auto& contacts = std::get<BodyContacts>(ws.problem.contacts);
    const std::array<int, 3> axes = turningAxes(world);
    ws.rollingContact.clear();
    for (std::size_t k = 0; k < ws.rolling.size(); ++k) {
        const RollingResistance& rolling = ws.rolling[k];
        if (rolling.limit == 0) continue;
        const ContactPlace& c = ws.places[k];
        const Vec3 turning = rolling.lever * (spinOf(world.bodies, c.a) - spinOf(world.bodies, c.b));
        contacts.add(turningContact(world, c, rolling.lever));
        ws.rollingContact.push_back(static_cast<std::uint32_t>(k));
        ws.problem.sets.push_back(ReactionSet::ballOf(rolling.limit));
        ws.problem.offset.push_back({turning[axes[0]], turning[axes[1]], turning[axes[2]]});
        ws.reactions.push_back({});
        if (!ws.problem.compliance.empty()) ws.problem.compliance.push_back(Mat3{});
        if (!ws.problem.skew.empty()) ws.problem.skew.push_back(identity3());
    }
}

double rollingLoss(const TimeScheme& time, const ProblemWorkspace& ws, std::size_t entry) {
    const std::size_t at = ws.candidates.size() + entry;
    const Vec3 turning = ws.problem.offset[at] + (0.5 / time.theta) * velocityChangeAt(ws, at);
    return -(time.dt / time.impulseTime()) * dot(ws.reactions[at], turning);
}

Vec3 rollingCouple(const WorldState& world, const ProblemWorkspace& ws, std::size_t entry) {
    const std::array<int, 3> axes = turningAxes(world);
    const Vec3& g = ws.reactions[ws.candidates.size() + entry];
    Vec3 couple;
    for (int row = 0; row < 3; ++row) couple[axes[static_cast<std::size_t>(row)]] = g[row];
    return ws.rolling[ws.rollingContact[entry]].lever * couple;
}

}  // namespace talus
