// Whether reactions can act without any outer load: g in the cones, not zero, with D^T A^-1 D g = 0, as in a wedge that
// is driven in. Without such reactions the skewed law has solutions, and bounded ones (Tasora, Anitescu, Negrini and
// Negrut, Int. J. Non-Linear Mech. 53 (2013), theorem 1). Compliant contacts never have them.
//
// Either there are internal forces, or there is a motion that opens all contacts at once, by more than mu times the
// slip of each. It is looked for by pushing all contacts alike, with a small compliance e of their own,
//
//     min over g in the cones of  1/2 g.(W + e) g - sum g_n,      opening W g
//
// a convex problem for the interior-point method. An opening found is a proof; if none is, there are internal forces,
// or nearly so. Cohesion does not matter: bonds can bear only so much.
#pragma once

#include "problem/contact_problem.hpp"

namespace talus {

bool hasInternalForces(const ContactProblem& problem);

}  // namespace talus
