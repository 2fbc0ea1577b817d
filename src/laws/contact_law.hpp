// The penalty contact law: overlap, relative velocity and memory in, force out.
//
// One law is a choice of four parts (LawKinds) and, for each pair of materials, their parameters (PairLaw).
// With effective radius R, effective mass m, overlap d > 0 and normal n from partner to owner:
//
//   normal      Hooke  Fe = k d,             tangent stiffness S = k
//               Hertz  Fe = 4/3 E* a d,      S = 2 E* a,  contact radius a = sqrt(R d)
//               damping Fd = -2 zeta sqrt(m S) u_n; together never pulling: N = max(0, Fe + Fd)
//   tangential  spring T = -kt s, kt = 8 G* a (Hertz) or ratio * k (Hooke), plus dashpot, |T| <= mu N
//               s turns with the contact frame. As the contact grows, the force T already there stays and
//               new slip meets the new stiffness; as it shrinks, T shrinks with a. Neither creates energy.
//               (Thornton, Cummins, Cleary, Powder Technology 233, 2013; Elata and Berryman 1996.)
//   rolling     spring    couple M = -kr t, kr = 2.25 S (mur R)^2, plus dashpot, |M| <= mur R N
//               constant  M = mur R N against the relative rolling (Ai, Chen, Rotter, Ooi 2011, models C and A)
//   cohesion    constant  F = N - Fc ;  DMT  F = N - 2 pi w R ; both act for as long as the bodies touch, to a share of
//               the first and the last step
//               JKR  d = a^2/R - sqrt(2 pi w a/E*), F = 4 E* a^3/(3R) - sqrt(8 pi w E* a^3); forms at d = 0,
//               breaks at the stability limit d < 0; the work lost in between is counted (laws/jkr.hpp)
//
// A dashpot c acts on the velocity foreseen for the end of the step, and so it is unstable from c dt = inertia on. Two
// limits keep every contact below two thirds of that: alone, by its own inertia (calmPart), and together with the
// others of its bodies, by a share that the step finds from all of them (step/forces/dashpot_shares.hpp;
// docs/time-stepping.md).
//
// The parts are pure functions of numbers, for one contact or for eight at a time. `Kinds` is either LawKinds (chosen
// at run time) or FixedKinds<...> (known to the compiler, so that the inner loop has no branch on them): the code is
// the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "base/fields.hpp"
#include "base/pack.hpp"
#include "laws/jkr.hpp"
#include "talus/material.hpp"
#include "talus/vec3.hpp"

namespace talus {

// Whether dashpots obey the limits of the step. They need not where no dashpot of a contact can reach them and all
// shares are 1: the forces are the same to the last bit, and cheaper.
enum class Dashpots { limited, free };

template <NormalLaw Normal, TangentialLaw Tangential, Dashpots Limits>
struct FixedKinds {
    static constexpr Dashpots dashpots = Limits;
    static constexpr NormalLaw normal = Normal;
    static constexpr TangentialLaw tangential = Tangential;
    static constexpr RollingLaw rolling = RollingLaw::none;
    static constexpr CohesionLaw cohesion = CohesionLaw::none;
};

template <class Kinds>
constexpr bool haveFreeDashpots = false;
template <NormalLaw Normal, TangentialLaw Tangential>
constexpr bool haveFreeDashpots<FixedKinds<Normal, Tangential, Dashpots::free>> = true;

// Parameters of one pair of materials; made by makePairLaw() (laws/pair_law.hpp). Real is double, or Pack for
// eight contacts at a time (base/pack.hpp), here and below.
template <class Real>
struct PairLawOf {
    Real stiffness = 0;              // N/m, Hooke, if given by the user
    Real stiffnessPerRadius = 0;     // Pa, Hooke, if derived from the moduli: k = this * R
    Real modulus = 0;                // Pa, E*
    Real shearModulus = 0;           // Pa, G*
    Real dampingRatio = 0;           // -, zeta
    Real friction = 0;               // -, mu
    Real tangentialRatio = 2.0 / 7;  // -, kt/k, Hooke only
    Real tangentialDamping = 0;      // -, dashpot of the tangential spring relative to the normal one
    Real rollingFriction = 0;        // -, mur
    Real rollingDamping = 0;         // -, share of critical damping of the rolling spring
    Real cohesionForce = 0;          // N, constant cohesion
    Real adhesionWork = 0;           // J/m^2, w of DMT and JKR
    Real restitution = 0;            // -, e; the penalty method has it in its damping
};
using PairLaw = PairLawOf<double>;

// One contact as the law sees it. Vectors are those of the owner relative to the partner, in the world frame.
template <class Real>
struct PairGeometryOf {
    Real overlap = 0;           // m
    Vector3<Real> normal;       // unit, from partner to owner
    Vector3<Real> midNormal;    // unit, the normal of mid step
    Vector3<Real> velocity;     // m/s, at the contact point, end of the step
    Vector3<Real> slip;         // m, tangential displacement at the contact point during the step
    Real twist = 0;             // rad, turn of the contact frame about the normal during the step
    Vector3<Real> rollingRate;  // rad/s, relative spin, tangential part; end of the step
    Real radius = 0;            // m, effective: 1/R = 1/R1 + 1/R2
    Real mass = 0;              // kg, effective: 1/m = 1/m1 + 1/m2
    Real inverseInertia = 0;    // 1/(kg m^2), sum of both bodies'; used by rolling only
    // Of the mass, what a push at the contact point has to move: less than all of it where the bodies turn. Spheres do
    // so in the tangent plane: 1/m + r^2/I is 7/2 of 1/m.
    Real normalInertia = 1, tangentialInertia = 2.0 / 7;  // -
    Real dashpotShare = 1;                                // -, of the two bodies the smaller one (Bodies)
};
using PairGeometry = PairGeometryOf<double>;

template <class Real>
struct TangentSpringOf {
    Vector3<Real> stretch;   // m, in the tangent plane
    Real contactRadius = 0;  // m, at the last step; 0 means not touching (a positive mark for Hooke)

    static constexpr auto fields() {
        return std::tuple{Field{"stretch", &TangentSpringOf::stretch},
                          Field{"contactRadius", &TangentSpringOf::contactRadius}};
    }
};
using TangentSpring = TangentSpringOf<double>;

template <class Real>
struct RollingSpringOf {
    Vector3<Real> turn;  // rad, in the tangent plane

    static constexpr auto fields() { return std::tuple{Field{"turn", &RollingSpringOf::turn}}; }
};
using RollingSpring = RollingSpringOf<double>;

// By the dashpots of contacts; J.
struct DashpotHeat {
    double normal = 0, tangential = 0;

    static constexpr auto fields() {
        return std::tuple{Field{"normal", &DashpotHeat::normal}, Field{"tangential", &DashpotHeat::tangential}};
    }
};

// Energy turned into heat, by mechanism; J.
template <class Real>
struct DissipatedEnergyOf {
    Real normalDamping = 0, tangentialDamping = 0, sliding = 0, rolling = 0, cohesion = 0;
    Real plastic = 0;  // of contacts that are drawn out or dented

    Real total() const { return normalDamping + tangentialDamping + sliding + rolling + cohesion + plastic; }
    DissipatedEnergyOf& operator+=(const DissipatedEnergyOf& b) {
        normalDamping += b.normalDamping;
        tangentialDamping += b.tangentialDamping;
        sliding += b.sliding;
        rolling += b.rolling;
        cohesion += b.cohesion;
        plastic += b.plastic;
        return *this;
    }
    static constexpr auto fields() {
        using E = DissipatedEnergyOf;
        return std::tuple{Field{"normalDamping", &E::normalDamping},
                          Field{"tangentialDamping", &E::tangentialDamping},
                          Field{"sliding", &E::sliding},
                          Field{"rolling", &E::rolling},
                          Field{"cohesion", &E::cohesion},
                          Field{"plastic", &E::plastic}};
    }
};
using DissipatedEnergy = DissipatedEnergyOf<double>;

// Energy stored in contacts; J. Cohesion is counted from the moment of contact, so it is negative.
struct StoredEnergy {
    double normal = 0, cohesion = 0, tangential = 0, rolling = 0;

    double total() const { return normal + cohesion + tangential + rolling; }
    StoredEnergy& operator+=(const StoredEnergy& b) {
        normal += b.normal;
        cohesion += b.cohesion;
        tangential += b.tangential;
        rolling += b.rolling;
        return *this;
    }
    static constexpr auto fields() {
        using E = StoredEnergy;
        return std::tuple{Field{"normal", &E::normal}, Field{"cohesion", &E::cohesion},
                          Field{"tangential", &E::tangential}, Field{"rolling", &E::rolling}};
    }
};

struct LinearStiffness {
    double normal = 0, tangential = 0;  // N/m
};

// Where evaluate() writes dissipation. NoTally costs nothing; Tally is used when the energy ledger is on.
template <class Real>
struct NoTallyOf {
    static constexpr bool on = false;
    DissipatedEnergyOf<Real> sum;
};
template <class Real>
struct TallyOf {
    static constexpr bool on = true;
    DissipatedEnergyOf<Real> sum;
};
using NoTally = NoTallyOf<double>;
using Tally = TallyOf<double>;

template <class Real>
struct ContactForceOf {
    Vector3<Real> force;   // N, on the owner at the contact point
    Vector3<Real> couple;  // N m, on the owner, from rolling resistance
    Real normal = 0;       // N, signed, positive pushes

    // The dashpots of this contact as a whole, from which the step finds what share of them the next one bears.
    Real normalDashpot = 0, tangentialDashpot = 0;  // N s/m
    Real rollingDashpot = 0;                        // N m s
};
using ContactForce = ContactForceOf<double>;

template <class Condition, class Real>
inline Vector3<Real> select(const Condition& condition, const Vector3<Real>& yes, const Vector3<Real>& no) {
    return {select(condition, yes.x, no.x), select(condition, yes.y, no.y), select(condition, yes.z, no.z)};
}

namespace law_parts {

using std::sqrt;

// What the normal part hands on to the others.
template <class Real>
struct NormalForce {
    Real total = 0;          // N, with cohesion
    Real limit = 0;          // N, the load that friction and rolling resistance act on
    Real elastic = 0;        // N, without damping
    Real stiffness = 0;      // N/m, S
    Real contactRadius = 0;  // m
    Real dashpot = 0;        // N s/m, 2 zeta sqrt(m S) or what the step allows
    Real slipDashpot = 0;    // N s/m, likewise of the tangential spring
};

// Of a motion, what dashpots may take in a step. They are stable up to 1, and near that they ring. Up to two thirds the
// heat that the ledger counts, with foreseen velocities, is within 3 % of what a motion has lost.
constexpr double calmPart = 2.0 / 3;

template <class Real>
inline Real hookeStiffness(const PairLawOf<Real>& law, const Real& radius) {
    return law.stiffness + law.stiffnessPerRadius * radius;
}

template <class Kinds, class Real>
inline Real pullOff(const Kinds& kinds, const PairLawOf<Real>& law, const std::type_identity_t<Real>& radius) {
    if (kinds.cohesion == CohesionLaw::constant) return law.cohesionForce;
    if (kinds.cohesion == CohesionLaw::dmt) return 2.0 * M_PI * law.adhesionWork * radius;
    if (kinds.cohesion == CohesionLaw::jkr) return 1.5 * M_PI * law.adhesionWork * radius;
    return 0.0;
}

// Both dashpots, from the stiffness, for a step of this length.
template <class Kinds, class Real>
inline void setDashpots(const Kinds&, const PairLawOf<Real>& law, const PairGeometryOf<Real>& g, double dt,
                        NormalForce<Real>& f) {
    f.dashpot = 2.0 * law.dampingRatio * sqrt(g.mass * f.stiffness);
    f.slipDashpot = law.tangentialDamping * f.dashpot;
    if constexpr (haveFreeDashpots<Kinds>) return;
    const Real most = (calmPart / dt) * g.mass;
    f.dashpot = smaller(f.dashpot, g.normalInertia * most);
    f.slipDashpot = smaller(f.slipDashpot, g.tangentialInertia * most);
}

// What of a dashpot its bodies bear.
template <class Kinds, class Real>
inline Real shared(const Kinds&, const Real& share, const Real& dashpot) {
    if constexpr (haveFreeDashpots<Kinds>) return dashpot;
    return share * dashpot;
}

// Elastic and viscous part of Hooke or Hertz, never pulling.
template <class Kinds, class Real>
inline NormalForce<Real> plainNormalForce(const Kinds& kinds, const PairLawOf<Real>& law, const PairGeometryOf<Real>& g,
                                          const Real& approach, double dt) {
    NormalForce<Real> f;
    if (kinds.normal == NormalLaw::hertz) {
        f.contactRadius = sqrt(g.radius * g.overlap);
        f.stiffness = 2.0 * law.modulus * f.contactRadius;
        f.elastic = 2.0 / 3.0 * f.stiffness * g.overlap;
    } else {
        f.contactRadius = g.radius;
        f.stiffness = hookeStiffness(law, g.radius);
        f.elastic = f.stiffness * g.overlap;
    }
    setDashpots(kinds, law, g, dt, f);
    f.limit = f.total = larger(f.elastic + shared(kinds, g.dashpotShare, f.dashpot) * approach, Real(0.0));
    return f;
}

template <class Kinds, class Real>
inline NormalForce<Real> jkrNormalForce(const Kinds& kinds, const PairLawOf<Real>& law, const PairGeometryOf<Real>& g,
                                        const Real& approach, const Real& pullOff, double dt) {
    NormalForce<Real> f;
    f.contactRadius = jkr::contactRadius(g.overlap, g.radius, law.modulus, law.adhesionWork);
    f.elastic = jkr::force(f.contactRadius, g.radius, law.modulus, law.adhesionWork);
    f.stiffness = 2.0 * law.modulus * f.contactRadius;
    setDashpots(kinds, law, g, dt, f);
    f.total = larger(f.elastic + shared(kinds, g.dashpotShare, f.dashpot) * approach, -pullOff);
    f.limit = f.total + 2.0 * pullOff;
    return f;
}

template <class Kinds, class Real>
inline NormalForce<Real> normalForce(const Kinds& kinds, const PairLawOf<Real>& law, const PairGeometryOf<Real>& g,
                                     const Real& approach, double dt) {
    if (kinds.cohesion == CohesionLaw::jkr) {
        return jkrNormalForce(kinds, law, g, approach, pullOff(kinds, law, g.radius), dt);
    }
    NormalForce<Real> f = plainNormalForce(kinds, law, g, approach, dt);
    if (kinds.cohesion != CohesionLaw::none) {
        const Real adhesion = pullOff(kinds, law, g.radius);
        f.total -= adhesion;
        f.elastic -= adhesion;
    }
    return f;
}

template <class Kinds, class Real>
inline Real tangentialStiffness(const Kinds& kinds, const PairLawOf<Real>& law, const NormalForce<Real>& n) {
    if (kinds.normal == NormalLaw::hertz) return 8.0 * law.shearModulus * n.contactRadius;
    return law.tangentialRatio * n.stiffness;
}

// Carries a vector v of the last tangent plane into today's: the rotation that takes the old normal to the new one n,
// v - (v.n)/(m.n) m, written with their bisector m, the normal of mid step. m.n is the cosine of half the small angle
// in between, so 2 - m.n stands for its inverse (to the fourth power of that angle).
template <class Real>
inline Vector3<Real> turnWithContact(const Vector3<Real>& v, const PairGeometryOf<Real>& g) {
    return v - (dot(v, g.normal) * (2.0 - dot(g.midNormal, g.normal))) * g.midNormal;
}

// How a spring whose stiffness follows the contact radius survives a change of that radius: a growing contact
// keeps the force it has (the stretch shrinks), a shrinking one keeps the stretch (the force shrinks).
template <class Kinds, class Real>
inline Real keptStretch(const Kinds& kinds, const Real& before, const Real& now) {
    if (kinds.normal != NormalLaw::hertz) return 1.0;
    return select((before > Real(0.0)) & (before < now), before / now, Real(1.0));
}

// Share of the stored energy that this turns into heat.
template <class Kinds, class Real>
inline Real lostShare(const Kinds& kinds, const Real& before, const Real& now) {
    if (kinds.normal != NormalLaw::hertz) return 0.0;
    return select(before > Real(0.0), 1.0 - smaller(before / now, now / before), Real(0.0));
}

// Energy turned into heat as the stiffness of a spring, k before, follows the contact radius while the spring is
// stretched from `held` by `added`. A shrinking contact loses its share of both: the force of the last step acted on
// the way of this one with the old stiffness.
template <class Kinds, class Real>
inline Real resizeHeat(const Kinds& kinds, const Real& before, const Real& now, const Real& k,
                       const Vector3<Real>& held, const Vector3<Real>& added) {
    const Real reach = normSquared(held) + select(now < before, dot(held, added), Real(0.0));
    return lostShare(kinds, before, now) * 0.5 * k * reach;
}

// Energy turned into heat when a spring that held `start` was stretched to `trial` and slipped back to `end`:
// the work of the mean force along the slip.
template <class Real>
inline Real slipHeat(const Real& stiffness, const Vector3<Real>& start, const Vector3<Real>& trial,
                     const Vector3<Real>& end) {
    return 0.5 * stiffness * dot(start + end, trial - end);
}

// v shortened where unit * v is longer than the limit.
template <class Real>
inline Vector3<Real> limited(const Vector3<Real>& v, const Real& unit, const Real& limit) {
    const Real squared = unit * unit * normSquared(v);
    const auto tooLong = squared > limit * limit;
    if (!any(tooLong)) return v;
    return select(tooLong, limit / sqrt(squared), Real(1.0)) * v;
}

template <class Kinds, class Real, class TallyType>
inline Vector3<Real> tangentialForce(const Kinds& kinds, const PairLawOf<Real>& law, const PairGeometryOf<Real>& g,
                                     const NormalForce<Real>& n, TangentSpringOf<Real>& spring, double dt,
                                     TallyType& tally) {
    const Real stiffness = tangentialStiffness(kinds, law, n);
    if constexpr (TallyType::on) {
        const Real before = 8.0 * law.shearModulus * spring.contactRadius;
        tally.sum.sliding += resizeHeat(kinds, spring.contactRadius, n.contactRadius, before, spring.stretch, g.slip);
    }

    // Carry the spring along with the contact frame and stretch it by the slip of this step.
    const Vector3<Real> start = keptStretch(kinds, spring.contactRadius, n.contactRadius) * spring.stretch;
    const Vector3<Real> twisted = (1.0 - 0.5 * g.twist * g.twist) * start + g.twist * cross(g.normal, start);
    const Vector3<Real> trial = turnWithContact(twisted + g.slip, g);

    // Coulomb limit on the spring: what it cannot hold is slip.
    const Real limit = law.friction * n.limit;
    spring.stretch = limited(trial, stiffness, limit);
    if constexpr (TallyType::on) tally.sum.sliding += slipHeat(stiffness, start, trial, spring.stretch);

    const Vector3<Real> springForce = -stiffness * spring.stretch;
    const auto isDamped = law.tangentialDamping > Real(0.0);
    if (!any(isDamped)) return springForce;

    // Spring and dashpot together obey the limit too; a spring alone does already.
    const Real reach = select(isDamped, limit, Real(std::numeric_limits<double>::infinity()));
    const Vector3<Real> slipVelocity = g.velocity - dot(g.velocity, g.normal) * g.normal;
    const Vector3<Real> force =
        limited(springForce - shared(kinds, g.dashpotShare, n.slipDashpot) * slipVelocity, Real(1.0), reach);
    if constexpr (TallyType::on) tally.sum.tangentialDamping += dt * dot(springForce - force, slipVelocity);
    return force;
}

// N m s, of the rolling spring.
template <class Real>
inline Real rollingDashpot(const PairLawOf<Real>& law, const PairGeometryOf<Real>& g, const Real& stiffness,
                           double dt) {
    return smaller(2.0 * law.rollingDamping * sqrt(stiffness / g.inverseInertia), calmPart / (dt * g.inverseInertia));
}

template <class Real>
inline Real rollingStiffness(const PairLawOf<Real>& law, const PairGeometryOf<Real>& g, const NormalForce<Real>& n) {
    const Real arm = law.rollingFriction * g.radius;
    return 2.25 * n.stiffness * arm * arm;
}

template <class Real, class TallyType>
inline Vector3<Real> constantRollingCouple(const PairGeometryOf<Real>& g, const Real& limit, double dt,
                                           TallyType& tally) {
    const Real rate = norm(g.rollingRate);
    // Never more than what brings the relative rolling to rest within the step.
    const Real size = dt > 0 ? smaller(rate / (g.inverseInertia * dt), limit) : limit;
    if constexpr (TallyType::on) tally.sum.rolling += dt * size * rate;
    return select(rate > Real(0.0), -size / rate, Real(0.0)) * g.rollingRate;
}

template <class Kinds, class Real, class TallyType>
inline void addSpringRolling(const Kinds& kinds, const PairLawOf<Real>& law, const PairGeometryOf<Real>& g,
                             const NormalForce<Real>& n, const Real& oldRadius, RollingSpringOf<Real>& spring,
                             double dt, TallyType& tally, ContactForceOf<Real>& result) {
    const Real stiffness = rollingStiffness(law, g, n);
    if constexpr (TallyType::on) {
        const Real oldStiffness = stiffness * oldRadius / n.contactRadius;
        tally.sum.rolling +=
            resizeHeat(kinds, oldRadius, n.contactRadius, oldStiffness, spring.turn, dt * g.rollingRate);
    }
    const Vector3<Real> start = keptStretch(kinds, oldRadius, n.contactRadius) * spring.turn;
    const Vector3<Real> trial = turnWithContact(start + dt * g.rollingRate, g);
    const Real limit = law.rollingFriction * g.radius * n.limit;
    // Without rolling friction there is nothing that could hold.
    spring.turn = select(stiffness > Real(0.0), limited(trial, stiffness, limit), Vector3<Real>{});
    if constexpr (TallyType::on) tally.sum.rolling += slipHeat(stiffness, start, trial, spring.turn);

    // Spring and dashpot together obey the limit too.
    const Vector3<Real> springCouple = -stiffness * spring.turn;
    result.rollingDashpot = rollingDashpot(law, g, stiffness, dt);
    result.couple = limited(springCouple - g.dashpotShare * result.rollingDashpot * g.rollingRate, Real(1.0), limit);
    if constexpr (TallyType::on) tally.sum.rolling += dt * dot(springCouple - result.couple, g.rollingRate);
}

// Share with which a force that sets in at full strength, a dashpot's or cohesion, acts in the step in which a contact
// begins: from the moment of touch to the end of the step, plus the half step that follows. With it the impulse is a
// trapezoidal rule, and neither restitution nor energy depends on where in a step the bodies meet.
template <class Real>
inline Real touchShare(const Real& oldRadius, const Real& overlap, const Real& approach, double dt) {
    const auto isFirst = (oldRadius <= Real(0.0)) & (approach * dt > Real(0.0));
    if (!any(isFirst)) return 1.0;
    return select(isFirst, 0.5 + smaller(Real(1.0), overlap / (approach * dt)), Real(1.0));
}

// The speed of approach at the end of the step, foreseen with the forces of its start, as it is with the force of a
// contact that begins: what a dashpot that sets in works against.
template <class Real>
inline Real approachMet(const Real& oldRadius, const Real& approach, const Real& force, const Real& mass, double dt) {
    return approach - select(oldRadius <= Real(0.0), 0.5 * dt * force / mass, Real(0.0));
}

// Cohesion that is there in full as soon as bodies touch, and gone as soon as they part. (JKR leads to the snap by
// itself.)
template <class Kinds>
inline bool cohesionJumps(const Kinds& kinds) {
    return kinds.cohesion == CohesionLaw::constant || kinds.cohesion == CohesionLaw::dmt;
}

}  // namespace law_parts

// True if the bodies touch: overlapping, or still held together by a JKR neck.
template <class Kinds>
inline bool isTouching(const Kinds& kinds, const PairLaw& law, double overlap, double radius,
                       const TangentSpring& memory) {
    if (kinds.cohesion != CohesionLaw::jkr) return overlap > 0;
    if (memory.contactRadius <= 0) return overlap >= 0;
    return overlap > jkr::breakingOverlap(radius, law.modulus, law.adhesionWork);
}

// Energy held by a touching contact with this memory.
template <class Kinds>
StoredEnergy storedEnergy(const Kinds& kinds, const PairLaw& law, const PairGeometry& g, const TangentSpring& memory,
                          const RollingSpring* rolling) {
    const law_parts::NormalForce<double> n = law_parts::normalForce(kinds, law, g, 0.0, 0.0);
    StoredEnergy energy;
    if (kinds.cohesion == CohesionLaw::jkr) {
        // The surfaces that have joined, and the strain that this costs.
        energy.cohesion = -M_PI * law.adhesionWork * n.contactRadius * n.contactRadius;
        energy.normal = jkr::energy(n.contactRadius, g.radius, law.modulus, law.adhesionWork) - energy.cohesion;
    } else {
        const double adhesion = law_parts::pullOff(kinds, law, g.radius);
        const double share = kinds.normal == NormalLaw::hertz ? 0.4 : 0.5;
        energy.normal = share * (n.elastic + adhesion) * g.overlap;
        energy.cohesion = -adhesion * g.overlap;
    }
    if (kinds.tangential == TangentialLaw::mindlin) {
        energy.tangential = 0.5 * law_parts::tangentialStiffness(kinds, law, n) * normSquared(memory.stretch);
    }
    if (kinds.rolling == RollingLaw::spring && rolling != nullptr) {
        energy.rolling = 0.5 * law_parts::rollingStiffness(law, g, n) * normSquared(rolling->turn);
    }
    return energy;
}

// The law: force on the owner of a touching contact; memory is brought to the end of the step of length dt.
// With dt = 0, slip = 0 and twist = 0 the memory stays and the result is the force of the present state.
template <class Kinds, class Real, class TallyType>
inline ContactForceOf<Real> evaluate(const Kinds& kinds, const PairLawOf<Real>& law, const PairGeometryOf<Real>& g,
                                     double dt, TangentSpringOf<Real>& tangent,
                                     std::type_identity_t<RollingSpringOf<Real>>* rolling, TallyType& tally) {
    const Real approach = -dot(g.velocity, g.normal);
    const Real oldRadius = tangent.contactRadius;
    const Real share = law_parts::touchShare(oldRadius, g.overlap, approach, dt);
    law_parts::NormalForce<Real> n = law_parts::normalForce(kinds, law, g, share * approach, dt);
    if (law_parts::cohesionJumps(kinds)) {
        const Real early = (1.0 - share) * law_parts::pullOff(kinds, law, g.radius);
        n.total += early;
        n.elastic += early;
    }
    if constexpr (TallyType::on) {
        const Real met = law_parts::approachMet(oldRadius, approach, n.total, g.mass, dt);
        tally.sum.normalDamping += dt * (n.total - n.elastic) * met;
    }

    ContactForceOf<Real> result{
        .force = n.total * g.normal, .couple = {}, .normal = n.total, .normalDashpot = n.dashpot};
    if (kinds.tangential == TangentialLaw::mindlin) {
        result.tangentialDashpot = n.slipDashpot;
        result.force += law_parts::tangentialForce(kinds, law, g, n, tangent, dt, tally);
    }
    if (kinds.rolling == RollingLaw::constant) {
        const Real limit = law.rollingFriction * g.radius * n.limit;
        result.couple = law_parts::constantRollingCouple(g, limit, dt, tally);
    } else if (kinds.rolling == RollingLaw::spring) {
        law_parts::addSpringRolling(kinds, law, g, n, oldRadius, *rolling, dt, tally, result);
    }
    tangent.contactRadius = n.contactRadius;
    return result;
}

// A contact that just opened: what its springs still held is heat, and so is the work of a broken neck.
template <class Kinds, class Real, class TallyType>
inline void release(const Kinds& kinds, const PairLawOf<Real>& law, const Real& radius, TangentSpringOf<Real>& tangent,
                    std::type_identity_t<RollingSpringOf<Real>>* rolling, TallyType& tally) {
    if constexpr (TallyType::on) {
        const bool hertz = kinds.normal == NormalLaw::hertz;
        const Real stiffness = hertz ? 8.0 * law.shearModulus * tangent.contactRadius
                                     : law.tangentialRatio * law_parts::hookeStiffness(law, radius);
        tally.sum.sliding += 0.5 * stiffness * normSquared(tangent.stretch);
        if constexpr (std::is_same_v<Real, double>) {
            if (kinds.cohesion == CohesionLaw::jkr) {
                tally.sum.cohesion += jkr::energy(tangent.contactRadius, radius, law.modulus, law.adhesionWork);
            }
        }
    }
    tangent = {};
    if (rolling != nullptr) *rolling = {};
}

// Force (N, along the normal, positive pushes) in the step in which a contact opens. Cohesion has acted until the
// middle of this step; if the bodies parted later it acts a little longer, if earlier, that is taken back. g has the
// gap as a negative overlap.
template <class Kinds, class Real>
inline Real partingForce(const Kinds& kinds, const PairLawOf<Real>& law, const PairGeometryOf<Real>& g, double dt) {
    if (!law_parts::cohesionJumps(kinds)) return 0.0;
    const Real opened = dt * dot(g.velocity, g.normal);
    const Real sinceParting = smaller(Real(1.0), -g.overlap / opened);
    return select(opened > Real(0.0), (sinceParting - 0.5) * law_parts::pullOff(kinds, law, g.radius), Real(0.0));
}

// A contact that has been let go, whose cohesion has a last word.
template <class Kinds, class Real, class TallyType>
inline ContactForceOf<Real> part(const Kinds& kinds, const PairLawOf<Real>& law, const PairGeometryOf<Real>& g,
                                 double dt, TangentSpringOf<Real>& tangent,
                                 std::type_identity_t<RollingSpringOf<Real>>* rolling, TallyType& tally) {
    release(kinds, law, g.radius, tangent, rolling, tally);
    const Real normal = partingForce(kinds, law, g, dt);
    return {.force = normal * g.normal, .couple = {}, .normal = normal};
}

// A contact that touches, or that did at the last step and is let go now.
template <class Kinds, class TallyType>
inline ContactForce evaluateOrPart(const Kinds& kinds, const PairLaw& law, const PairGeometry& g, double dt,
                                   TangentSpring& tangent, RollingSpring* rolling, TallyType& tally) {
    if (!law_parts::cohesionJumps(kinds) || g.overlap >= 0) return evaluate(kinds, law, g, dt, tangent, rolling, tally);
    return part(kinds, law, g, dt, tangent, rolling, tally);
}

// The same for eight contacts, of which some touch and some are let go.
template <class Kinds, class TallyType>
inline ContactForceOf<Pack> evaluateOrPart(const Kinds& kinds, const PairLawOf<Pack>& law,
                                           const PairGeometryOf<Pack>& g, double dt, TangentSpringOf<Pack>& tangent,
                                           RollingSpringOf<Pack>* rolling, TallyType& tally) {
    const Mask opened = g.overlap < Pack(0.0);
    if (!law_parts::cohesionJumps(kinds) || !any(opened)) return evaluate(kinds, law, g, dt, tangent, rolling, tally);

    TangentSpringOf<Pack> lostTangent = tangent;
    RollingSpringOf<Pack> lostRolling;
    TallyType lost;
    const ContactForceOf<Pack> last = part(kinds, law, g, dt, lostTangent, &lostRolling, lost);
    ContactForceOf<Pack> f = evaluate(kinds, law, g, dt, tangent, rolling, tally);

    const auto choose = [&](auto& value, const auto& ifOpened) { value = select(opened, ifOpened, value); };
    choose(f.force, last.force);
    choose(f.couple, last.couple);
    choose(f.normal, last.normal);
    choose(f.normalDashpot, Pack(0.0));
    choose(f.tangentialDashpot, Pack(0.0));
    choose(f.rollingDashpot, Pack(0.0));
    choose(tangent.stretch, lostTangent.stretch);
    choose(tangent.contactRadius, lostTangent.contactRadius);
    if (rolling != nullptr) choose(rolling->turn, lostRolling.turn);
    if constexpr (TallyType::on) {
        choose(tally.sum.normalDamping, lost.sum.normalDamping);
        choose(tally.sum.tangentialDamping, lost.sum.tangentialDamping);
        choose(tally.sum.sliding, lost.sum.sliding);
        choose(tally.sum.rolling, lost.sum.rolling);
    }
    return f;
}

// Of Hooke's law, for a contact of this effective radius (m).
inline LinearStiffness linearStiffness(const PairLaw& law, double radius) {
    const double normal = law_parts::hookeStiffness(law, radius);
    return {normal, law.tangentialRatio * normal};
}

}  // namespace talus
