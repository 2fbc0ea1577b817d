// One contact that yields, whose gap is led along a path: the law without bodies, for paths computed by hand.
#pragma once

#include "laws/yield_step.hpp"
#include "problem/contact_problem.hpp"

namespace talus::test {

struct LedLaw {
    YieldLaw yield;
    double friction = 0, cohesion = 0;  // -, N
    LinearStiffness stiffness{1e4, 5e3};
    FrictionLaw flow = FrictionLaw::coulomb;
};

class LedContact {
public:
    explicit LedContact(const LedLaw& law, double gap = 0) : law_(law), gap_(gap) {}

    // Moves the gap by this way (m) in this time (s) in one step; returns the force, N.
    Vec3 move(const Vec3& way, double dt = 1) {
        const bool canBond = law_.cohesion > 0 || law_.yield.rounding > 0;
        if (canBond && memory_.bond == 0 && !isBroken && gap_ <= memory_.plastic) formBond(memory_, gap_);
        constexpr double radius = 1;  // m
        const YieldLimits limits = yieldLimits(law_.yield, law_.cohesion, memory_);
        const YieldingContact c =
            findYielding(law_.yield, limits, law_.stiffness, gap_, radius, memory_, memory_.tangential);
        const ReactionSet set{.friction = law_.friction,
                              .cohesion = limits.cohesion * dt,
                              .cap = (limits.cap - limits.rounding) * dt,
                              .ball = limits.rounding * dt};
        const Mat3 compliance = yieldCompliance(c, dt);
        const Vec3 free = way / dt + yieldBias(c, dt);
        const Vec3 g = solveContact(set, law_.flow, compliance, free);
        const YieldOutcome out = endYielding(c, g, compliance * g + free, way.x / dt, dt);
        memory_ = out.memory;
        memory_.tangential = out.tangential;
        isBroken = isBroken || (out.bondIsBroken && law_.yield.bondStretch > 0);
        gap_ += way.x;
        settleStretch(memory_, gap_);
        plastic += out.plastic;
        sliding += out.sliding;
        lastWork = -dot(g, way) / dt;
        lastTaken = out.taken.total();
        return g / dt;
    }
    // The same in several equal steps; returns the last force.
    Vec3 moveIn(int steps, const Vec3& way, double dt = 1) {
        Vec3 force;
        for (int k = 0; k < steps; ++k) force = move(way / steps, dt);
        return force;
    }
    double gap() const { return gap_; }
    const ContactStretch& memory() const { return memory_; }
    double stored() const {
        return springEnergy(law_.stiffness, {normalStretch(memory_, gap_), norm(memory_.tangential), 0}).total();
    }

    double plastic = 0, sliding = 0;     // J, in all
    double lastWork = 0, lastTaken = 0;  // J, done on the contact and taken up by its springs in the last step
    bool isBroken = false;

private:
    LedLaw law_;
    double gap_;  // m
    ContactStretch memory_;
};

}  // namespace talus::test
