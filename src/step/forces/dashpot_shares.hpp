// How much of its dashpots each body bears in a step.
//
// A dashpot acts on the velocity foreseen for the end of the step. Together they are the matrix C = J^T c J of the
// contacts, and stable as long as dt times the largest eigenvalue of M^-1 C is below 1. A contact of two bodies that
// move loads each with at most twice its own J^T c J, so that eigenvalue is at most the largest of the rates below,
// those of a body whose contacts have all points on the other side run against it at the same speed. Beyond dt rate =
// calmPart the dashpots of that body get the share that brings them back to it (docs/time-stepping.md).
#pragma once

#include "laws/contact_law.hpp"
#include "model/world.hpp"

namespace talus {

struct DashpotRates {
    double normal = 0, tangential = 0;  // 1/s

    DashpotRates& operator+=(const DashpotRates& b) {
        normal += b.normal;
        tangential += b.tangential;
        return *this;
    }
};

// Whether what a body touches can move.
enum class OtherSide { moves, stands };

inline double loadOf(OtherSide other) { return other == OtherSide::moves ? 2 : 1; }

// Of a sphere, from the sums of its dashpots (N s/m). Those of slip calm its turning most, by r^2/I = 5/2 of 1/m.
inline DashpotRates ratesOfSphere(double normal, double turning, double inverseMass, OtherSide other) {
    return {loadOf(other) * inverseMass * normal, 2.5 * loadOf(other) * inverseMass * turning};
}

// N s/m: what counts as a dashpot of slip of a sphere of this radius, at one contact.
inline double turningDashpot(const ContactForce& f, double radius) {
    return f.tangentialDashpot + f.rollingDashpot / (radius * radius);
}

// Of any body by one contact, at this lever arm (m); inverseInertia (1/(kg m^2)) is that of the axis that turns
// easiest.
inline DashpotRates ratesAt(const ContactForce& f, const Vec3& lever, const Vec3& normal, double inverseMass,
                            double inverseInertia, OtherSide other) {
    const double across = normSquared(cross(lever, normal)), all = normSquared(lever);
    const double tangential = f.tangentialDashpot * (inverseMass + all * inverseInertia);
    return {loadOf(other) * f.normalDashpot * (inverseMass + across * inverseInertia),
            loadOf(other) * (tangential + f.rollingDashpot * inverseInertia)};
}

// 1/s: no contact of two grains, alone, has a dashpot that calms it faster than this, however deep it is.
double fastestDashpot(const WorldState& world);

// Sets Bodies::dashpots for steps of this length (s) from the rates of all bodies. `were` says whether any are limited
// now; returns whether any will be.
bool shareOutDashpots(WorldState& world, double dt, const std::vector<DashpotRates>& rates, bool were);

}  // namespace talus
