// contact_dynamics.forces: compatible. After a step's rigid problem is solved, its reactions become those that springs
// of the scene's contact law would choose as all of them grow stiff in proportion (solvers/compatible/compatible.hpp).
//
//     hooke   p = 2,    k_n the pair's stiffness,     k_t = ratio k_n
//     hertz   p = 5/2,  k_n = 4/3 E* sqrt(R),         k_t = 4 G*/E* k_n: Mindlin's springs under loads that grow
//     together
//
// Without friction the motion of the step stays what it is, made exact; with friction there may be several, and it
// becomes that of the compatible reactions.
#pragma once

#include <optional>

#include "solvers/compatible/compatible.hpp"
#include "step/assembly/build_problem.hpp"

namespace talus {

struct CompatibleForcesWorkspace {
    std::optional<CompatibleSolver> solver;  // of the settings of the last step
    std::vector<RelativeStiffness> stiffness;
};

// Replaces the reactions of the problem if the settings ask for it; `solved` then tells of the new ones. Nothing else:
// the report is empty.
CompatibleReport makeForcesCompatible(const WorldState& world, const ContactDynamicsSettings& settings,
                                      ProblemWorkspace& problem, CompatibleForcesWorkspace& workspace,
                                      SolveReport& solved);

}  // namespace talus
