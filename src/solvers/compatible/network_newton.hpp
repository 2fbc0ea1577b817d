// Compatible forces by Newton's method on the displacements of the network (elastic_network.hpp):
//
//     min over z of  sum k_i/p max(c_i, 0)^p - g.c,     c = F z,
//
// convex and once differentiable; its slope is F^T (f - g). A step is c += a dc with
//
//     dc = F (F^T S F + e)^-1 F^T (g - f),              S = df/dc per contact              (contact_system.hpp)
//
// as long as the objective falls along it (found from the slope, which only rises). e is small: it keeps clusters that
// nothing holds, and bodies that nothing loads, from moving without bound, and takes nothing from the answer. Where a
// spring has no stiffness though its bodies are out of balance (open at the time; p > 2 and hardly compressed) it is
// given a little, and where it would have too much (p < 2 and hardly compressed) it is given less, both in
// proportion to the imbalance, so that the last steps are Newton's own.
//
// The system of many spheres is solved by conjugate gradients, as exactly as the step deserves; by factors if that
// takes too long (very different stiffnesses), if there are few, and for other bodies.
#pragma once

#include "solvers/compatible/conjugate_gradients.hpp"
#include "solvers/compatible/elastic_network.hpp"
#include "solvers/compatible/sphere_normals.hpp"
#include "solvers/compatible/sphere_stiffness.hpp"
#include "solvers/linear/contact_system.hpp"

namespace talus {

struct NetworkNewtonWorkspace {
    ContactSystem system;
    NormalMotion motion;
    std::vector<double> compression, change, force, difference, velocity;
    std::vector<ContactStiffness> stiffness;
    std::vector<Mat3> compliance;
    std::vector<Vec3> impulses, moved;
    SphereNormals normals;
    SphereStiffness sphereStiffness;
    ConjugateGradientsWorkspace gradients;
    std::vector<double> springs, push, displacement;
};

NetworkForces balanceByNewton(const ElasticNetwork& network, NetworkNewtonWorkspace& workspace);

}  // namespace talus
