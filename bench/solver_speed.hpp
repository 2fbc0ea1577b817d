// The speed of the solvers of contact dynamics: contact-iterations per second on the contacts of a settled packing.
#pragma once

#include "bench/measure.hpp"
#include "problem/contact_problem.hpp"
#include "talus/contact_dynamics.hpp"

namespace talus {

// One step's problem of a packing at rest.
ContactProblem packingProblem(WorldState& world);

// One step's problem of the world, exact Coulomb friction, solved from zero by a fixed number of iterations. Set-up of
// the solver counts, building the problem does not. `items` are the contacts.
Measurement measureSolver(WorldState& world, SolverKind solver);

}  // namespace talus
