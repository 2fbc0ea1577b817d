// From what a user knows of materials to the parameters of the law between two of them.
#pragma once

#include <limits>

#include "laws/contact_law.hpp"

namespace talus {

// Properties between two different materials when nothing is set for the pair: geometric means for friction,
// restitution, rolling friction, cohesion, adhesion and rounding (as forces and stresses); springs in series (harmonic
// mean) for stiffness; the smaller one for cap and bond stretch; arithmetic means for the rest.
ContactProperties mix(const ContactProperties& a, const ContactProperties& b);

PairLaw makePairLaw(const LawKinds& kinds, DampingLaw damping, const ElasticProperties& a, const ElasticProperties& b,
                    const ContactProperties& contact);

// The damping ratio zeta that gives this coefficient of restitution, exactly, whatever the speed and size
// (Hooke and Hertz; the contact ends when its force falls to zero). 0.05 <= restitution <= 1.
double dampingRatioFor(NormalLaw normal, double restitution);

// The inverse: restitution of a head-on impact with this damping ratio, by integrating the impact in
// dimensionless form.
double restitutionFor(NormalLaw normal, double dampingRatio);

}  // namespace talus
