// Contacts of contact dynamics that are elastic, damped and yield.
//
// The gap y of a contact (normal and tangential, open positive) is an elastic stretch e and a plastic one, y - e. With
// stiffness K, damping time a and the yield surface Y of forces f on the owner (a dashpot in proportion to the mass m
// of the contact adds m/K times its rate to a, along the normal and across it):
//
//     f = -K (e + a e'),    f in Y,    minus the plastic rate is normal to Y at f     (associated flow)
//
// In a step h that ends with impulse g = h f, plastic rate u and rate v of the gap:
//
//     e_new = e + h (v - u) = (a e - g/K)/(h + a),    so    u = v + e/(h + a) + g/(K h (h + a))
//
// Y is a friction cone whose apex is pulled back by the cohesion c, rounded by a ball d and cut off at the cap r. Each
// limit may grow or fall linearly with the plastic way; cohesion and rounding not below 0, the cap not below a
// hundredth of its first value.
//
// A bond is a contact that can bear tension (c or d > 0). It forms where bodies touch, and all plastic stretch is
// remembered while it lives. It ends when it is drawn out plastically by more than bondStretch (a tenth of the
// contact's radius, if that is 0), or by a tenth of the radius more in all. Contacts without a bond open freely: only
// dents, by forces at the cap, are remembered, until the bodies no longer overlap, and how far contacts with a dilation
// angle have ridden up on each other, until they part.
//
// Tasora, Anitescu, Negrini and Negrut, Int. J. Non-Linear Mech. 53 (2013), sections 6 to 8.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "base/fields.hpp"
#include "talus/material.hpp"
#include "talus/vec3.hpp"

namespace talus {

// Beside the yield surface, a contact may flow at another angle than normal to it: dilation, the tangent of the angle
// at which it opens when it slides, is the skewed law of problem/contact_problem.hpp.
//
// Of one pair of materials. Cohesion and friction are those of the PairLaw. Limits can also be given as stresses, which
// act on the area pi R^2 of a contact of effective radius R: known before the run, whatever the load.
struct YieldLaw {
    double dampingTime = 0;                                // s, a of the dashpot a K
    double dampingRate = 0;                                // 1/s, of a dashpot in proportion to the contact's mass
    double rounding = 0;                                   // N
    double cap = std::numeric_limits<double>::infinity();  // N, with the ball: the largest normal force
    double bondStretch = 0;                                // m; 0: bonds form again
    double cohesionHardening = 0, roundingHardening = 0, capHardening = 0;  // N/m
    double cohesionStress = 0, roundingStress = 0;                          // Pa, beside the forces
    double capStress = 0;                                                   // Pa; 0: none
    double dilation = 0;                                                    // -; 0: as the friction law says
};

inline YieldLaw makeYieldLaw(const ContactProperties& c) {
    YieldLaw law{.dampingTime = c.dampingTime,
                 .dampingRate = c.dampingRate,
                 .rounding = c.rounding,
                 .bondStretch = c.bondStretch,
                 .cohesionHardening = c.cohesionHardening,
                 .roundingHardening = c.roundingHardening,
                 .capHardening = c.capHardening,
                 .cohesionStress = c.cohesionStress,
                 .roundingStress = c.roundingStress,
                 .capStress = c.capStress,
                 .dilation = std::tan(c.dilationAngle)};
    if (c.cap > 0) law.cap = c.cap;
    return law;
}

// m^2, on which stresses act at a contact of this effective radius.
inline double contactArea(double radius) { return std::numbers::pi * radius * radius; }

// The law of a contact of this radius: with limits as forces only.
inline YieldLaw atRadius(YieldLaw law, double radius) {
    const double area = contactArea(radius);
    law.rounding += law.roundingStress * area;
    if (law.capStress > 0) law.cap = std::min(law.cap, law.capStress * area);
    law.roundingStress = law.capStress = 0;
    return law;
}

inline bool hasRounding(const YieldLaw& law) { return law.rounding > 0 || law.roundingStress > 0; }

// What such a contact remembers; seen from its owner.
struct ContactStretch {
    Vec3 tangential;      // m, elastic, world frame
    double plastic = 0;   // m, along the normal: > 0 drawn out, < 0 dented
    double way = 0;       // m, that it went plastically in all
    double bond = 0;      // 1: bears tension
    double touching = 0;  // 1: bonded or pressed together

    static constexpr auto fields() {
        using S = ContactStretch;
        return std::tuple{Field{"tangential", &S::tangential}, Field{"plastic", &S::plastic}, Field{"way", &S::way},
                          Field{"bond", &S::bond}, Field{"touching", &S::touching}};
    }
};

// Forces at which a contact yields, N. Infinite cap: none.
struct YieldLimits {
    double cohesion = 0, rounding = 0, cap = 0;
};

inline YieldLimits yieldLimits(const YieldLaw& law, double cohesion, const ContactStretch& s) {
    constexpr double leastCap = 0.01;  // -, of the first
    YieldLimits limits{.cap = std::max(leastCap * law.cap, law.cap + law.capHardening * s.way)};
    if (s.bond == 0) return limits;
    limits.cohesion = std::max(0.0, cohesion + law.cohesionHardening * s.way);
    limits.rounding = std::max(0.0, law.rounding + law.roundingHardening * s.way);
    limits.cap = std::max(limits.cap, (1 + leastCap) * limits.rounding);
    return limits;
}

// Where a bond ends: plastic stretch, and the whole stretch with it. Radius: the contact's, m.
struct BondEnd {
    double plastic, whole;  // m
};
inline constexpr double longestShare = 0.1;  // -, of the radius
inline BondEnd bondEnd(const YieldLaw& law, double radius) {
    const double plastic = law.bondStretch > 0 ? law.bondStretch : longestShare * radius;
    return {plastic, plastic + longestShare * radius};
}

// m, to which contacts without a bond ride up at their dilation angle.
inline double highestRide(double radius) { return longestShare * radius; }

}  // namespace talus
