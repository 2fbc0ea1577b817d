// The forces of a network of no-tension springs at rest, in the limit of great stiffness: what compatible forces must
// be.
//
// Bodies are points with displacements u and loads F; contact i has the unit normal n_i, from b to a, and is shortened
// by c_i = -n_i.(u_a - u_b). With f_i = k_i (c_i)_+^(p-1), p = 2 (Hooke) or 5/2 (Hertz), equilibrium is the minimum of
//
//     sum_i k_i/p (c_i)_+^p - F.u          (Olsen and Kamrin 2018, the dual of their eq. 36)
//
// found here by Newton's method with a sparse Cholesky factorisation and a line search. Geometry does not change, so
// only ratios of stiffness matter. Nothing of the program's own solvers is used: this is the second way to the forces.
#pragma once

#include <cstddef>
#include <vector>

#include "talus/vec3.hpp"

namespace talus::reproduce {

struct Spring {
    std::size_t a = 0, b = 0;  // bodies
    Vec3 normal;               // unit, from b to a
    double stiffness = 1;      // relative to the others
};

struct SpringNetwork {
    std::vector<Vec3> load;   // N on each body
    std::vector<bool> fixed;  // held in place
    std::vector<Spring> springs;
    double power = 2;  // p
};

struct NetworkForces {
    std::vector<double> force;  // N, of each spring
    double unbalanced = 0;      // largest force left on a body, relative to the largest load
    int iterations = 0;
};

NetworkForces minimiseElasticEnergy(const SpringNetwork& network);

}  // namespace talus::reproduce
