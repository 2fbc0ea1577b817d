// Numbers with units: "2.5 mm", "50 GPa", "10 rpm", "3 kN/m" read into SI, with their dimension.
//
//   text    = number [unit]
//   unit    = factor { ("*" | " " | "/") factor }      "/" divides by the next factor only: "J/m^2/s"
//   factor  = ("1" | symbol | "(" unit ")") [["^"] integer]
//   symbol  = [prefix] name                             prefixes f p n u m c d h k M G T
//
// Decimal prefixes are joined to the decimal number before it is rounded, so "2.5 mm" is the same double as 0.0025.
// Angles have no dimension in SI, but here they are told apart: 10 Hz is not taken for 10 rad/s.
#pragma once

#include <string>
#include <string_view>

namespace talus {

// Exponents of metre, kilogram, second and radian.
struct Dimension {
    int metre = 0, kilogram = 0, second = 0, radian = 0;
    bool operator==(const Dimension&) const = default;
};

// A kind of quantity a setting can want.
struct Unit {
    std::string_view name;     // "length"
    std::string_view symbol;   // SI, "m"; "" for plain numbers
    std::string_view example;  // "2.5 mm"
    Dimension dimension;
};

namespace unit {
inline constexpr Unit number{"plain number", "", "0.5", {}};
inline constexpr Unit length{"length", "m", "2.5 mm", {1, 0, 0, 0}};
inline constexpr Unit time{"time", "s", "0.5 s", {0, 0, 1, 0}};
inline constexpr Unit velocity{"velocity", "m/s", "20 cm/s", {1, 0, -1, 0}};
inline constexpr Unit acceleration{"acceleration", "m/s^2", "9.81 m/s^2", {1, 0, -2, 0}};
inline constexpr Unit angle{"angle", "rad", "30 deg", {0, 0, 0, 1}};
inline constexpr Unit angularVelocity{"angular velocity", "rad/s", "10 rpm", {0, 0, -1, 1}};
inline constexpr Unit frequency{"frequency", "1/s", "50 Hz", {0, 0, -1, 0}};
inline constexpr Unit mass{"mass", "kg", "3 mg", {0, 1, 0, 0}};
inline constexpr Unit density{"density", "kg/m^3", "2500 kg/m^3", {-3, 1, 0, 0}};
inline constexpr Unit pressure{"pressure", "Pa", "50 GPa", {-1, 1, -2, 0}};
inline constexpr Unit force{"force", "N", "3 N", {1, 1, -2, 0}};
inline constexpr Unit stiffness{"stiffness", "N/m", "10 kN/m", {0, 1, -2, 0}};
inline constexpr Unit damping{"damping", "N s/m", "5 N s/m", {0, 1, -1, 0}};
inline constexpr Unit energy{"energy", "J", "2 mJ", {2, 1, -2, 0}};
inline constexpr Unit power{"power", "W", "2 kW", {2, 1, -3, 0}};
inline constexpr Unit torque{"torque", "N m", "2 N m", {2, 1, -2, 0}};
inline constexpr Unit torsionalStiffness{"torsional stiffness", "N m/rad", "2 N m/rad", {2, 1, -2, -1}};
inline constexpr Unit torsionalDamping{"torsional damping", "N m s/rad", "2 N m s/rad", {2, 1, -1, -1}};
inline constexpr Unit inertia{"moment of inertia", "kg m^2", "2 kg m^2", {2, 1, 0, 0}};
inline constexpr Unit surfaceEnergy{"surface energy", "J/m^2", "0.5 J/m^2", {0, 1, -2, 0}};
inline constexpr Unit area{"area", "m^2", "2 cm^2", {2, 0, 0, 0}};
inline constexpr Unit volume{"volume", "m^3", "2 cm^3", {3, 0, 0, 0}};
}  // namespace unit

// A number as it was written. Without a unit in the text the value counts as SI of whatever is wanted.
struct Measured {
    double value = 0;  // SI
    bool hasUnit = false;
    Dimension dimension;
};

// Throws InputError whose text goes on from the value, as in "is not a number"; the caller adds value and place.
Measured parseMeasured(std::string_view text);

// The SI value of a text that must have the dimension of `wanted`; InputError if it has another or is not finite.
double parseQuantity(std::string_view text, const Unit& wanted);

// "a length", "an angular velocity", or in base units, "of dimension kg m^2/s".
std::string describe(const Dimension& dimension);

// "a length", "an angle".
std::string withArticle(std::string_view noun);

}  // namespace talus
