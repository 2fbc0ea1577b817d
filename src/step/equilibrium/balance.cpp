#include "step/equilibrium/balance.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "measure/contact_sample.hpp"
#include "step/own_forces.hpp"
#include "step/rotation.hpp"

namespace talus {
namespace {

// From the centre of a body to the farthest place where something touches it, m.
double touchedReach(const WorldState& world, std::size_t body) {
    const Bodies& b = world.bodies;
    return body < b.grainCount ? b.radius[body] : world.contacts.wallReach[body - b.grainCount];
}

}  // namespace

Farthest farthestMove(const WorldState& world, double tau, ProblemWorkspace& ws) {
    const Bodies& b = world.bodies;
    findChanges(ws);
    return parallelSum(b.size(), Farthest{}, [&](std::size_t i) -> Farthest {
        if (b.inverseMass[i] == 0) return {};
        const BodyChange change = changeOf(ws, i);
        const double turning = touchedReach(world, i) * norm(change.spin + tau * outerSpinRate(world, i));
        return {tau * std::max(norm(change.velocity + tau * outerAcceleration(world, i)), turning), i};
    });
}

Farthest largestImbalance(const WorldState& world, double tau) {
    const Bodies& b = world.bodies;
    return parallelSum(b.size(), Farthest{}, [&](std::size_t i) -> Farthest {
        if (b.inverseMass[i] == 0) return {};
        const double force = norm(b.velocity[i]) / (tau * b.inverseMass[i]);
        const double momentum = norm(angularMomentum(b, i, b.spin[i]));
        return {std::max(force, momentum > 0 ? momentum / (tau * touchedReach(world, i)) : 0.0), i};
    });
}

double forceScale(const WorldState& world, double tau, const ProblemWorkspace& ws) {
    struct Sum {
        double force = 0;
        std::size_t count = 0;
        Sum& operator+=(const Sum& other) {
            force += other.force;
            count += other.count;
            return *this;
        }
    };
    const Sum contacts = parallelSum(ws.reactions.size(), Sum{}, [&](std::size_t k) -> Sum {
        const double force = norm(ws.reactions[k]) / tau;
        return {force, force > 0 ? std::size_t{1} : std::size_t{0}};
    });
    if (contacts.count > 0) return contacts.force / static_cast<double>(contacts.count);
    const Bodies& b = world.bodies;
    const Sum weights = parallelSum(b.size(), Sum{}, [&](std::size_t i) -> Sum {
        if (b.inverseMass[i] == 0) return {};
        return {norm(outerAcceleration(world, i)) / b.inverseMass[i], 1};
    });
    return weights.count > 0 ? weights.force / static_cast<double>(weights.count) : 0.0;
}

double inertialLoss(const WorldState& world, double tau) {
    const Bodies& b = world.bodies;
    return parallelSum(b.size(), 0.0, [&](std::size_t i) {
        if (b.inverseMass[i] == 0) return 0.0;
        const Vec3 fall = tau * outerAcceleration(world, i);
        const double turning = dot(b.spin[i], angularMomentum(b, i, b.spin[i]) + tau * appliedTorque(world, i));
        return 0.5 * (dot(b.velocity[i], b.velocity[i] + fall) / b.inverseMass[i] + turning);
    });
}

StoredEnergy storedEnergy(const WorldState& world) {
    const std::vector<ContactSample> samples = sampleContacts(world);
    return parallelSum(samples.size(), StoredEnergy{}, [&](std::size_t k) { return samples[k].energy; });
}

}  // namespace talus
