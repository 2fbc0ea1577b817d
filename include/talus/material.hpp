// Which contact law a scene uses, and what a user knows of its materials. The laws: src/laws/contact_law.hpp.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

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

// The default of a property; where a property may be left out, nothing.
template <class Number>
constexpr Number usually(double value) {
    if constexpr (std::is_same_v<Number, double>) return value;
    return {};
}

// What a material brings to its contacts. A property is declared here, and in the list of members below.
template <class Number>
struct ContactPropertiesOf {
    Number friction = usually<Number>(0.5);     // -, Coulomb coefficient
    Number restitution = usually<Number>(0.5);  // -, normal coefficient of restitution, 0.05 to 1
    Number stiffness = usually<Number>(0);  // N/m, Hooke normal stiffness between two such grains; 0: from the moduli
    Number tangentialRatio = usually<Number>(2.0 / 7);  // -, tangential over normal stiffness, Hooke
    Number viscosity = usually<Number>(1);              // -, viscous damping as a share of critical, 2 sqrt(k m)
    Number rollingFriction = usually<Number>(0);        // -, couple = this * R * N
    Number rollingDamping = usually<Number>(0.3);       // -, share of critical damping of the rolling spring
    Number cohesionForce = usually<Number>(0);          // N, constant cohesion
    Number adhesionWork = usually<Number>(0);           // J/m^2, work of adhesion of DMT and JKR

    // Elastic contacts of contact dynamics that are damped and yield (src/laws/yield_law.hpp).
    Number dampingTime = usually<Number>(0);  // s, dashpot = this * stiffness, normal and tangential
    Number rounding = usually<Number>(0);     // N, radius of the ball that rounds the friction cone
    Number cap = usually<Number>(0);          // N, largest compressive force; 0: none
    Number bondStretch = usually<Number>(0);  // m, plastic stretch at which cohesion breaks for good; 0: never for good
    Number cohesionHardening = usually<Number>(0);  // N/m, by which cohesion grows (or falls) with the plastic way
    Number roundingHardening = usually<Number>(0);  // N/m, likewise
    Number capHardening = usually<Number>(0);       // N/m, likewise
    Number dampingRate = usually<Number>(0);        // 1/s, dashpot = this * mass of the contact, beside the other one
    Number cohesionStress = usually<Number>(0);     // Pa, times pi R^2 of the contact: cohesion beside cohesionForce
    Number roundingStress = usually<Number>(0);     // Pa, likewise
    Number capStress = usually<Number>(0);          // Pa, likewise; the smaller of the two caps counts; 0: none
    Number dilationAngle = usually<Number>(0);      // rad, at which sliding contacts open; 0: by the friction law

    // In the order above; pairs of materials, programs and scenes go by it.
    static constexpr auto members() {
        using C = ContactPropertiesOf;
        return std::tuple{&C::friction,     &C::restitution,       &C::stiffness,         &C::tangentialRatio,
                          &C::viscosity,    &C::rollingFriction,   &C::rollingDamping,    &C::cohesionForce,
                          &C::adhesionWork, &C::dampingTime,       &C::rounding,          &C::cap,
                          &C::bondStretch,  &C::cohesionHardening, &C::roundingHardening, &C::capHardening,
                          &C::dampingRate,  &C::cohesionStress,    &C::roundingStress,    &C::capStress,
                          &C::dilationAngle};
    }
};

using ContactProperties = ContactPropertiesOf<double>;
static_assert(sizeof(ContactProperties) == sizeof(double) * std::tuple_size_v<decltype(ContactProperties::members())>);

// What is set for one pair of materials, or changed in a stage; the rest is mixed from the two (laws/pair_law.hpp).
using ContactOverrides = ContactPropertiesOf<std::optional<double>>;

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

// A material of a program (World::addMaterial()). What is not given has its default, or stays (setMaterial()).
struct MaterialProperties {
    std::optional<double> density;                      // kg/m^3
    std::optional<double> youngsModulus, poissonRatio;  // Pa, -
    std::optional<double> friction, restitution, stiffness, tangentialRatio, viscosity, rollingFriction, rollingDamping,
        cohesionForce, adhesionWork, dampingTime, rounding, cap, bondStretch, cohesionHardening, roundingHardening,
        capHardening, dampingRate, cohesionStress, roundingStress, capStress, dilationAngle;  // see ContactProperties
    std::string name;  // for messages and files; made if empty
};

}  // namespace talus
