// One step of a contact that yields (laws/yield_law.hpp): what it brings to the contact problem, and what it remembers
// of the answer.
//
// Vectors are (normal, first tangent, second tangent) in the contact's frame. For a contact without a bond the part of
// the gap that is open, beyond a dent, counts as plastic stretch that only g = 0 leaves alone: the problem sees
// u = v + open/h + e/(h + a) + g/(K h (h + a)) >= 0, so the dashpot acts from the moment of touch.
#pragma once

#include <cmath>

#include "base/matrix3.hpp"
#include "laws/contact_law.hpp"
#include "laws/yield_law.hpp"

namespace talus {

// As the step finds it.
struct YieldingContact {
    YieldLaw law;
    YieldLimits limits;
    LinearStiffness stiffness;
    double gap = 0, radius = 0;  // m
    ContactStretch memory;
    double open = 0;                                  // m, free way before it is pressed together; 0 for a bond
    Vec3 elastic;                                     // m
    double normalDamping = 0, tangentialDamping = 0;  // s, a along the normal and across it
};

// As the step leaves it.
struct YieldOutcome {
    ContactStretch memory;
    Vec3 tangential;      // m, elastic; memory.tangential in the contact's frame
    StoredEnergy taken;   // J, by the springs
    double plastic = 0;   // J, dissipated along the normal
    double sliding = 0;   // J, dissipated along the tangents
    double released = 0;  // J, lost with the bond
    bool bondIsBroken = false;
};

// Bodies that touch stick together where the law knows tension, without any force yet if a little gap is left.
inline void formBond(ContactStretch& s, double gap) {
    s.bond = 1;
    s.plastic = std::max(s.plastic, gap);
}

// a of a direction with this stiffness.
inline double dampingTime(const YieldLaw& law, double stiffness, double mass) {
    const bool byMass = law.dampingRate > 0 && stiffness > 0;
    return law.dampingTime + (byMass ? law.dampingRate * mass / stiffness : 0.0);
}

// Mass: of the contact, kg, m1 m2/(m1 + m2).
inline YieldingContact findYielding(const YieldLaw& law, const YieldLimits& limits, const LinearStiffness& stiffness,
                                    double gap, double radius, const ContactStretch& memory, const Vec3& tangential,
                                    double mass = 0) {
    const double above = gap - memory.plastic;
    const bool bonded = memory.bond > 0;
    return {.law = law,
            .limits = limits,
            .stiffness = stiffness,
            .gap = gap,
            .radius = radius,
            .memory = memory,
            .open = bonded ? 0.0 : std::max(0.0, above),
            .elastic = {bonded ? above : std::min(0.0, above), tangential.y, tangential.z},
            .normalDamping = dampingTime(law, stiffness.normal, mass),
            .tangentialDamping = dampingTime(law, stiffness.tangential, mass)};
}

// b of the contact problem, beside the velocity without reactions; m/s.
inline Vec3 yieldBias(const YieldingContact& c, double dt) {
    const double normal = 1 / (dt + c.normalDamping), tangential = 1 / (dt + c.tangentialDamping);
    return {normal * c.elastic.x + c.open / dt, tangential * c.elastic.y, tangential * c.elastic.z};
}

// E of the contact problem, 1/kg.
inline Mat3 yieldCompliance(const YieldingContact& c, double dt) {
    const auto compliance = [&](double stiffness, double damping) { return 1 / (stiffness * (dt * (dt + damping))); };
    const LinearStiffness& k = c.stiffness;
    const double tangential = k.tangential > 0 ? compliance(k.tangential, c.tangentialDamping) : 0.0;
    return diagonal3({compliance(k.normal, c.normalDamping), tangential, tangential});
}

inline StoredEnergy springEnergy(const LinearStiffness& k, const Vec3& stretch) {
    return {.normal = 0.5 * k.normal * stretch.x * stretch.x,
            .tangential = 0.5 * k.tangential * (stretch.y * stretch.y + stretch.z * stretch.z)};
}

// The elastic stretch along the normal of a contact with this gap.
inline double normalStretch(const ContactStretch& s, double gap) {
    const double above = gap - s.plastic;
    return s.bond > 0 ? above : std::min(0.0, above);
}

namespace yield_parts {

inline Vec3 newTangential(const YieldingContact& c, const Vec3& g, double dt) {
    if (c.stiffness.tangential == 0 || (c.memory.bond == 0 && g == Vec3{})) return {};
    const double a = c.tangentialDamping, k = c.stiffness.tangential;
    return Vec3{0, a * c.elastic.y - g.y / k, a * c.elastic.z - g.z / k} / (dt + a);
}

// The plastic rate that is remembered: all of a bond's; of others, while they are pressed together, the slip, the dent
// where the cap is reached, and how far they ride up at a dilation angle.
inline Vec3 keptRate(const YieldingContact& c, const Vec3& g, const Vec3& rate, double dt) {
    constexpr double atCap = 1 - 1e-9;  // -, as solvers find it
    if (c.memory.bond > 0) return rate;
    if (!(g.x > 0)) return {};
    const bool yields = std::isfinite(c.limits.cap) && g.x >= atCap * c.limits.cap * dt;
    const bool rides = c.law.dilation > 0 && c.memory.plastic + dt * rate.x <= highestRide(c.radius);
    const bool kept = rate.x < 0 ? yields : rides;
    return {kept ? rate.x : 0.0, rate.y, rate.z};
}

}  // namespace yield_parts

// Impulse g and rate u of the answer, and the normal speed v of the gap.
inline YieldOutcome endYielding(const YieldingContact& c, const Vec3& g, const Vec3& rate, double speed, double dt) {
    const Vec3 kept = yield_parts::keptRate(c, g, rate, dt);
    YieldOutcome out{.memory = c.memory, .tangential = yield_parts::newTangential(c, g, dt)};
    out.memory.plastic += dt * kept.x;
    out.memory.way += dt * norm(kept);
    out.plastic = -g.x * kept.x;
    out.sliding = -(g.y * rate.y + g.z * rate.z);

    const double gap = c.gap + dt * speed;
    const StoredEnergy before = springEnergy(c.stiffness, c.elastic);
    const StoredEnergy after =
        springEnergy(c.stiffness, {normalStretch(out.memory, gap), out.tangential.y, out.tangential.z});
    const BondEnd end = bondEnd(c.law, c.radius);
    if (c.memory.bond > 0 && (out.memory.plastic > end.plastic || gap > end.whole)) {
        out.bondIsBroken = true;
        out.memory = {};
        out.tangential = {};
        out.released = after.total() - springEnergy(c.stiffness, {normalStretch(out.memory, gap), 0, 0}).total();
    }
    out.taken = {.normal = after.normal - before.normal, .tangential = after.tangential - before.tangential};
    return out;
}

// When bodies have moved to this gap. Dents are forgotten when they no longer overlap, what they have ridden up when
// they part.
inline void settleStretch(ContactStretch& s, double gap) {
    if (s.bond == 0 && gap > std::max(0.0, s.plastic)) s = {};
    s.touching = s.bond > 0 || gap < s.plastic ? 1 : 0;
}

}  // namespace talus
