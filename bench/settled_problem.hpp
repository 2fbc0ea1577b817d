// The contact problem of a packing at rest that is as deep as it is wide.
#pragma once

#include "problem/contact_problem.hpp"

namespace talus {

// Grains along an edge of the cube that is nearest to this number. Throws InputError.
int edgeOfCube(std::uint64_t grains);

// Of edge^3 equal spheres in a box, Coulomb friction 0.5. Uses the present threads; the same for any number of them.
ContactProblem settledProblem(int edge);

}  // namespace talus
