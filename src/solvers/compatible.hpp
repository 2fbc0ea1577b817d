// Unique reactions of rigid contacts: those that an elastic network would choose as its stiffness grows without bound.
//
// Many sets of reactions give the same motion where contacts are redundant. With a compliance e C per contact (C
// symmetric and positive definite, e -> 0) there is one, and its limit is the set that minimises sum g.C g among those
// that give the rigid motion (Olsen and others 2018): only the ratios of the compliances matter. It is found from two
// solves with small e, the second from the answer of the first with half of it, and a straight line through them to e =
// 0.
//
// With friction the limit depends on where the contacts stuck before: C g stands for the way since the contact was free
// of load. Without memory (E g alone, as here) it is that of loads which grow in proportion. Whoever has memory adds
// -e C g_0 to the offset.
#pragma once

#include "solvers/solver.hpp"

namespace talus {

// The problem's compliance is C, in any unit; its reactions become the compatible ones. The report judges them by the
// rigid problem.
SolveReport solveCompatible(ContactProblem problem, const SolverSettings& settings, std::vector<Vec3>& reactions);

}  // namespace talus
