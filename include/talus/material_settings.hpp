// Materials as a user describes them, and what is set for pairs of them.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "talus/material.hpp"

namespace talus {

struct MaterialSettings {
    double density = Material{}.density;  // kg/m^3
    ElasticProperties elastic;
    ContactProperties contact;
};

// What is set for one pair of materials; the rest is mixed from the two (laws/pair_law.hpp).
struct ContactOverrides {
    std::optional<double> friction, restitution, stiffness, tangentialRatio, viscosity, rollingFriction, rollingDamping,
        cohesionForce, adhesionWork, dampingTime, rounding, cap, bondStretch, cohesionHardening, roundingHardening,
        capHardening, dampingRate, cohesionStress, roundingStress, capStress, dilationAngle;
};

struct PairSettings {
    std::array<std::string, 2> between;
    ContactOverrides contact;
};

struct ContactLawSettings {
    LawKinds kinds;
    DampingLaw damping = DampingLaw::restitution;
};

}  // namespace talus
