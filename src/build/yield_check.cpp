#include "build/yield_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "laws/yield_law.hpp"
#include "model/size_distribution.hpp"

namespace talus {
namespace {

// m, effective: between two of the smallest grains, and of the largest on a plane.
struct ContactRadii {
    double least = std::numeric_limits<double>::infinity(), most = 0;

    void add(double grain) {
        least = std::min(least, 0.5 * grain);
        most = std::max(most, grain);
    }
};

ContactRadii contactRadii(const WorldState& world) {
    ContactRadii radii;
    for (std::size_t i = 0; i < world.bodies.grainCount; ++i) radii.add(world.bodies.radius[i]);
    for (const Source& source : world.sources) {
        if (source.size.kind != SizeDistribution::Kind::asGiven) radii.add(largestRadius(source.size));
    }
    return radii;
}

// N, of a contact of this radius.
double capOf(const ContactProperties& c, double radius) {
    const YieldLaw law = atRadius(makeYieldLaw(c), radius);
    return law.cap;
}
double tensionOf(const LawKinds& kinds, const ContactProperties& c, double radius) {
    const YieldLaw law = atRadius(makeYieldLaw(c), radius);
    const double cohesion = kinds.cohesion == CohesionLaw::constant ? c.cohesionForce : 0.0;
    return cohesion + c.cohesionStress * contactArea(radius) + law.rounding;
}

}  // namespace

void checkCaps(const MaterialTable& table, const WorldState& world) {
    const ContactRadii radii = contactRadii(world);
    if (radii.most == 0) return;
    forEachContactKind(table, [&](std::size_t a, std::size_t b, const ContactProperties& c) {
        if (!hasCap(c)) return;
        for (const double radius : {radii.least, radii.most}) {
            const double cap = capOf(c, radius), tension = tensionOf(table.law.kinds, c, radius);
            if (cap > tension) continue;
            throw CapError(a, b, c.cap > 0 ? "cap" : "cap_stress",
                           fmt::format("must be above what contacts bear in tension; where the effective radius is "
                                       "{:.4g} m they bear {:.4g} N (cohesion and rounding, as force and stress), the "
                                       "cap is {:.4g} N",
                                       radius, tension, cap));
        }
    });
}

}  // namespace talus
