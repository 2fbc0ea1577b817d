#include "model/load.hpp"

#include <algorithm>

#include "model/driven.hpp"

namespace talus {
namespace {

Vec3 evaluate(const ConstantForce& law, double) { return law.force; }

Vec3 evaluate(const TableForce& law, double t) {
    const auto after = std::upper_bound(law.time.begin(), law.time.end(), t);
    if (after == law.time.begin()) return law.force.front();
    if (after == law.time.end()) return law.force.back();
    const auto k = static_cast<std::size_t>(after - law.time.begin());
    const double share = (t - law.time[k - 1]) / (law.time[k] - law.time[k - 1]);
    return law.force[k - 1] + share * (law.force[k] - law.force[k - 1]);
}

// Calls visit(body) for each body that a force from outside can move, be it that of a servo.
template <class Visit>
void forEachPushed(const WorldState& world, Visit&& visit) {
    const bool any = !world.ownForces.empty();
    if (world.loads.empty() && world.motions.empty() && !any) return;
    const Bodies& b = world.bodies;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if ((any || b.load[i] != noLoad || b.motion[i] != noMotion) && b.inverseMass[i] != 0) visit(i);
    }
}

}  // namespace

Vec3 evaluateForce(const ForceLaw& law, double time) {
    return std::visit([&](const auto& kind) { return evaluate(kind, time); }, law);
}

void setLoads(WorldState& world, double time) {
    world.loadForce.resize(world.loads.size());
    world.loadStart.resize(world.loads.size());
    for (std::size_t k = 0; k < world.loads.size(); ++k) {
        world.loadForce[k] = evaluateForce(world.loads[k], time - world.loadStart[k]);
    }
}

double largestOuterAcceleration(const WorldState& world) {
    double largest = norm(hadamard(world.linearFreedom, world.gravity));
    forEachPushed(world, [&](std::size_t i) { largest = std::max(largest, norm(outerAcceleration(world, i))); });
    return largest;
}

void addLoadWork(WorldState& world, double duration) {
    double power = 0;
    forEachPushed(world, [&](std::size_t i) {
        if (isDriven(world.bodies, i)) return;
        power += dot(appliedForce(world, i), world.bodies.midVelocity[i]);
        if (!world.ownForces.empty()) power += dot(world.ownForces.torque[i], world.bodies.midSpin[i]);
    });
    world.ledger.wallWork += duration * power;
}

}  // namespace talus
