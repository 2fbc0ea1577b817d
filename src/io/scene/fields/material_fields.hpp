// Settings of materials, of pairs of them, and of the contact law.
#pragma once

#include "io/scene/field.hpp"
#include "talus/scene.hpp"

namespace talus {

template <>
struct EnumNames<NormalLaw> {
    static constexpr std::array<std::string_view, 2> names{"hooke", "hertz"};
};
template <>
struct EnumNames<DampingLaw> {
    static constexpr std::array<std::string_view, 2> names{"restitution", "viscous"};
};
template <>
struct EnumNames<TangentialLaw> {
    static constexpr std::array<std::string_view, 2> names{"none", "mindlin"};
};
template <>
struct EnumNames<RollingLaw> {
    static constexpr std::array<std::string_view, 3> names{"none", "spring", "constant"};
};
template <>
struct EnumNames<CohesionLaw> {
    static constexpr std::array<std::string_view, 4> names{"none", "constant", "dmt", "jkr"};
};

// --- materials -----------------------------------------------------------------------------------------------------

// For the plain properties of a material and for the overrides of a pair alike.
template <class V, class Contact>
void contactFields(V& v, Contact& c) {
    v({"friction", "Coulomb friction coefficient.", unit::number, bounds::nonNegative}, c.friction);
    v({"restitution",
       "Coefficient of restitution of a head-on impact; 0.05 to 1 with damping: restitution, unused with viscous.",
       unit::number, bounds::fraction},
      c.restitution);
    v({"stiffness", "Normal stiffness between two such grains, normal: hooke; 0 derives it from the moduli.",
       unit::stiffness, bounds::nonNegative},
      c.stiffness);
    v({"tangential_ratio", "Tangential over normal stiffness, normal: hooke.", unit::number, bounds::nonNegative},
      c.tangentialRatio);
    v({"viscosity", "Dashpot as a share of the critical one, 2 sqrt(k m), with damping: viscous.", unit::number,
       bounds::nonNegative},
      c.viscosity);
    v({"rolling_friction", "Rolling resistance: the couple is at most this times radius times normal force.",
       unit::number, bounds::nonNegative},
      c.rollingFriction);
    v({"rolling_damping", "Dashpot of the rolling spring as a share of the critical one, rolling: spring.",
       unit::number, bounds::nonNegative},
      c.rollingDamping);
    v({"cohesion_force", "Attraction of touching grains, cohesion: constant.", unit::force, bounds::nonNegative},
      c.cohesionForce);
    v({"adhesion_work", "Work of adhesion per area, cohesion: dmt or jkr.", unit::surfaceEnergy, bounds::nonNegative},
      c.adhesionWork);
    v({"damping_time",
       "Dashpot of both springs of a contact, as its share of the stiffness; contact_dynamics.contacts: elastic.",
       unit::time, bounds::nonNegative},
      c.dampingTime);
    v({"rounding",
       "Radius of the ball that rounds the friction cone: strength in tension and shear without load; contacts: "
       "elastic.",
       unit::force, bounds::nonNegative},
      c.rounding);
    v({"cap", "Largest compressive force, at which a contact is dented; 0: no limit; contacts: elastic.", unit::force,
       bounds::nonNegative},
      c.cap);
    v({"bond_stretch",
       "Plastic stretch at which cohesion and rounding are lost for good; 0: they come back when bodies touch again; "
       "contacts: elastic.",
       unit::length, bounds::nonNegative},
      c.bondStretch);
    v({"cohesion_hardening", "Growth of the cohesion per plastic way; negative: softening; contacts: elastic.",
       unit::stiffness},
      c.cohesionHardening);
    v({"rounding_hardening", "Growth of the rounding per plastic way; negative: softening; contacts: elastic.",
       unit::stiffness},
      c.roundingHardening);
    v({"cap_hardening", "Growth of the cap per plastic way; negative: softening; contacts: elastic.", unit::stiffness},
      c.capHardening);
    v({"damping_rate",
       "Dashpot of both springs of a contact in proportion to its mass, m1 m2/(m1 + m2), beside that of damping_time; "
       "contacts: elastic.",
       unit::frequency, bounds::nonNegative},
      c.dampingRate);
    v({"cohesion_stress",
       "Cohesion per area pi R^2 of a contact of effective radius R (r/2 between equal spheres, r on a plane), beside "
       "cohesion_force; cohesion: constant and contacts: elastic.",
       unit::pressure, bounds::nonNegative},
      c.cohesionStress);
    v({"rounding_stress", "Rounding per area pi R^2 of a contact, beside rounding; contacts: elastic.", unit::pressure,
       bounds::nonNegative},
      c.roundingStress);
    v({"cap_stress",
       "Cap per area pi R^2 of a contact, such as a hardness; with cap the smaller one counts; 0: no limit; contacts: "
       "elastic.",
       unit::pressure, bounds::nonNegative},
      c.capStress);
    v({"dilation_angle",
       "Angle at which a sliding contact opens, up to the friction angle; 0: as contact_dynamics.friction_law says. "
       "Needs friction_law: associated and solver: interior-point or auto.",
       unit::angle,
       {.low = 0, .high = 1.5}},
      c.dilationAngle);
}

template <class V>
void fields(V& v, MaterialSettings& m) {
    v({"density", "Mass per volume of the solid grain.", unit::density, {.low = 1e-6, .high = 1e12}}, m.density);
    v({"youngs_modulus",
       "Young's modulus. Real grains have 1e9 to 1e11 Pa; a softer one allows longer steps and changes little as long "
       "as overlaps stay below a percent.",
       unit::pressure,
       {.low = 1e-3, .high = 1e15}},
      m.elastic.youngsModulus);
    v({"poisson_ratio", "Poisson's ratio.", unit::number, {.low = -1, .high = 0.5, .openLow = true}},
      m.elastic.poissonRatio);
    contactFields(v, m.contact);
}

template <class V>
void fields(V& v, PairSettings& p) {
    v({"between", "Names of the two materials; twice the same name for contacts within one.", unit::number,
       bounds::anyValue, Need::required},
      p.between);
    contactFields(v, p.contact);
}

template <class V>
void fields(V& v, ContactLawSettings& c) {
    v({"normal", "Elastic normal force: hertz (spheres) or hooke (linear)."}, c.kinds.normal);
    v({"damping", "Normal dashpot: chosen to give the coefficient of restitution, or viscous, a share of critical."},
      c.damping);
    v({"tangential", "mindlin: spring with memory and Coulomb limit; none: no friction."}, c.kinds.tangential);
    v({"rolling", "Rolling resistance: none, spring (elastic-plastic) or constant (couple)."}, c.kinds.rolling);
    v({"cohesion", "none, constant (force), dmt or jkr (needs normal: hertz)."}, c.kinds.cohesion);
}

}  // namespace talus
