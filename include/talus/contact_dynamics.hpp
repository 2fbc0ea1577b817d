// The settings of contact dynamics: how rigid contacts are solved in each step.
#pragma once

#include <cstdint>
#include <optional>

namespace talus {

enum class SolverKind {
    gaussSeidel,
    jacobi,
    apgd,
    spg,
    interiorPoint,
    newton,
    automatic,  // chosen by size and tolerance; the report says which and why
};

// Associated: sliding contacts also open, by mu times the slip; the problem is convex. Coulomb: they do not.
enum class FrictionLaw { associated, coulomb };

// The order in which Gauss-Seidel visits the contacts.
enum class SweepOrder {
    list,      // as they stand; in a scene, in the order of the bodies
    given,     // as SolverSettings::order says
    random,    // another one at each sweep (Unger, Brendel, Wolf and Kertesz, Phys. Rev. E 65, 2002)
    coloured,  // contacts without a common body together: runs on all threads, the same bits for any number of them
};

// In which unit gradient steps (apgd, spg) measure impulses. Where forces are not unique, it decides which are found.
enum class GradientScaling {
    contact,  // each contact in that of the mass it moves: fewer iterations where masses differ
    common,   // the same for all: the plain method, as published
};

// What a contact does about an overlap. An open contact may close within the step, not more, whichever is chosen.
enum class Stabilisation {
    gap,             // an overlap is pushed apart, by a share of it per step
    quasiInelastic,  // an overlap stays and must only not grow (Unger et al. 2002)
};

enum class RestitutionRule {
    none,    // perfectly inelastic
    newton,  // contacts that are closed and approach fast part at restitution times that speed; rigid, theta = 1
};

// What the bodies of a contact are made of.
enum class ContactKind {
    rigid,
    elastic,  // springs of Hooke's law, normal and tangential, solved for together with the motion
};

// Which of the many reactions that give the same motion, where contacts are redundant.
enum class ForceRule {
    solver,      // those the solver happened to find
    compatible,  // those that an elastic network would choose as its stiffness grows without bound
                 // (docs/compatible-forces.md)
};

// How compatible reactions of frictionless contacts are found.
enum class CompatibleMethod {
    newton,               // on the displacements of the network: exact, needs memory for factors
    augmentedLagrangian,  // gradient steps (Olsen and Kamrin, Granular Matter 20, 2018): slower, little memory
};

struct ContactDynamicsSettings {
    // Not set: gauss-seidel; in scenes with joints, or with rigid contacts of other shapes than spheres, automatic.
    std::optional<SolverKind> solver;
    double tolerance = 1e-4;             // -, natural map (docs/contact-problems.md)
    std::uint64_t maxIterations = 1000;  // per step; more that are needed count as an unconverged step
    std::uint64_t fixedIterations = 0;   // if > 0: just so many per step, as in classical contact dynamics
    FrictionLaw frictionLaw = FrictionLaw::coulomb;
    SweepOrder sweep = SweepOrder::coloured;  // of gauss-seidel
    double relaxation =
        0;  // -, of jacobi: share of its own full step that a contact goes; 0: chosen so that it converges
    GradientScaling gradientScaling = GradientScaling::contact;  // of apgd and spg
    Stabilisation stabilisation = Stabilisation::gap;
    double correction = 0.2;          // -, share of an overlap that stabilisation: gap takes away per step
    double maxCorrectionSpeed = 0.1;  // m/s, at most, of that
    RestitutionRule restitution = RestitutionRule::newton;
    ContactKind contacts = ContactKind::rigid;
    double theta = 1;  // -, 1/2 to 1: bodies move with theta v + (1 - theta) v0, of the end and the start of a step
    bool warmStart = true;  // begin from the impulses of the last step
    ForceRule forces = ForceRule::solver;
    CompatibleMethod compatibleMethod = CompatibleMethod::newton;  // of forces: compatible, without friction
};

}  // namespace talus
