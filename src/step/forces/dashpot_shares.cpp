#include "step/forces/dashpot_shares.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace talus {
namespace {

// The rate of a body whose single contact is held back by itself, but for round-off.
constexpr double atTheLimit = 1 - 1e-9;

struct Extremes {
    double radius = 0, inverseMass = 0;  // m, 1/kg: the largest
};

// Of the grains of each material.
std::vector<Extremes> extremesOf(const WorldState& world) {
    const Bodies& b = world.bodies;
    std::vector<Extremes> extremes(world.materials.list.size());
    for (std::size_t i = 0; i < b.grainCount; ++i) {
        Extremes& e = extremes[b.material[i]];
        e.radius = std::max(e.radius, b.radius[i]);
        e.inverseMass = std::max(e.inverseMass, b.inverseMass[i]);
    }
    return extremes;
}

// N/m, of the normal spring. Spheres that overlap by both radii have a contact radius of the root of their product.
double stiffestSpring(const LawKinds& kinds, const PairLaw& law, double radiusA, double radiusB) {
    if (kinds.normal == NormalLaw::hertz) return 2 * law.modulus * std::sqrt(radiusA * radiusB);
    return law_parts::hookeStiffness(law, std::min(radiusA, radiusB));
}

}  // namespace

double fastestDashpot(const WorldState& world) {
    const std::vector<Extremes> extremes = extremesOf(world);
    double fastest = 0;
    for (std::size_t i = 0; i < extremes.size(); ++i) {
        for (std::size_t j = 0; j < extremes.size(); ++j) {
            const PairLaw& law = world.materials.laws[i * extremes.size() + j];
            const double stiffness = stiffestSpring(world.materials.kinds, law, extremes[i].radius, extremes[j].radius);
            const double inverseMass = extremes[i].inverseMass + extremes[j].inverseMass;
            const double normal = 2 * law.dampingRatio * std::sqrt(stiffness * inverseMass);
            fastest = std::max(fastest, normal * std::max(1.0, 3.5 * law.tangentialDamping));
        }
    }
    return fastest;
}

HeldDashpots shareOutDashpots(WorldState& world, double dt, const std::vector<double>& rates, bool were) {
    Bodies& b = world.bodies;
    const double most = law_parts::calmPart / dt;
    HeldDashpots held;
    held.bodies = parallelSum(b.size(), std::size_t{0},
                              [&](std::size_t i) { return std::size_t{rates[i] >= atTheLimit * most}; });
    if (!were && held.bodies == 0) return held;
    parallelFor(b.size(), [&](std::size_t i) { b.dashpotShare[i] = rates[i] > most ? most / rates[i] : 1.0; });
    if (held.bodies == 0) return held;
    const auto cut = [&](std::size_t i) { return 1 - b.dashpotShare[i]; };
    held.leastShare = 1 - parallelMax(b.size(), cut);
    held.meanCut = parallelSum(b.size(), 0.0, cut) / static_cast<double>(b.size());
    return held;
}

}  // namespace talus
