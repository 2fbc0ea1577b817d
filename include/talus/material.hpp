// Which contact law a scene uses, and what a user knows of its materials. The laws: src/laws/contact_law.hpp.
#pragma once

#include <cstdint>
#include <string>

namespace talus {

enum class NormalLaw : std::uint8_t { hooke, hertz };
enum class TangentialLaw : std::uint8_t { none, mindlin };
enum class RollingLaw : std::uint8_t { none, spring, constant };
enum class CohesionLaw : std::uint8_t { none, constant, dmt, jkr };

struct LawKinds {
    NormalLaw normal = NormalLaw::hertz;
    TangentialLaw tangential = TangentialLaw::mindlin;
    RollingLaw rolling = RollingLaw::none;
    CohesionLaw cohesion = CohesionLaw::none;
    bool operator==(const LawKinds&) const = default;
};

enum class DampingLaw { restitution, viscous };

// What a material brings to its contacts, or what is set for one pair of materials.
struct ContactProperties {
    double friction = 0.5;             // -, Coulomb coefficient
    double restitution = 0.5;          // -, normal coefficient of restitution, 0.05 to 1
    double stiffness = 0;              // N/m, Hooke normal stiffness between two such grains; 0: from the moduli
    double tangentialRatio = 2.0 / 7;  // -, tangential over normal stiffness, Hooke
    double viscosity = 1;              // -, viscous damping as a share of critical, 2 sqrt(k m)
    double rollingFriction = 0;        // -, couple = this * R * N
    double rollingDamping = 0.3;       // -, share of critical damping of the rolling spring
    double cohesionForce = 0;          // N, constant cohesion
    double adhesionWork = 0;           // J/m^2, work of adhesion of DMT and JKR

    // Elastic contacts of contact dynamics that are damped and yield (src/laws/yield_law.hpp).
    double dampingTime = 0;        // s, dashpot = this * stiffness, normal and tangential
    double rounding = 0;           // N, radius of the ball that rounds the friction cone
    double cap = 0;                // N, largest compressive force; 0: none
    double bondStretch = 0;        // m, plastic stretch at which cohesion breaks for good; 0: never for good
    double cohesionHardening = 0;  // N/m, by which cohesion grows (or falls) with the plastic way
    double roundingHardening = 0;  // N/m, likewise
    double capHardening = 0;       // N/m, likewise
    double dampingRate = 0;        // 1/s, dashpot = this * mass of the contact, beside the other one
    double cohesionStress = 0;     // Pa, times pi R^2 of the contact: cohesion beside cohesionForce
    double roundingStress = 0;     // Pa, likewise
    double capStress = 0;          // Pa, likewise; the smaller of the two caps counts; 0: none
    double dilationAngle = 0;      // rad, at which sliding contacts of contact dynamics open; 0: by the friction law
};

// Below this a dashpot cannot be given by a restitution; viscous damping can.
inline constexpr double smallestRestitution = 0.05;

struct ElasticProperties {
    double youngsModulus = 1e7;  // Pa
    double poissonRatio = 0.3;   // -
};

struct Material {
    std::string name;
    double density = 2500;       // kg/m^3
    double youngsModulus = 1e7;  // Pa
    double poissonRatio = 0.3;   // -
};

}  // namespace talus
