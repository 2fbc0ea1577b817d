// Joints in a step of the penalty method: their forces, found together, at the positions of the end of a step.
//
// The forces F at x make the velocity of the middle of the next step one that joints allow,
//
//     v(mid, next) = v(mid) + h M^-1 (f + J^T F),      J v(mid, next) + b = 0
//
// with f the forces of contacts and from outside, and b as in joint_entries.hpp, so that errors at the end of that step
// are nothing but of third order. As everything else that happens at x they are then part of the force on bodies: of
// the half kick before and the one after. With errors of zero this is the SHAKE method (Ryckaert, Ciccotti and
// Berendsen, J. Comput. Phys. 23, 1977), which keeps the energy of machines over long times.
#pragma once

#include "step/assembly/joint_entries.hpp"
#include "talus/solver.hpp"

namespace talus {

// Scratch that survives between steps; holds no state of the simulation.
struct JointForcesWorkspace {
    JointForcesWorkspace();

    JointWorkspace joints;
    ContactProblem problem;
    std::vector<Vec3> reactions;
    std::vector<std::uint32_t> place;  // per body of the world: its place in the problem, or noBody
    std::vector<Vec3> slideForceBefore, turnCoupleBefore;
    SolverWorkspace solver;
};

// What velocities are known when forces are looked for: those of the middle of the last step, or of its end, before
// the first one.
enum class KnownVelocities { middle, end };

// Adds the forces of joints to those of contacts, which are known. Loads are those of now.
void addJointForces(WorldState& world, double time, double dt, KnownVelocities known, JointForcesWorkspace& workspace);

// Around a move: before it, and when forces at its end are known. Counts turns and energies.
void beginJointMove(const WorldState& world, JointForcesWorkspace& workspace);
void endJointMove(WorldState& world, JointForcesWorkspace& workspace);

}  // namespace talus
