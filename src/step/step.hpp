// One step of each method. The functions read as the method; no output or policy in them.
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
#include "step/jammed_drives.hpp"
#include "talus/quasi_static.hpp"

namespace talus {

struct StepSettings {
    double dt = 0;               // s
    Ledger ledger = Ledger::on;  // count energies by mechanism
    SphereOrientation orientation = SphereOrientation::ignored;
    ContactDynamicsSettings contactDynamics;         // of stepContactDynamics()
    std::optional<QuasiStaticSettings> quasiStatic;  // if set, steps are increments of stepQuasiStatic()
};

// Where the time of contact dynamics went so far, s of wall clock.
struct StepSeconds {
    double collision = 0, assembly = 0, solve = 0;
    double compatible = 0;  // of contact_dynamics.forces: compatible, on top of solve
};

// Scratch that survives between steps; holds no state of the simulation.
struct StepWorkspace {
    NeighbourWorkspace neighbours;
    PointWorkspace points;
    ForceWorkspace forces;
    ShapeForceWorkspace shapeForces;
    JointForcesWorkspace joints;  // of the penalty method
    bool planned = false;         // forces are planned for the present lists
    bool kickOwed = false;        // the last step is open, see StepEnd
    ProblemWorkspace problem;
    CompatibleForcesWorkspace compatible;
    Solver solver{SolverSettings{}};
    ShapeSizes sizes;
    double moved = 0;  // m, largest distance of a grain in the last step
    StepSeconds seconds;
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
struct StepReport {
    SolveReport solve;
    std::size_t contacts = 0;           // in the problem
    EquilibriumReport equilibrium;      // of quasi-static increments
    double changeOfMotion = 0;          // -, by compatible forces (solvers/compatible/compatible.hpp)
    bool wedged = false;                // rigid contacts with dilation angles, and internal forces: maybe no solution
    std::optional<JammedDrive> jammed;  // if drives of joints had to give way
    double overlap = 0;                 // -, the deepest at the end of the step (measure/overlap.hpp)
    double moved = 0;                   // m, largest way of a point of a free grain; infinite if some number is none
};

// Brings lists and forces in line with the present state. Call before the first step and after a change by hand.
void prepareStep(WorldState& world, const StepSettings& settings, StepWorkspace& workspace);

// The solver that these settings ask for.
SolverSettings solverSettings(const ContactDynamicsSettings& settings, std::uint64_t seed);

// The last half kick of a step of the penalty method may be left open: velocities are then those predicted for its end.
// The next step makes it up in the pass over the bodies that it begins with, which saves a fifth of the memory traffic.
enum class StepEnd { complete, open };

// Before a solve: the random numbers of this step, and for sweep: list the order of the bodies.
void prepareSolver(const WorldState& world, const ContactDynamicsSettings& settings, StepWorkspace& workspace);

// Penalty DEM: velocity Verlet from world.time to world.time + dt.
StepReport stepPenalty(WorldState& world, const StepSettings& settings, StepWorkspace& workspace,
                       StepEnd stepEnd = StepEnd::complete);

// Call before looking at the world after an open step; otherwise does nothing. The same bits as if it had been
// complete.
void completeStep(WorldState& world, const StepSettings& settings, StepWorkspace& workspace);

// Contact dynamics: rigid or elastic contacts by the theta method; theta = 1 is semi-implicit Euler. Contacts are those
// of the start of the step.
StepReport stepContactDynamics(WorldState& world, const StepSettings& settings, StepWorkspace& workspace);

// One step of the method this world is made for.
StepReport step(WorldState& world, const StepSettings& settings, StepWorkspace& workspace,
                StepEnd stepEnd = StepEnd::complete);

}  // namespace talus
