// Whether a contact problem has no answer: no motion that its contacts allow, however large the reactions.
//
// A grain between two walls that close in on it is the simplest one. The proof is a self-stress: reactions d that
// every set Y bears at any size and that move nothing, W d = 0, while the contacts they act at close, b.d < 0. All
// allowed motions have u.d >= 0, but u.d = (W g + b).d = b.d < 0 for all reactions g. With W d small instead of zero,
//
//     sum |g_i|  >=  -b.d / max |(W d)_i|
//
// for every answer g. Talus says that there is none if this exceeds what would stop each contact alone by a factor
// that no ratio of masses explains.
#pragma once

#include "solvers/first_order/gauss_seidel.hpp"

namespace talus {

struct InfeasibilityWorkspace {
    std::vector<Vec3> direction, growth;
    Solution sweeps;
    OperatorStates states;
    SolverWorkspace gaussSeidel;
};

// Looks for the proof where a solver has given up, with these reactions and this residual. If they look like a
// problem that is only slow to solve it does not look far; otherwise it makes twice so many sweeps.
bool provesInfeasible(const ContactProblem& problem, FrictionLaw law, const std::vector<Vec3>& reactions,
                      double naturalMap, std::uint64_t sweeps, InfeasibilityWorkspace& workspace);

}  // namespace talus
