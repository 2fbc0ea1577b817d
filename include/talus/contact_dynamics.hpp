// The settings of contact dynamics: how rigid contacts are solved in each step.
#pragma once

#include <cstdint>
#include <optional>

#include "talus/solver_kind.hpp"

namespace talus {

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
    std::optional<double> step;  // s; chosen if not set. Scenes have it in run.step
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
