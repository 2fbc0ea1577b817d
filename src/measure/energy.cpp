#include "measure/energy.hpp"

#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "model/driven.hpp"
#include "model/joint_geometry.hpp"

namespace talus {
namespace {

constexpr double hair = 1e-3;  // -, of the radius: by so much it does not matter where a body is

struct BodyEnergy {
    double translation = 0, rotation = 0, potential = 0, power = 0, negligible = 0;
    BodyEnergy& operator+=(const BodyEnergy& b) {
        power += b.power;
        translation += b.translation;
        rotation += b.rotation;
        potential += b.potential;
        negligible += b.negligible;
        return *this;
    }
};

double translationEnergy(const Bodies& b, std::size_t i) { return 0.5 * normSquared(b.velocity[i]) / b.inverseMass[i]; }

double rotationEnergy(const Bodies& b, std::size_t i) {
    const Vec3 spin = rotateBack(b.orientation[i], b.spin[i]);
    double sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double inverse = b.inverseInertia[i][axis];
        if (inverse > 0) sum += 0.5 * spin[axis] * spin[axis] / inverse;
    }
    return sum;
}

double springEnergy(const WorldState& world) {
    std::vector<JointIndices> indices;
    findJointBodies(world, indices);
    double sum = 0;
    for (std::size_t j = 0; j < world.joints.size(); ++j) {
        const Joint& joint = world.joints.list[j];
        const JointCoordinates c = coordinatesOf(world, j, indices[j]);
        sum += springEnergy(joint.slide, c.slide) + springEnergy(joint.turn, c.turn);
    }
    return sum;
}

// Gravity along the axes where a height is a height.
Vec3 boundedGravity(const WorldState& world) {
    Vec3 g = world.gravity;
    for (int axis = 0; axis < 3; ++axis) {
        if (world.domain.periodic[axis]) g[axis] = 0;
    }
    return g;
}

}  // namespace

double kineticEnergy(const Bodies& bodies, std::size_t index) {
    if (bodies.inverseMass[index] == 0) return 0;
    return translationEnergy(bodies, index) + rotationEnergy(bodies, index);
}

double potentialEnergy(const WorldState& world, std::size_t index) {
    const double inverseMass = world.bodies.inverseMass[index];
    return inverseMass == 0 ? 0.0 : -dot(boundedGravity(world), world.bodies.position[index]) / inverseMass;
}

EnergyBalance measureEnergy(const WorldState& world, const std::vector<ContactSample>& samples) {
    const Bodies& b = world.bodies;
    // Free walls count as grains do, but for those that a servo drives.
    const BodyEnergy bodies = parallelSum(b.size(), BodyEnergy{}, [&](std::size_t i) -> BodyEnergy {
        if (b.inverseMass[i] == 0 || isDriven(b, i)) return {};
        const Vec3 outer = outerAcceleration(world, i);
        const double mass = 1 / b.inverseMass[i];
        return {translationEnergy(b, i), rotationEnergy(b, i), potentialEnergy(world, i),
                mass * dot(outer, b.velocity[i]), hair * b.radius[i] * mass * norm(outer)};
    });
    return {.translation = bodies.translation,
            .rotation = bodies.rotation,
            .potential = bodies.potential,
            .elastic = parallelSum(samples.size(), StoredEnergy{}, [&](std::size_t k) { return samples[k].energy; }),
            .springs = springEnergy(world),
            .dissipated = world.ledger.dissipated,
            .jointLoss = world.ledger.jointLoss,
            .wallWork = world.ledger.wallWork,
            .inserted = world.ledger.insertedEnergy,
            .power = bodies.power,
            .closes = boundedGravity(world) == world.gravity,
            .negligible = bodies.negligible};
}

double closure(const EnergyBalance& initial, const EnergyBalance& now, double lead) {
    if (!initial.closes || !now.closes) return std::numeric_limits<double>::quiet_NaN();
    const auto balance = [&](const EnergyBalance& e) {
        return e.mechanical() + e.lost() - e.wallWork - e.inserted + lead * e.power;
    };
    return balance(now) - balance(initial);
}

double turnover(const EnergyBalance& initial, const EnergyBalance& now) {
    return initial.kinetic() + now.kinetic() + std::abs(now.potential - initial.potential) +
           std::abs(initial.stored()) + std::abs(now.stored()) + std::abs(now.lost() - initial.lost()) +
           std::abs(now.wallWork - initial.wallWork) + std::abs(now.inserted - initial.inserted) + now.negligible;
}

}  // namespace talus
