// What the answer to the contact problem of a step may ask for: the same problem, changed a little, once more.
//
// Joints bend the paths of bodies by what they do to them: where that differs from the last step, the offsets of their
// entries follow (assembly/joint_step.hpp) and the problem is solved again. Where no motion satisfies contacts and
// drives of joints, drives give way and overlaps stay (jammed_drives.hpp).
#pragma once

#include "step/step.hpp"

namespace talus {

// Reactions of the workspace and `solved` become those of the last solve; iterations and seconds add up. True if drives
// had to give way.
bool solveAgain(const WorldState& world, const StepSettings& settings, const TimeScheme& time, StepWorkspace& workspace,
                SolveReport& solved);

}  // namespace talus
