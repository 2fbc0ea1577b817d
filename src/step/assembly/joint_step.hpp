// Joints in a step of contact dynamics: entries of the problem beside the contacts (joint_entries.hpp), and what comes
// of them.
//
// In the ledger of energy drives do work from outside, and what stops, dampers and the springs of long steps take is
// lost in joints; so is the little that holding takes.
#pragma once

#include "step/assembly/build_problem.hpp"

namespace talus {

// Springs and forces that are known kick the bodies at the start of the step: before buildProblem().
void kickByJoints(WorldState& world, const TimeScheme& time, ProblemWorkspace& workspace);

// Adds the entries to a problem whose contacts are complete.
void addJointEntries(const WorldState& world, const ContactDynamicsSettings& settings, const TimeScheme& time,
                     ProblemWorkspace& workspace);

// Finds k anew from the velocities of the answer, and with it the offsets of the entries. True if the problem should be
// solved again: with those of the last step joints would create energy worth mentioning.
bool correctJointEntries(const WorldState& world, const ContactDynamicsSettings& settings, const TimeScheme& time,
                         ProblemWorkspace& workspace);

// When the answer is found and findChanges() done: forces of the joints, on held bodies too, and energies.
void applyJointReactions(WorldState& world, const TimeScheme& time, ProblemWorkspace& workspace);

// When bodies have moved.
void endJointStep(WorldState& world, ProblemWorkspace& workspace);

}  // namespace talus
