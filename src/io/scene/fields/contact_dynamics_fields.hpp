// Settings of contact dynamics and of quasi-static runs.
#pragma once

#include "io/scene/field.hpp"
#include "talus/scene.hpp"

namespace talus {

template <>
struct EnumNames<SolverKind> {
    static constexpr std::array<std::string_view, 7> names{"gauss-seidel",   "jacobi", "apgd", "spg",
                                                           "interior-point", "newton", "auto"};
};
template <>
struct EnumNames<FrictionLaw> {
    static constexpr std::array<std::string_view, 2> names{"associated", "coulomb"};
};
template <>
struct EnumNames<SweepOrder> {
    static constexpr std::array<std::string_view, 4> names{"list", "given", "random", "coloured"};
};
template <>
struct EnumNames<GradientScaling> {
    static constexpr std::array<std::string_view, 2> names{"contact", "common"};
};
template <>
struct EnumNames<Stabilisation> {
    static constexpr std::array<std::string_view, 2> names{"gap", "quasi-inelastic"};
};
template <>
struct EnumNames<RestitutionRule> {
    static constexpr std::array<std::string_view, 2> names{"none", "newton"};
};
template <>
struct EnumNames<ForceRule> {
    static constexpr std::array<std::string_view, 2> names{"solver", "compatible"};
};
template <>
struct EnumNames<CompatibleMethod> {
    static constexpr std::array<std::string_view, 2> names{"newton", "augmented-lagrangian"};
};
template <>
struct EnumNames<ContactKind> {
    static constexpr std::array<std::string_view, 2> names{"rigid", "elastic"};
};

// --- contact dynamics ----------------------------------------------------------------------------------------------

template <class V>
void fields(V& v, ContactDynamicsSettings& c) {
    v({"solver",
       "gauss-seidel (robust, quick to a loose tolerance), apgd or spg (gradient methods), jacobi, interior-point "
       "(tight "
       "tolerances), newton (elastic contacts), or auto, which chooses by size and tolerance; see docs/solvers.md. Not "
       "given: gauss-seidel, but auto where there are joints, and for rigid contacts of other shapes than spheres."},
      c.solver);
    v({"tolerance",
       "Residual at which a step is solved, relative to the load; see docs/contact-problems.md.",
       unit::number,
       {.low = 0, .high = 1, .openLow = true}},
      c.tolerance);
    v({"max_iterations", "Most iterations per step; steps that would need more are counted as unconverged.",
       unit::number, bounds::nonNegative},
      c.maxIterations);
    v({"fixed_iterations", "If not 0, just so many iterations in each step, whatever the residual.", unit::number,
       bounds::nonNegative},
      c.fixedIterations);
    v({"friction_law", "coulomb (exact) or associated (convex; sliding contacts open by friction times slip)."},
      c.frictionLaw);
    v({"sweep",
       "Order of the contacts, solver: gauss-seidel: coloured (on all threads), list (in the order "
       "of the bodies) or random."},
      c.sweep);
    v({"relaxation",
       "Share of its own full step that each contact goes, solver: jacobi; 0 chooses one that always converges, 1 is "
       "the "
       "plain parallel update.",
       unit::number, bounds::fraction},
      c.relaxation);
    v({"gradient_scaling",
       "Unit of impulses in the steps of apgd and spg: contact (each in that of the mass it moves) or common (one for "
       "all, the plain method)."},
      c.gradientScaling);
    v({"stabilisation", "gap: overlaps are pushed apart; quasi-inelastic: they stay and only must not grow."},
      c.stabilisation);
    v({"correction", "Share of an overlap that is taken away in one step, stabilisation: gap.", unit::number,
       bounds::fraction},
      c.correction);
    v({"max_correction_speed", "Speed at which overlaps are pushed apart at most, stabilisation: gap.", unit::velocity,
       bounds::nonNegative},
      c.maxCorrectionSpeed);
    v({"restitution",
       "newton: closed contacts bounce by the restitution of their materials; none: inelastic. Used by rigid contacts "
       "with theta: 1."},
      c.restitution);
    v({"contacts", "rigid, or elastic: springs of Hooke's law (contact_law.normal: hooke), solved for implicitly."},
      c.contacts);
    v({"theta",
       "Share of the velocity at the end of a step in the mean one that moves bodies: 1 dissipates most; 0.5 keeps the "
       "energy. Rigid contacts bounce by (1 - theta)/theta.",
       unit::number,
       {.low = 0.5, .high = 1}},
      c.theta);
    v({"warm_start", "Begin each solve from the impulses of the last step."}, c.warmStart);
    v({"forces",
       "Of redundant rigid contacts: solver, as the solver happens to find them, or compatible, the unique ones of "
       "springs "
       "of contact_law as they grow stiff in proportion; see docs/compatible-forces.md."},
      c.forces);
    v({"compatible_method",
       "How compatible forces without friction are found: newton, or augmented-lagrangian (slower, little memory)."},
      c.compatibleMethod);
}

template <class V>
void fields(V& v, QuasiStaticSettings& q) {
    v({"tolerance",
       "Largest unbalanced force on a body in equilibrium, relative to the mean contact force. Solvers get at most a "
       "hundredth of it as theirs.",
       unit::number,
       {.low = 0, .high = 1, .openLow = true}},
      q.tolerance);
    v({"max_iterations", "Most iterations per increment; a body that nothing carries then stops the run.", unit::number,
       bounds::atLeastOne},
      q.maxIterations);
    v({"proceed",
       "Go on with the next increment though bodies still move after max_iterations, as in a packing that yields all "
       "the "
       "time; the increment counts as unconverged."},
      q.proceed);
    v({"max_displacement",
       "Share of the smallest radius that a body goes in one iteration at most.",
       unit::number,
       {.low = 0, .high = 0.5, .openLow = true}},
      q.maxDisplacement);
    v({"inertia",
       "Fictitious inertia over contact stiffness that iterations begin with. Changes the speed only.",
       unit::number,
       {.low = 1e-10, .high = 1}},
      q.inertia);
}

}  // namespace talus
