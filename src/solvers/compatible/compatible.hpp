// Unique reactions of rigid contacts: those that an elastic network would choose as its stiffness grows without bound.
//
// Many sets of reactions give the same motion where contacts are redundant. With springs of any stiffness there is one,
// and as all of them grow in proportion it tends to the set that minimises
//
//     sum over contacts of (p-1)/p k_i^(1/(1-p)) f_i^(p/(p-1))        with the same motion, f >= 0
//
// (Olsen and Kamrin, Granular Matter 20, 2018): p = 2 for Hooke's law, 5/2 for Hertz's, and only the ratios of the
// stiffnesses k matter. Two forms find it:
//
// Two steps, for contacts without friction. The motion of a rigid problem is unique, so any solver may find it first;
// then its reactions are replaced (network_newton.hpp, network_lagrangian.hpp). The new ones are as exact as the
// motion, so that is made exact first (exact_motion.hpp). Contacts that part bear nothing: those that open faster than
// a small share of the largest velocity that the reactions make at a contact, and faster than their own reaction
// pushes. All that push may bear, so that the motion stays within reach whatever the first solver did. The share is as
// large as the settings say, so that contacts which part by the round-off of a geometry count as closed; less if the
// residual would then exceed the tolerance.
//
// One step, with friction and bilateral contacts too: the rigid problem with a compliance e C per contact, e -> 0, from
// two solves, the second with half of e, and a straight line through them to e = 0. Powers other than 2 take several
// rounds, each with the compliance that the springs have under the forces of the last one. With friction the limit
// depends on where the contacts stuck before: C g stands for the way since the contact was free of load. Without memory
// (as here) it is that of loads which grow in proportion. Whoever has memory adds -e C g_0 to the offset.
#pragma once

#include "problem/residual.hpp"
#include "solvers/compatible/network_lagrangian.hpp"
#include "solvers/compatible/network_newton.hpp"
#include "solvers/exact_motion.hpp"
#include "talus/contact_dynamics.hpp"
#include "talus/solver.hpp"

namespace talus {

// Of a contact's springs, in any unit: f = k c^(p-1).
struct RelativeStiffness {
    double normal = 1, tangential = 1;
};

struct CompatibleSettings {
    CompatibleMethod method = CompatibleMethod::newton;  // of the two-step form
    double power = 2;                                    // -, p > 1
    double closed = 1e-5;     // -, of the largest velocity that reactions make: what opens slower counts as closed
    double tolerance = 1e-6;  // -, natural map of the rigid problem that the new reactions must keep
    FrictionLaw law = FrictionLaw::coulomb;                      // of the one-step form
    std::uint64_t maxIterations = 100'000;                       // gradient steps of the augmented Lagrangian
    double timeLimit = std::numeric_limits<double>::infinity();  // s of wall clock; looked at between solves

    bool operator==(const CompatibleSettings&) const = default;
};

// Throws InputError that names the field.
void validate(const CompatibleSettings& settings);

struct CompatibleReport {
    SolveReport solve;          // residuals are those of the new reactions in the rigid problem
    double changeOfMotion = 0;  // -, of a contact's velocity at worst, relative to the largest that reactions make
    bool replaced = false;      // else the reactions are as they came: the new ones were not found, and were worse
    bool inOneStep = false;     // the form that was taken
};

class CompatibleSolver {
public:
    explicit CompatibleSolver(CompatibleSettings settings);

    const CompatibleSettings& settings() const { return settings_; }

    // The two-step form where it will do, else the one-step form.
    CompatibleReport replace(const ContactProblem& problem, const std::vector<RelativeStiffness>& stiffness,
                             std::vector<Vec3>& reactions);

    // The two-step form: reactions in, those of any solver; compatible ones out. Throws InputError if a contact has
    // friction or is bilateral.
    CompatibleReport redistribute(const ContactProblem& problem, const std::vector<RelativeStiffness>& stiffness,
                                  std::vector<Vec3>& reactions);

private:
    struct Attempt;
    Attempt balance(const ContactProblem& problem, const std::vector<RelativeStiffness>& stiffness,
                    const std::vector<Vec3>& reactions, const std::vector<bool>& isOpen);

    CompatibleSettings settings_;
    ExactMotion exactMotion_;
    NormalMotion motion_;
    NetworkNewtonWorkspace newton_;
    NetworkLagrangianWorkspace lagrangian_;
};

// The one-step form. The problem's compliance is C, in any unit; its reactions become the compatible ones. The report
// judges them by the rigid problem.
SolveReport solveCompatible(ContactProblem problem, const SolverSettings& settings, std::vector<Vec3>& reactions,
                            double power = 2);

// Half-lines only: the motion is unique and rotations of spheres do not matter.
bool isFrictionless(const ContactProblem& problem);

}  // namespace talus
