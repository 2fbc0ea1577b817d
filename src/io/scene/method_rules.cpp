#include "io/scene/method_rules.hpp"

#include <fmt/format.h>

#include <cmath>

#include "io/scene/contact_kinds.hpp"
#include "io/scene/joint_rules.hpp"
#include "io/scene/motion_rules.hpp"
#include "io/scene/scene_rules.hpp"
#include "laws/yield_law.hpp"

namespace talus {
namespace {

class ContactDynamicsRules : public RuleCheck {
public:
    using RuleCheck::RuleCheck;

    void checkAll() {
        const LawKinds& kinds = scene_.contactLaw.kinds;
        checkRolling();
        if (kinds.cohesion == CohesionLaw::jkr) {
            add("contact_law.cohesion", "jkr needs method: penalty; contact-dynamics has constant and dmt");
        }
        if (scene_.contactLaw.damping == DampingLaw::viscous) {
            add("contact_law.damping", "viscous needs method: penalty");
        }
        if (scene_.output.problems > 0 &&
            (kinds.cohesion != CohesionLaw::none || hasYieldingContacts(scene_) || hasDilation(scene_))) {
            add("output.problems", "the files cannot express cohesion, yield limits or dilation angles");
        }
        if (hasElasticContacts(scene_) && kinds.normal != NormalLaw::hooke) {
            add("contact_law.normal",
                "elastic contacts are linear: set normal: hooke (with a stiffness, or one from youngs_modulus)");
        }
        if (scene_.method == Method::quasiStatic && kinds.cohesion != CohesionLaw::none) {
            add("contact_law.cohesion", "needs method: penalty or contact-dynamics");
        }
        forEachContactKind(scene_, [&](const std::string& path, const ContactProperties& c) {
            checkYield(path, c);
            if (c.dilationAngle > 0) checkDilation(path + ".dilation_angle", c);
        });
        if (hasYieldingContacts(scene_) && scene_.contactDynamics.theta != 1) {
            add("contact_dynamics.theta", "must be 1 for elastic contacts that are damped, hold on, yield or dilate");
        }
        if (scene_.contactDynamics.forces == ForceRule::compatible &&
            (kinds.rolling != RollingLaw::none || hasDilation(scene_))) {
            add("contact_dynamics.forces", "compatible knows no rolling resistance and no dilation angle");
        }
        const std::optional<SolverKind> solver = scene_.contactDynamics.solver;
        if (scene_.contactDynamics.fixedIterations > 0 && solver && !traitsOf(*solver).can.fixedWork) {
            add("contact_dynamics.fixed_iterations", "is for sweeps and gradient steps; use tolerance, max_iterations");
        }
        if (scene_.contactDynamics.forces == ForceRule::compatible && hasElasticContacts(scene_)) {
            add("contact_dynamics.forces",
                "compatible is for rigid contacts (method: contact-dynamics, contacts: rigid); those of elastic ones "
                "are "
                "unique already: leave it out");
        }
        if (scene_.contactDynamics.sweep == SweepOrder::given) {
            add("contact_dynamics.sweep", "a given order is for single problems; use list, random or coloured");
        }
    }

private:
    void checkRolling() {
        const RollingLaw rolling = scene_.contactLaw.kinds.rolling;
        if (rolling == RollingLaw::none) return;
        if (scene_.method == Method::quasiStatic) {
            return add("contact_law.rolling", "rolling resistance needs method: penalty or contact-dynamics");
        }
        if (rolling == RollingLaw::spring) {
            add("contact_law.rolling", "spring needs method: penalty; contact-dynamics has constant");
        }
        if (scene_.output.problems > 0) add("output.problems", "the files cannot express rolling resistance");
    }

    void checkDilation(const std::string& path, const ContactProperties& c) {
        const ContactDynamicsSettings& s = scene_.contactDynamics;
        if (std::tan(c.dilationAngle) > c.friction * (1 + 1e-12)) {
            add(path, fmt::format("must not exceed the friction angle, {:.4g} rad, got {:.4g} rad",
                                  std::atan(c.friction), c.dilationAngle));
        }
        if (scene_.method != Method::contactDynamics) add(path, "needs method: contact-dynamics");
        if (s.frictionLaw != FrictionLaw::associated) {
            add("contact_dynamics.friction_law", fmt::format("must be associated where {} is set", path));
        }
        if (s.solver && !traitsOf(*s.solver).can.skew) {
            add("contact_dynamics.solver", fmt::format("must be interior-point or auto where {} is set", path));
        }
    }

    void checkYield(const std::string& path, const ContactProperties& c) {
        if (scene_.method != Method::contactDynamics || scene_.contactDynamics.contacts != ContactKind::elastic) {
            if (!yields(c)) return;
            const char* key = c.dampingTime > 0      ? ".damping_time"
                              : c.dampingRate > 0    ? ".damping_rate"
                              : c.rounding > 0       ? ".rounding"
                              : c.roundingStress > 0 ? ".rounding_stress"
                              : c.cap > 0            ? ".cap"
                              : c.capStress > 0      ? ".cap_stress"
                              : c.cohesionStress > 0 ? ".cohesion_stress"
                              : c.bondStretch > 0    ? ".bond_stretch"
                                                     : "";
            return add(path + key,
                       "damping, yield limits and hardening of contacts need springs: set method: contact-dynamics, "
                       "contact_dynamics.contacts: elastic and a stiffness");
        }
        const double cohesion = scene_.contactLaw.kinds.cohesion == CohesionLaw::constant ? c.cohesionForce : 0.0;
        if (c.cap > 0 && c.cap <= cohesion + c.rounding) {
            add(path + ".cap", fmt::format("must be above what the contact bears in tension, cohesion_force + rounding "
                                           "= {} N, got {} N",
                                           cohesion + c.rounding, c.cap));
        }
        if (c.capStress > 0 && c.capStress <= c.cohesionStress + c.roundingStress) {
            add(path + ".cap_stress",
                fmt::format("must be above what the contact bears in tension, cohesion_stress + rounding_stress = {} "
                            "Pa, got {} Pa",
                            c.cohesionStress + c.roundingStress, c.capStress));
        }
        if (c.cohesionStress > 0 && scene_.contactLaw.kinds.cohesion != CohesionLaw::constant) {
            add(path + ".cohesion_stress", "needs contact_law.cohesion: constant");
        }
        if (hasRounding(c) && scene_.contactDynamics.frictionLaw != FrictionLaw::associated) {
            add("contact_dynamics.friction_law",
                fmt::format("must be associated where {}.rounding is set: a rounded cone has no Coulomb's law", path));
        }
        if (c.capHardening != 0 && !hasCap(c)) add(path + ".cap_hardening", "needs a cap");
        if (c.cohesionHardening != 0 && scene_.contactLaw.kinds.cohesion == CohesionLaw::none) {
            add(path + ".cohesion_hardening", "needs contact_law.cohesion: constant or dmt");
        }
        if (c.roundingHardening != 0 && !hasRounding(c)) add(path + ".rounding_hardening", "needs a rounding");
        if (c.bondStretch > 0 && !hasRounding(c) && scene_.contactLaw.kinds.cohesion == CohesionLaw::none) {
            add(path + ".bond_stretch", "there is nothing to break: set contact_law.cohesion: constant, or a rounding");
        }
    }
};

}  // namespace

void checkMethod(const Scene& inForce, Problems& problems) {
    if (inForce.method != Method::penalty) ContactDynamicsRules(inForce, problems).checkAll();
    checkJointMethod(inForce, problems);
    const bool rigid = inForce.method == Method::contactDynamics && !hasElasticContacts(inForce);
    if (rigid) MotionCheck(inForce, problems).checkRigidServos();
}

}  // namespace talus
