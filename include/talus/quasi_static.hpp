// The settings of quasi-static loading: how equilibrium is found in each increment.
#pragma once

#include <cstdint>

namespace talus {

struct QuasiStaticSettings {
    double tolerance = 1e-6;            // -, unbalanced force on a body, relative to the mean contact force
    std::uint64_t maxIterations = 500;  // per increment; a body that still moves then stops the run, unless it proceeds
    bool proceed = false;               // to the next increment, whatever still moves
    double maxDisplacement = 0.05;      // -, of the smallest radius, of a body in one iteration
    double inertia = 0.1;  // -, fictitious inertia over contact stiffness to begin with; changes the speed only
};

}  // namespace talus
