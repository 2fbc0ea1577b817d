// From bodies and candidates to a contact program, and from its answer back: the one place that knows both.
//
// A candidate whose gap is below the margin becomes a contact of the problem, with
//
//     q = D^T vhat + b,   vhat = v + h g for free bodies, the prescribed velocity for others
//     b_n = gap/h                     open: the contact may close during the step, not more
//           c gap/h or 0              overlapping, stabilisation: gap (c: correction) or quasi-inelastic
//           e u_n                     closed and approaching at u_n, Newton restitution
//
// An open contact that approaches faster than a fall of two steps, with restitution, is left to close first: it would
// lose its speed otherwise. Cohesion (constant, DMT) is a shifted cone.
#pragma once

#include "solvers/solver.hpp"
#include "state/world.hpp"

namespace talus {

// Which candidate a contact of the problem is; wall candidates follow those between grains.
struct ContactSource {
    std::uint32_t candidate;
    bool wall;
};

struct ProblemWorkspace {
    ContactProblem problem;  // its contacts are SphereContacts; bodies have their indices of World::bodies
    std::vector<ContactSource> sources;
    std::vector<Vec3> reactions;
    SphereContacts::State state;
    std::vector<std::uint32_t> rowStart;  // contacts of each grain's row
};

// How far from touching a pair may be and still matter in a step: twice the distance the fastest body can go.
double contactMargin(const World& world, double dt);

// v becomes vhat: gravity acts on the free bodies.
void predictVelocities(World& world, double dt);

// Before predictVelocities(): restitution is about the speed before the step.
void buildProblem(const World& world, const ContactDynamicsSettings& settings, double dt, double margin,
                  ProblemWorkspace& workspace);

// Velocities, forces and remembered impulses of the answer; energies into the ledger.
void applyReactions(World& world, double dt, ProblemWorkspace& workspace);

}  // namespace talus
