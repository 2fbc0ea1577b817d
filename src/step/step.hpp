// One step of each method, a file each: penalty.cpp, contact_dynamics.cpp, quasi_static.cpp. The functions read as the
// method. What is odd about a step is found after it (diagnosis.hpp), and an interrupted one is undone by whoever lets
// it be interrupted (run/rewind.hpp).
#pragma once

#include <optional>

#include "contacts/table/neighbour_lists.hpp"
#include "measure/overlap.hpp"
#include "model/world.hpp"
#include "step/assembly/build_problem.hpp"
#include "step/assembly/compatible_forces.hpp"
#include "step/forces/contact_forces.hpp"
#include "step/forces/joint_forces.hpp"
#include "step/forces/shape_forces.hpp"
#include "step/integrate.hpp"
#include "step/own_forces.hpp"
#include "talus/quasi_static.hpp"

namespace talus {

// The last half kick of a step of the penalty method may be left open: velocities are then those predicted for its end.
// The next step makes it up in the pass over the bodies that it begins with, which saves a fifth of the memory traffic.
enum class StepEnd { complete, open };

struct StepSettings {
    double dt = 0;               // s
    Ledger ledger = Ledger::on;  // count energies by mechanism
    SphereOrientation orientation = SphereOrientation::ignored;
    StepEnd end = StepEnd::complete;
    ContactDynamicsSettings contactDynamics;         // of stepContactDynamics()
    std::optional<QuasiStaticSettings> quasiStatic;  // if set, steps are increments of stepQuasiStatic()
    OwnForceField ownForces;                         // of the program, if there are any
};

// Scratch that survives between steps; holds no state of the simulation.
struct StepWorkspace {
    NeighbourWorkspace neighbours;
    PointWorkspace points;
    ForceWorkspace forces;
    ShapeForceWorkspace shapeForces;
    JointForcesWorkspace joints;  // of the penalty method
    bool planned = false;         // forces are planned for the present lists
    bool kickOwed = false;        // the last step was left open, see StepEnd
    ProblemWorkspace problem;
    CompatibleForcesWorkspace compatible;
    SolverSettings solverSettings;
    SolverWorkspace solver;
    ShapeSizes sizes;
    double moved = 0;  // m, largest distance of a grain in the last step
};

// How near to equilibrium an increment of quasi-static loading ended.
struct EquilibriumReport {
    bool reached = false;
    std::uint64_t iterations = 0;
    double unbalanced = 0;        // -, largest unbalanced force on a body over the mean contact force
    double displacement = 0;      // m, the largest of the last iteration
    bool stillMoving = false;     // by about as much as an iteration allows, or far from balance: nothing carries it
    std::uint32_t worstBody = 0;  // id of the one least in balance
};

// What a step has to say; solves are those of contact dynamics.
struct StepOutcome {
    SolveReport solve;
    CompatibleReport compatible;    // of contact_dynamics.forces: compatible
    std::size_t contacts = 0;       // in the problem
    EquilibriumReport equilibrium;  // of quasi-static increments
    bool drivesGaveWay = false;     // since no motion satisfied contacts and drives of joints (solve_again.hpp)
    HeldDashpots held;              // of the penalty method, what the next step will not bear as a whole
    double moved = 0;               // m, largest way of a point of a free grain; infinite if some number is none
};

// One step of a method, from world.time to world.time + dt.
using StepFunction = StepOutcome(WorldState& world, const StepSettings& settings, StepWorkspace& workspace);

// Penalty DEM: velocity Verlet.
StepFunction stepPenalty;

// Contact dynamics: rigid or elastic contacts by the theta method; theta = 1 is semi-implicit Euler. Contacts are those
// of the start of the step.
StepFunction stepContactDynamics;

// Quasi-static loading: an increment (quasi_static.cpp).
StepFunction stepQuasiStatic;

// The step of the method this world is made for.
StepFunction* stepOf(const WorldState& world, const StepSettings& settings);

// Brings lists and forces in line with the present state. Call before the first step and after a change by hand.
void prepareStep(WorldState& world, const StepSettings& settings, StepWorkspace& workspace);

// Call before looking at the world after an open step; otherwise does nothing. The same bits as if it had been
// complete.
void completeStep(WorldState& world, const StepSettings& settings, StepWorkspace& workspace);

// --- parts of steps

void preparePenalty(WorldState& world, const StepSettings& settings, StepWorkspace& workspace);
void prepareContactDynamics(WorldState& world, const StepSettings& settings, StepWorkspace& workspace);

// The solver that these settings ask for.
SolverSettings solverSettings(const ContactDynamicsSettings& settings, std::uint64_t seed);

// Before a solve: the random numbers of this step, and for sweep: list the order of the bodies.
void prepareSolver(const WorldState& world, const ContactDynamicsSettings& settings, StepWorkspace& workspace);

// The problem gets the reactions of its solution.
SolveReport take(const Solution& found, ProblemWorkspace& problem);

// Joints are fixed to bodies, spheres too.
SphereOrientation orientationIn(const WorldState& world, const StepSettings& settings);

// By prescribed motions and by loads, into the ledger.
void addOuterWork(WorldState& world, double duration);

}  // namespace talus
