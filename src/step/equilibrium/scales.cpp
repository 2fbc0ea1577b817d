#include "step/equilibrium/scales.hpp"

#include <algorithm>
#include <cmath>

#include "model/sleeve.hpp"

namespace talus {
namespace {

constexpr double unknown = std::numeric_limits<double>::infinity();

// The largest displacement of a point of a prescribed body that contacts can see.
double prescribedTravel(const WorldState& world, double dt) {
    const Bodies& b = world.bodies;
    double largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (b.motion[i] == noMotion) continue;
        const std::size_t wall = i - b.grainCount;
        const double reach = i < b.grainCount                         ? b.radius[i]
                             : wall < world.contacts.wallReach.size() ? world.contacts.wallReach[wall]
                                                                      : 0.0;
        const Motion& motion = world.motions[b.motion[i]];
        const double closing = isRadialServo(motion) ? std::abs(motion.servo.midSpeed) : 0.0;
        largest = std::max(largest, dt * (norm(b.midVelocity[i]) + reach * norm(b.midSpin[i]) + closing));
    }
    return largest;
}

}  // namespace

Scales measureScales(const WorldState& world, const QuasiStaticSettings& s, double dt) {
    const Bodies& b = world.bodies;
    Scales scales;
    double largest = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (i < b.grainCount) largest = std::max(largest, b.radius[i]);
        if (b.inverseMass[i] == 0) continue;
        // Walls come after the grains. A light one has little fictitious inertia, and keeps its load so much better.
        if (i >= b.grainCount && scales.smallest < unknown) break;
        scales.lightest = std::min(scales.lightest, 1 / b.inverseMass[i]);
        if (i < b.grainCount) scales.smallest = std::min(scales.smallest, b.radius[i]);
    }
    if (scales.smallest == unknown) scales.smallest = largest;  // free walls alone
    for (const PairLaw& law : world.materials.laws) {
        scales.stiffness = std::max(scales.stiffness, linearStiffness(law, largest).normal);
    }
    scales.prescribedTravel = prescribedTravel(world, dt);
    const double carried = s.proceed ? 1 : 2;
    scales.reach = std::max(s.maxDisplacement * scales.smallest, carried * scales.prescribedTravel);
    return scales;
}

}  // namespace talus
