// What stays the same during an increment of quasi-static loading (step/quasi_static.cpp).
#pragma once

#include <limits>

#include "model/world.hpp"
#include "talus/quasi_static.hpp"

namespace talus {

struct Scales {
    double stiffness = 0;  // N/m, of the stiffest contact
    double lightest =
        std::numeric_limits<double>::infinity();  // kg, of the free grains; of free walls if there are none
    double smallest = std::numeric_limits<double>::infinity();  // m, radius of the free bodies
    double prescribedTravel = 0;                                // m, how far prescribed bodies go in the increment
    double reach = 0;                                           // m, how far free ones may go in an iteration

    bool anyFree() const { return lightest < std::numeric_limits<double>::infinity(); }
};

// After predictMotions() for the increment, of length dt (s).
Scales measureScales(const WorldState& world, const QuasiStaticSettings& settings, double dt);

}  // namespace talus
