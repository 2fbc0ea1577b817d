// How much of its dashpots each body bears in a step.
//
// A dashpot acts on the velocity foreseen for the end of the step. Together they are the matrix C = J^T c J of the
// contacts, and stable as long as dt times the largest eigenvalue of M^-1 C is below 1. A contact of two bodies that
// move loads each with at most twice its own J^T c J, so that eigenvalue is at most the largest of the rates below:
// those of a body whose contacts each move it where they calm it fastest, with all points on the other side running
// against it at the same speed. Beyond dt rate = calmPart the dashpots of that body get the share that brings them back
// to it (docs/time-stepping.md).
#pragma once

#include "laws/contact_law.hpp"
#include "model/world.hpp"

namespace talus {

// Whether what a body touches can move.
enum class OtherSide { moves, stands };

inline double loadOf(OtherSide other) { return other == OtherSide::moves ? 2 : 1; }

// N s/m: the dashpot along the normal that would calm a sphere as fast as those of one contact do. Slip moves it by
// 1/m + r^2/I, which is 7/2 of 1/m, and rolling by r^2/I.
template <class Real>
inline Real strongestDashpot(const ContactForceOf<Real>& f) {
    return larger(f.normalDashpot, 3.5 * f.tangentialDashpot);
}
template <class Real>
inline Real strongestDashpot(const ContactForceOf<Real>& f, const Real& radius) {
    return larger(f.normalDashpot, 3.5 * f.tangentialDashpot + 2.5 * f.rollingDashpot / (radius * radius));
}

// 1/s, of a sphere, from the sum of these (N s/m).
inline double rateOfSphere(double dashpots, double inverseMass, OtherSide other) {
    return loadOf(other) * inverseMass * dashpots;
}

// 1/s, of any body by one contact, at this lever arm (m); inverseInertia (1/(kg m^2)) is that of the axis that turns
// easiest.
inline double rateAt(const ContactForce& f, const Vec3& lever, const Vec3& normal, double inverseMass,
                     double inverseInertia, OtherSide other = OtherSide::moves) {
    const double across = normSquared(cross(lever, normal)), all = normSquared(lever);
    return loadOf(other) *
           (f.normalDashpot * (inverseMass + across * inverseInertia) +
            f.tangentialDashpot * (inverseMass + all * inverseInertia) + f.rollingDashpot * inverseInertia);
}

// 1/s: no contact of two grains, alone, has a dashpot that calms it faster than this, however deep it is.
double fastestDashpot(const WorldState& world);

// Dashpots that a step could not bear as a whole.
struct HeldDashpots {
    std::size_t bodies = 0;  // whose dashpots were held back, by themselves or by what one contact alone bears
    double leastShare = 1;   // -, of the body that was held back most
    double meanCut = 0;      // -, of what of its dashpots each body lacks, the mean over all
};

// Sets Bodies::dashpotShare for steps of this length (s) from the rates (1/s) of all bodies, and says what was held
// back. `were` says whether any are limited now.
HeldDashpots shareOutDashpots(WorldState& world, double dt, const std::vector<double>& rates, bool were);

}  // namespace talus
