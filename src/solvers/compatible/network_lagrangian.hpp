// Compatible forces by an augmented Lagrangian around accelerated gradient steps (Olsen and Kamrin, Granular Matter 20,
// 2018): for problems whose factors would not fit into memory, and as a second way beside network_newton.hpp.
//
// The energies of the springs are minimised over f >= 0 under F^T f = F^T g (elastic_network.hpp). With the constraint
// measured by what it does to the motion, all of it can be written with W = F F^T,
//
//     L(f) = sum e_i(f_i) + m.W (f - g) + r/2 (f - g).W (f - g),        e_i' = (f/k)^(1/(p-1)),
//
// and multipliers live in contacts: m += r (f - g) after each round. The slope of e is not Lipschitz at zero for p > 2,
// so that e is not stepped along but solved with: each contact takes
//
//     f = argmin e_i(f) + (f - y)^2 / (2 t_i) over f >= 0               one number, a monotone equation
//
// after a gradient step y of the rest, whose curvature is known. Momentum is that of Nesterov, dropped when it points
// uphill; the step shrinks when the quadratic model under-estimates and grows slowly otherwise, as in apgd.hpp.
#pragma once

#include "solvers/compatible/elastic_network.hpp"

namespace talus {

struct NetworkLagrangianWorkspace {
    NormalMotion motion;
    std::vector<double> x, y, fresh;                          // forces
    std::vector<double> velocityX, velocityY, velocityFresh;  // W times them
    std::vector<double> multiplier, pull;                     // m; W (m - r g)
};

NetworkForces balanceByLagrangian(const ElasticNetwork& network, std::uint64_t maxIterations,
                                  NetworkLagrangianWorkspace& workspace);

}  // namespace talus
