#include "step/forces/dashpot_shares.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

namespace talus {
namespace {

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

bool shareOutDashpots(WorldState& world, double dt, const std::vector<double>& rates, bool were) {
    Bodies& b = world.bodies;
    const double most = law_parts::calmPart / dt;
    const int tooFast = parallelSum(b.size(), 0, [&](std::size_t i) { return int(rates[i] > most); });
    const bool willBe = tooFast > 0;
    if (!were && !willBe) return false;
    parallelFor(b.size(), [&](std::size_t i) { b.dashpotShare[i] = rates[i] > most ? most / rates[i] : 1.0; });
    return willBe;
}

}  // namespace talus
