#include "laws/pair_law.hpp"

namespace talus {
namespace {

double geometricMean(double a, double b) { return std::sqrt(a * b); }
double arithmeticMean(double a, double b) { return 0.5 * (a + b); }
double harmonicMean(double a, double b) { return a > 0 && b > 0 ? 2.0 * a * b / (a + b) : 0.0; }
// Of limits, where 0 means none: the weaker side yields.
double smallerGiven(double a, double b) { return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b); }

// The mean, but no more than the friction angle; a material for which that does not hold keeps its mistake.
double mixedDilation(const ContactProperties& a, const ContactProperties& b, double friction) {
    const double most = std::max(std::atan(friction), std::min(a.dilationAngle, b.dilationAngle));
    return std::min(arithmeticMean(a.dilationAngle, b.dilationAngle), most);
}

// Dimensionless impact x'' = -force, x(0) = 0, x'(0) = 1; the force never pulls.
struct Impact {
    NormalLaw normal;
    double zeta;

    double force(double x, double v) const {
        if (normal == NormalLaw::hooke) return x + 2.0 * zeta * v;
        const double root = std::sqrt(std::max(0.0, x));
        return x * root + 2.0 * zeta * std::sqrt(1.5 * root) * v;
    }
};

}  // namespace

double restitutionFor(NormalLaw normal, double dampingRatio) {
    if (dampingRatio == 0) return 1;
    const Impact impact{normal, dampingRatio};
    // Classical Runge-Kutta of fourth order; the step resolves the elastic and the viscous time.
    const double h = 1e-3 / (1.0 + dampingRatio);
    double x = 0, v = 1;
    for (;;) {
        const double v1 = v, a1 = -impact.force(x, v);
        const double v2 = v + 0.5 * h * a1, a2 = -impact.force(x + 0.5 * h * v1, v2);
        const double v3 = v + 0.5 * h * a2, a3 = -impact.force(x + 0.5 * h * v2, v3);
        const double v4 = v + h * a3, a4 = -impact.force(x + h * v3, v4);
        const double newX = x + h / 6.0 * (v1 + 2 * v2 + 2 * v3 + v4);
        const double newV = v + h / 6.0 * (a1 + 2 * a2 + 2 * a3 + a4);
        const double newForce = impact.force(newX, newV);
        if (newX <= 0 || (newV < 0 && newForce <= 0)) {
            // The speed hardly changes where the force vanishes: linear interpolation to that moment.
            const double force = -a1;
            const double share = force > newForce ? std::min(1.0, force / (force - newForce)) : 1.0;
            return -(v + share * (newV - v));
        }
        x = newX;
        v = newV;
    }
}

double dampingRatioFor(NormalLaw normal, double restitution) {
    if (restitution >= 1) return 0;
    double low = 0, high = 1;
    while (restitutionFor(normal, high) > restitution) high *= 2;
    // Restitution falls monotonically with damping: bisection, then nothing left to gain below round-off.
    for (int k = 0; k < 40; ++k) {
        const double middle = 0.5 * (low + high);
        (restitutionFor(normal, middle) > restitution ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

ContactProperties mix(const ContactProperties& a, const ContactProperties& b) {
    const double friction = geometricMean(a.friction, b.friction);
    return {.friction = friction,
            .restitution = geometricMean(a.restitution, b.restitution),
            .stiffness = harmonicMean(a.stiffness, b.stiffness),
            .tangentialRatio = arithmeticMean(a.tangentialRatio, b.tangentialRatio),
            .viscosity = arithmeticMean(a.viscosity, b.viscosity),
            .rollingFriction = geometricMean(a.rollingFriction, b.rollingFriction),
            .rollingDamping = arithmeticMean(a.rollingDamping, b.rollingDamping),
            .cohesionForce = geometricMean(a.cohesionForce, b.cohesionForce),
            .adhesionWork = geometricMean(a.adhesionWork, b.adhesionWork),
            .dampingTime = arithmeticMean(a.dampingTime, b.dampingTime),
            .rounding = geometricMean(a.rounding, b.rounding),
            .cap = smallerGiven(a.cap, b.cap),
            .bondStretch = smallerGiven(a.bondStretch, b.bondStretch),
            .cohesionHardening = arithmeticMean(a.cohesionHardening, b.cohesionHardening),
            .roundingHardening = arithmeticMean(a.roundingHardening, b.roundingHardening),
            .capHardening = arithmeticMean(a.capHardening, b.capHardening),
            .dampingRate = arithmeticMean(a.dampingRate, b.dampingRate),
            .cohesionStress = geometricMean(a.cohesionStress, b.cohesionStress),
            .roundingStress = geometricMean(a.roundingStress, b.roundingStress),
            .capStress = smallerGiven(a.capStress, b.capStress),
            .dilationAngle = mixedDilation(a, b, friction)};
}

PairLaw makePairLaw(const LawKinds& kinds, DampingLaw damping, const ElasticProperties& a, const ElasticProperties& b,
                    const ContactProperties& contact) {
    const auto normalCompliance = [](const ElasticProperties& m) {
        return (1 - m.poissonRatio * m.poissonRatio) / m.youngsModulus;
    };
    const auto shearCompliance = [](const ElasticProperties& m) {
        return 2.0 * (2 - m.poissonRatio) * (1 + m.poissonRatio) / m.youngsModulus;
    };
    PairLaw law;
    law.modulus = 1.0 / (normalCompliance(a) + normalCompliance(b));
    law.shearModulus = 1.0 / (shearCompliance(a) + shearCompliance(b));
    law.stiffness = contact.stiffness;
    law.stiffnessPerRadius = contact.stiffness > 0 ? 0.0 : 4.0 * law.modulus;
    // Below the least restitution a dashpot can give, only contact dynamics is possible, which needs none.
    const double restitution = std::max(smallestRestitution, contact.restitution);
    law.dampingRatio = damping == DampingLaw::viscous ? contact.viscosity : dampingRatioFor(kinds.normal, restitution);
    law.restitution = contact.restitution;
    law.friction = contact.friction;
    law.tangentialRatio = contact.tangentialRatio;
    const double stiffnessRatio =
        kinds.normal == NormalLaw::hertz ? 4.0 * law.shearModulus / law.modulus : law.tangentialRatio;
    law.tangentialDamping = law.friction > 0 ? std::sqrt(stiffnessRatio) : 0.0;  // without friction it never acts
    law.rollingFriction = contact.rollingFriction;
    law.rollingDamping = contact.rollingDamping;
    law.cohesionForce = contact.cohesionForce;
    law.adhesionWork = contact.adhesionWork;
    return law;
}

}  // namespace talus
