// From bodies and candidates to a contact program, and from its answer back: the one place that knows both.
//
// A step of length h moves bodies by h w with the mean velocity w = theta v + (1 - theta) v0. With the forces p of the
// contacts, g = theta h p is the reaction that the program looks for:
//
//     M (w - what) = D g,   what = v0 + theta h f/M for free bodies, the prescribed velocity for others
//     u = D^T w + b + E g
//     v = (w - (1 - theta) v0)/theta
//
// A candidate whose gap is below the margin becomes a contact of the problem. Rigid contacts have E = 0 and
//
//     b_n = gap/h                     open: the contact may close during the step, not more
//           c gap/h or 0              overlapping, stabilisation: gap (c: correction) or quasi-inelastic
//           e u_n                     closed and approaching at u_n, theta = 1, Newton restitution
//           0                         the same, theta < 1: it parts at (1 - theta)/theta times that speed
//
// An open contact that approaches faster than a fall of two steps, and will bounce, is left to close first: it would
// lose its speed otherwise. Elastic contacts with stiffness k_n, k_t have
//
//     b_n = gap/(s h),  E_n = 1/(k_n s theta h^2),  s = theta if closed, 1 if open
//     b_t = -E_t g0_t,  E_t = 1/(k_t theta h^2),    g0 = theta h p0 of the step before, turned with the contact
//
// Cohesion (constant, DMT) is a shifted cone. Elastic contacts that are damped, hold on or yield are those of
// laws/yield_step.hpp; theta is 1 then.
#pragma once

#include "laws/yield_step.hpp"
#include "model/world.hpp"
#include "step/assembly/joint_entries.hpp"
#include "step/time_scheme.hpp"
#include "talus/contact_dynamics.hpp"
#include "talus/solver.hpp"

namespace talus {

// Where a contact is, and between whom.
struct ContactPlace {
    Vec3 normal;         // unit, from b to a
    Vec3 armA, armB;     // m, from the positions of the bodies to the contact
    std::uint32_t a, b;  // bodies
    // A wall b whose radius moves by force (model/sleeve.hpp), and where its surface goes then: unit, or zero where it
    // stays, at caps. If the radius moves by speed, `closes` is false and `closing` that velocity of the surface, m/s.
    bool closes = false;
    Vec3 closing = {};
};

// The springs of an elastic contact as the step found them.
struct ContactSpring {
    double gap = 0;  // m
    LinearStiffness stiffness;
    Vec3 held;  // N s, tangential reaction of the step before, contact frame
};

// How a contact resists relative turning of its bodies (step/assembly/rolling_entries.hpp).
struct RollingResistance {
    double limit = 0;  // N s; couple over lever
    double lever = 0;  // m
};

struct ProblemWorkspace {
    // Bodies have their indices of WorldState::bodies. Entries for rolling follow those of the contacts, then those of
    // joints.
    ContactProblem problem;
    std::vector<ContactPlace> places;
    std::vector<std::uint32_t> candidates;  // of the contact table: which one each contact is
    std::vector<Vec3> reactions;
    std::vector<ContactSpring> springs;         // empty if contacts are rigid, or yield
    std::vector<YieldingContact> yielding;      // empty unless contacts yield
    std::vector<YieldOutcome> outcomes;         // of those; by applyReactions()
    std::vector<RollingResistance> rolling;     // per contact; empty without rolling resistance
    std::vector<std::uint32_t> rollingContact;  // of each entry for rolling
    JointWorkspace joints;
    OperatorStates states;
    std::vector<std::uint32_t> rowStart;  // contacts of each grain's row, then of each pair of shapes
    std::vector<std::uint32_t> order;     // by orderByBodies()
    double seconds = 0;                   // of wall clock, spent by buildProblem() so far
};

// What the present reactions do to bodies, A^-1 D g: findChanges() first, then ask.
struct BodyChange {
    Vec3 velocity, spin;  // m/s, rad/s
};
void findChanges(ProblemWorkspace& workspace);
BodyChange changeOf(const ProblemWorkspace& workspace, std::size_t body);
// The relative velocity at a contact that comes of it, contact frame.
Vec3 velocityChangeAt(const ProblemWorkspace& workspace, std::size_t contact);

// How far from touching a pair may be and still matter in a step: twice the distance the fastest body can go, or as
// long as a bond can be.
double contactMargin(const WorldState& world, double dt);

// Which candidates become contacts.
struct ContactReach {
    double margin = 0;    // m, no gap is larger
    bool atRest = false;  // bodies start at rest and may go any way: their speeds do not tell which of them can meet
};

// v becomes what, for time = theta h: gravity and applied forces act on the free bodies.
void predictVelocities(WorldState& world, double time);

// Before predictVelocities(): restitution is about the speed before the step.
void buildProblem(const WorldState& world, const ContactDynamicsSettings& settings, const TimeScheme& time,
                  const ContactReach& reach, ProblemWorkspace& workspace);

// The contacts in the order of their bodies' ids, whatever place these have in memory: first that of the lower id.
void orderByBodies(const WorldState& world, ProblemWorkspace& workspace);

// Whether applyReactions() takes what springs took up off what contacts took, or the caller does.
enum class SpringEnergy { counted, leftOut };

// Velocities (the mean ones, w), forces and remembered impulses of the answer; energies into the ledger.
void applyReactions(WorldState& world, const TimeScheme& time, ProblemWorkspace& workspace,
                    SpringEnergy energy = SpringEnergy::counted);

// Between applyReactions() and the move, for a step that is to be one of several for the same increment: the impulses
// to remember if tangential springs had stuck, from which the next one finds how far contacts slid in all.
void findStuckImpulses(const WorldState& world, const TimeScheme& time, const ProblemWorkspace& workspace,
                       std::vector<Vec3>& impulses);
void rememberImpulses(WorldState& world, const ProblemWorkspace& workspace, const std::vector<Vec3>& impulses);

// When bodies have moved: what elastic contacts remember turns with them. Contacts are those of the workspace.
void turnMemory(WorldState& world, double dt, const ProblemWorkspace& workspace);

// Before the first step: elastic contacts that overlap bear the forces of their overlaps.
void loadSprings(WorldState& world, double impulseTime);

}  // namespace talus
